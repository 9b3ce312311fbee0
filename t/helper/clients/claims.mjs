// What the client for Node does, as TAP.  claims.mjs WORKSPACE OUTSIDE: two empty directories.
import { spawn } from 'node:child_process';
import { argv, chdir, env, exit } from 'node:process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const { run, stream, findProgram, Session, approve, deny } = await import(env.SBX_CLIENT ?? 'sbx-client');
const [ws, outside] = argv.slice(2);
let count = 0;
let failed = 0;

function claim(what, got, wanted = true) {
  const same = JSON.stringify(got) === JSON.stringify(wanted);
  count += 1;
  failed += !same;
  console.log(`${same ? 'ok' : 'not ok'} ${count} - ${what}`);
  if (!same) console.error(`# got:    ${JSON.stringify(got)}\n# wanted: ${JSON.stringify(wanted)}`);
}

const policy = { cwd: ws, sandbox: 'workspace-write' };
const never = { ...policy, ask: 'never' };
const untrusted = { ...policy, ask: 'untrusted' };
const place = `${outside}/n`;
const touch = ['touch', place];
const made = ['touch', `${ws}/made`];

let result = await run(['sh', '-c', 'cat; echo err >&2; exit 3'], { input: 'in\n', ...never });
claim('status and output', [result.status, result.outcome, result.text, String(result.stderr).split('\n')[0]], [3, 'exited', 'in\n', 'err']);
claim('not found', (await run(['no-such-program'], never)).outcome, 'not-found');
claim('timed out', (await run(['sleep', '9'], { timeout: 0.2, ...never })).outcome, 'timed-out');
claim('a signal', (await run(['sh', '-c', 'kill -9 $$'], never)).signal, 9);
claim('wrong usage is ours', (await run(['true'], { options: ['--bogus'], ...never })).outcome, 'failed');
claim('a variable', (await run(['sh', '-c', 'echo $A'], { env: { A: 'b=c' }, ...never })).text, 'b=c\n');
claim('much output is cut', (await run(['head', '-c', '300000', '/dev/zero'], { outputMax: 1000, ...never })).stdout.length, 1000);
await run('echo', never).catch((error) => claim('a line is no list', error.name, 'SbxError'));
await run(['true'], { nonsense: 1 }).catch((error) => claim('an unknown option', error.name, 'SbxError'));
try {
  (await run(['false'], never)).check();
} catch (error) {
  claim('check() throws', [error.name, error.result.status], ['FailedError', 1]);
}
result = await run(touch, never);
claim('a denial', [result.denied, existsSync(place)], [true, false]);
const observed = result.denials.length > 0;
if (observed) claim('with what would allow it', [result.denials[0].path, result.denials[0].grant], [place, { write: [outside] }]);
const mine = () => {
  throw new Error('mine');
};
for (const [what, sink] of [['throws', mine], ['rejects', async () => mine()]]) {
  for (const on of ['onStdout', 'onStderr', ...(observed ? ['onEvent'] : [])]) {
    const got = await run(['sh', '-c', `echo a; echo a >&2; echo x >${place}; exec sleep 60`], { ...never, [on]: sink }).then(() => 'nothing', (error) => error.message);
    claim(`${on} that ${what}: the command ends, and we hear of it`, got, 'mine');
  }
}

const asked = [];
const granting = async (request) => {
  asked.push(request);
  return approve({ grant: request.grant });
};
if (observed) {
  result = await run(touch, { ...policy, ask: 'on-request', approver: granting });
  claim('a grant after a denial', [result.status, existsSync(place)], [0, true]);
  claim('the request has what is possible', [asked[0].command, asked[0].options[0], asked[0].denials[0].path], [touch, 'grant', place]);
}
for (const [what, approver, wanted] of [
  ['true', () => true, 0], ['false', () => false, 126], ['nothing', () => {}, 126], ['1', () => 1, 126],
  ['an exception', () => { throw new Error('no'); }, 126], ['a rejection', () => Promise.reject(new Error('no')), 126],
  ['what cannot be sent', () => ({ decision: 'approved', grant: { write: [1n] } }), 126],
  ['deny()', () => deny('x'), 126], ['an answer that is none', () => ({ decision: 'yes' }), 126],
]) claim(`an approver that says ${what}`, (await run(made, { approver, ...untrusted })).status, wanted);
const halves = await Session.start({ approver: ({ command }) => (command[0] === 'touch' ? approve() : deny('\ud83d')), ...untrusted });
claim('a reason with half of a character is a no', (await halves.run(['rmdir', made[1]])).status, 126);
claim('... and no other answer', (await halves.run(made)).status, 0);
await halves.close();
claim('half of a character in a path is no yes', (await run(made, { ...untrusted, approver: () => approve({ grant: { write: ['/\ud83d'] } }) })).status, 126);
let gone = () => {};
const told = new Promise((resolve) => (gone = resolve));
const late = ({ signal }) => new Promise(() => signal.addEventListener('abort', () => gone(true)));
claim('one that is too late', (await run(made, { approver: late, approverTimeout: 0.3, ...untrusted })).status, 126);
claim('is told so', await told);

