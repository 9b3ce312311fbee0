// An agent: a model says what to run, the sandbox holds it, the operator's rule decides.
//
//     agent.mjs WORKSPACE NOTES      NOTES is a file outside of the workspace
import { dirname, resolve } from 'node:path';
import { argv, env, exit } from 'node:process';

const { Session, approve, deny } = await import(env.SBX_CLIENT ?? 'sbx-client');
const [workspace, notes] = argv.slice(2).map((word) => resolve(word));

// Yours; this one has a script.  It sees what became of its last command.
function model(said) {
  if (!said) return ['sh', '-c', `echo done >${notes} && echo written`];
  if (said.ok && said.text === 'written\n') return ['cat', notes];
  return null;
}

// One directory may be given when the sandbox denied it, and nothing else.
function operator(request) {
  console.log('asked:', request.reason, JSON.stringify(request.grant));
  const wanted = JSON.stringify({ write: [dirname(notes)] });
  return JSON.stringify(request.grant) === wanted ? approve({ grant: request.grant }) : deny('only the notes');
}

const policy = { cwd: workspace, sandbox: 'workspace-write', ask: 'on-request', timeout: 60 };
const session = await Session.start({ approver: operator, ...policy });
let said;
for (let command; (command = model(said)); ) {
  said = await session.run(command);
  console.log(said.outcome, said.status, said.text, ...said.denials.map((denial) => denial.path));
}
await session.close();
exit(said?.text === 'done\n' ? 0 : 1);
