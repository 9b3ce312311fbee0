// What the types of the client for Node promise; tsc says whether they do: t/machines/agents.
import { run, stream, Session, approve, deny, abort, findProgram, osText, toDenial, version, SbxError, FailedError } from 'sbx-client';
import type { Approver, Decision, Denial, Grant, Outcome, Piece, Policy, Request, Result, RunOptions, SessionOptions } from 'sbx-client';

const operator: Approver = async (request: Request): Promise<Decision> =>
  request.grant?.write?.length === 1 && !request.signal.aborted ? approve({ grant: request.grant }) : deny('no');
const policy: Policy = { sandbox: 'workspace-write', ask: 'on-request', allow: ['git'], allowHosts: ['x.org'], timeout: '10m' };
const options: RunOptions = { ...policy, approver: operator, onStdout: async (data) => void data.length, signal: AbortSignal.timeout(1) };
const result: Result = await run(['true'], options);
const outcome: Outcome = result.outcome;
const denials: readonly Denial[] = result.check().denials;
const texts: (string | null)[] = denials.map((denial) => denial.path ?? denial.address ?? denial.allowWith);
for await (const piece of stream(['true'], { approver: () => true })) {
  if (piece.kind === 'end') texts.push(piece.result.text);
  else if (piece.kind === 'event') texts.push(String(piece.event.event));
  else texts.push(piece.data.toString());
}
const how: SessionOptions = { approver: () => { }, parent: await Session.start() };
const session = await Session.start(how);
const pieces: AsyncGenerator<Piece, void, void> = session.stream(['true']);
await session.run(['true'], { input: new Uint8Array(1) });
await session.close();
const grant: Grant = { network: 'hosts', hosts: ['x.org'] };
const decisions: Decision[] = [approve(), approve({ session: true }), abort(), { decision: 'approved', grant }];
const words: string = findProgram() + version + osText('x') + toDenial({ op: 'write' }).op + outcome + pieces + decisions.length + texts;
const errors: Error[] = [new SbxError(words)];
if (errors[0] instanceof FailedError) console.log(errors[0].result.status);
// @ts-expect-error a line is no list
run('true');
// @ts-expect-error no such mode
run(['true'], { sandbox: 'none' });
// @ts-expect-error no such option
run(['true'], { nonsense: 1 });
// @ts-expect-error 1 is no answer
run(['true'], { approver: () => 1 });
// @ts-expect-error made by start()
new Session();