const kinds = [];
for await (const piece of stream(['sh', '-c', 'echo a; echo b >&2'], never)) kinds.push(piece.kind);
claim('a stream', [kinds.at(-1), kinds.toSorted?.() ?? [...kinds].sort()], ['end', ['end', 'event', 'stderr', 'stdout']]);
let began = Date.now();
for await (const piece of stream(['sh', '-c', 'echo a; sleep 9'], never)) {
  claim('comes while the command runs', [piece.kind, String(piece.data)], ['stdout', 'a\n']);
  break;
}
claim('one that is left ends the command', Date.now() - began < 8000);
const ending = new AbortController();
result = await run(['sh', '-c', 'echo a; sleep 60'], { signal: ending.signal, onStdout: () => ending.abort(), ...never });
claim('a signal to abort ends the command', result.outcome, 'signalled');

const refused = await stream(['touch', `${ws}/aborted`], { signal: AbortSignal.abort(), ...never }).next().catch((error) => error.name);
claim('one that was aborted before does not run', [refused, existsSync(`${ws}/aborted`)], ['AbortError', false]);
const flood = ['sh', '-c', `yes | head -c 30000000; touch ${ws}/flooded`];
let size = 0;
for await (const piece of stream(flood, never)) {
  if (piece.kind !== 'stdout') continue;
  if (size === 0) {
    await sleep(1000);
    claim('a command that prints more than is taken waits', existsSync(`${ws}/flooded`), false);
  }
  size += piece.data.length;
}
claim('... and goes on', [size, existsSync(`${ws}/flooded`)], [30000000, true]);
for await (const piece of stream(['yes'], never)) break;
size = 0;
const slow = async (data) => {
  if (size === 0) await sleep(10);
  size += data.length;
};
await run(flood, { onStdout: slow, ...never });
claim('a function that is slow gets all of it', size, 30000000);

function sleepers(seconds) {
  const words = (pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  };
  return readdirSync('/proc').filter((pid) => words(pid) === `sleep\0${seconds}\0`).length;
}
async function settles(seconds, wanted) {
  for (let i = 0; i < 1000 && sleepers(seconds) !== wanted; i++) await sleep(20);
  return sleepers(seconds);
}
const seconds = 91000 + process.pid;
const code = `const { run } = await import(process.env.SBX_CLIENT ?? 'sbx-client'); await run(['sleep', '${seconds}'], ${JSON.stringify(never)});`;
const caller = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
claim('control: a command of another process', await settles(seconds, 1), 1);
caller.kill('SIGKILL');
claim('a process that is killed leaves nothing running', await settles(seconds, 0), 0);

asked.length = 0;
const remembering = (request) => {
  asked.push(request.options);
  return approve({ session: true });
};
let session = await Session.start({ approver: remembering, ...untrusted });
const statuses = [];
for (let i = 0; i < 3; i++) statuses.push((await session.run(made)).status);
claim('a session remembers', statuses, [0, 0, 0]);
claim('and asks once', [asked.length, asked[0].includes('approved_for_session')], [1, true]);
await session.close();
session = await Session.start({ approver: () => true, ...untrusted });
const several = await Promise.all([0, 1, 2, 3, 4, 5].map((i) => session.run(['sh', '-c', `touch made; echo ${i}`])));
claim('side by side in a session', several.map((one) => one.text), [0, 1, 2, 3, 4, 5].map((i) => `${i}\n`));
await session.close();
session = await Session.start(untrusted);
claim('one without an approver refuses', (await session.run(made)).status, 126);
await session.close();

os.userInfo = () => {
  throw new Error('no such user');
};
syncBuiltinESMExports();
let missing;
try {
  findProgram('no-such-program');
} catch (error) {
  missing = error.name;
}
claim('a user without a name has the other places', missing, 'SbxError');

chdir(ws);
writeFileSync('sbx-run', '#!/bin/sh\necho fake\n', { mode: 0o755 });
env.PATH = `${ws}:${env.PATH}`;
claim('neither PATH nor the working directory names the program', (await run(['echo', 'real'], never)).text, 'real\n');
console.log(`1..${count}`);
exit(failed ? 1 : 0);
