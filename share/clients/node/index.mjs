// Run commands in a sandbox, see what was denied, and decide about it.
//
//     import { run, Session, approve } from 'sbx-client';
//
//     const result = await run(['make', 'test'], { sandbox: 'workspace-write' });
//     for (const denial of result.denials) console.log(denial.op, denial.path, denial.allowWith);
//
// An approver is a function, and may be asynchronous.  What it does not approve is refused; so
// is what it throws.  A command ends with this process, whatever ends that.  For Node 18 and later, without dependencies: sbx-run(1) does all the work.

import { spawn } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { constants as system, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const version = '0.0.0';

const OUTPUT_MAX = 16 << 20;
const RESULT_FD = 3;
const EVENTS_FD = 4;
const APPROVER_FD = 5;
/* Closed with us, whatever ends us. */
const HERE_FD = 6;
/* Of a stream that nobody has taken yet. */
const PIECES = 64;

/** sbx-run cannot be started, or was misused. */
export class SbxError extends Error {
  name = 'SbxError';
}

/** check(): the command did not exit with 0. */
export class FailedError extends SbxError {
  name = 'FailedError';
  constructor(result) {
    super(`${result.outcome}, status ${result.status}${result.error ? `: ${result.error}` : ''}`);
    this.result = result;
  }
}

/** Not $HOME, which somebody else may have set; many a user of a container has none. */
function home() {
  try {
    return userInfo().homedir;
  } catch {
    return null;
  }
}

function* candidates(name) {
  const here = dirname(fileURLToPath(import.meta.url));
  yield join(here, 'programs', process.arch, 'bin', name);
  // Three steps up from where it is installed, a project may keep what it builds.
  if (here.endsWith('/share/clients/node')) yield join(here, '..', '..', '..', 'build', 'bin', name);
  if (home()) yield join(home(), '.local', 'bin', name);
  yield join('/usr/local/bin', name);
  yield join('/usr/bin', name);
}

/** Next to this file, or installed; never by PATH or in the working directory. */
export function findProgram(name = 'sbx-run') {
  for (const path of candidates(name)) {
    try {
      accessSync(path, constants.X_OK);
      return realpathSync(path);
    } catch {
      continue;
    }
  }
  throw new SbxError(`${name} is not installed: put it into /usr/local/bin, or name it as program`);
}

/** A string of the operating system, as documents have it: text, or bytes that are none. */
export function osText(value) {
  if (value === null || value === undefined || typeof value === 'string') return value ?? null;
  return Buffer.from(value.base64, 'base64').toString('latin1');
}

export function toDenial(raw) {
  return {
    op: raw.op,
    path: osText(raw.path),
    address: raw.address ?? null,
    syscall: raw.syscall ?? null,
    program: osText(raw.program),
    rule: raw.rule ?? null,
    grant: raw.grant ?? null,
    allowWith: raw.allow_with ?? null,
    count: raw.count ?? 1,
    failed: raw.failed ?? null,
  };
}

/** Yes: to what was offered, or to a grant of one's own; once, or for the session. */
export function approve({ grant, session = false } = {}) {
  return { decision: session ? 'approved_for_session' : 'approved', ...(grant ? { grant } : {}) };
}

/** No; the caller goes on. */
export function deny(reason) {
  return { decision: 'denied', ...(reason ? { reason } : {}) };
}

/** No, and the caller should stop. */
export function abort(reason) {
  return { decision: 'abort', ...(reason ? { reason } : {}) };
}

/** Calls back with every line of a stream that is JSON; what is not ends it. */
function readLines(stream, take) {
  let rest = Buffer.alloc(0);
  stream.on('data', (data) => {
    rest = Buffer.concat([rest, data]);
    for (let end; (end = rest.indexOf(10)) >= 0; rest = rest.subarray(end + 1)) {
      let message;
      try {
        message = JSON.parse(rest.subarray(0, end).toString('utf8'));
      } catch {
        stream.destroy();
        return;
      }
      take(message);
    }
  });
  stream.on('error', () => {});
}

const HALF = /\p{Surrogate}/gu;

/** A line that is no JSON would end the conversation, and with it all later answers. */
function inUtf8(name, value) {
  if (typeof value !== 'string') return value;
  const whole = value.replace(HALF, '\ufffd');
  if (whole !== value && name !== 'reason') throw new SbxError(`${name}: half of a character`);
  return whole;
}

/** The other end of --approver fd:N: questions side by side. */
function answerQuestions(stream, approver) {
  const open = new Map();
  readLines(stream, (message) => {
    if (message.type === 'cancel') {
      open.get(message.id)?.abort();
      open.delete(message.id);
      return;
    }
    const controller = new AbortController();
    open.set(message.id, controller);
    const request = {
      id: message.id,
      command: (message.command ?? []).map(osText),
      cwd: osText(message.cwd),
      reason: osText(message.reason) ?? '',
      options: message.options ?? [],
      means: message.means ?? {},
      grant: message.grant ?? null,
      denials: (message.denials ?? []).map(toDenial),
      signal: controller.signal,
      raw: message,
    };
    const line = (said) => {
      const answer = said && typeof said === 'object' ? said : said === true ? approve() : deny();
      return `${JSON.stringify({ ...answer, id: message.id }, inUtf8)}\n`;
    };
    // Whatever goes wrong, it is no approval.
    Promise.resolve()
      .then(() => approver(request))
      .then(line)
      .catch((error) => line(deny(`the approver failed: ${error}`)))
      .then((text) => {
        if (open.delete(message.id)) stream.write(text);
      });
  });
  stream.on('close', () => open.forEach((controller) => controller.abort()));
}

const SINGLE = {
  cwd: '--cd', sandbox: '--sandbox', ask: '--ask-for-approval', profile: '--profile', permissions: '--permissions',
  network: '--network', justification: '--justification', caller: '--caller', timeout: '--timeout',
  approverTimeout: '--approver-timeout',
};
const SEVERAL = { allow: '--allow', allowHosts: '--allow-host', addDirs: '--add-dir', hide: '--hide' };
const OTHER = new Set([
  'env', 'escalate', 'options', 'approver', 'input', 'onStdout', 'onStderr', 'onEvent', 'outputMax', 'program', 'signal',
  'session',
]);

function words(how) {
  const out = [];
  for (const [name, value] of Object.entries(how)) {
    if (value === undefined || value === null || OTHER.has(name)) continue;
    if (SINGLE[name]) {
      out.push(SINGLE[name], String(value));
    } else if (SEVERAL[name]) {
      if (!Array.isArray(value)) throw new SbxError(`${name}: expected a list`);
      for (const one of value) out.push(SEVERAL[name], one);
    } else {
      throw new SbxError(`${name}: not an option`);
    }
  }
  for (const [name, value] of Object.entries(how.env ?? {})) out.push('--env', `${name}=${value}`);
  return [...out, ...(how.escalate ? ['--escalate'] : []), ...(how.options ?? [])];
}

/** Calls a function that was given to us; `broken` hears of what it throws, now or later. */
function call(sink, what, broken) {
  try {
    const taken = sink?.(what);
    return typeof taken?.then === 'function' ? Promise.resolve(taken).catch(broken) : undefined;
  } catch (error) {
    broken(error);
    return undefined;
  }
}

/** Keeps the head of a stream; a sink that is a promise is waited for, and so is the command. */
function keep(stream, most, sink, result, broken) {
  const parts = [];
  let size = 0;
  stream.on('data', (data) => {
    const taken = call(sink, data, broken);
    if (taken) {
      stream.pause();
      taken.then(() => stream.resume());
    }
    const kept = data.subarray(0, Math.max(0, most - size));
    if (kept.length < data.length) result.truncated = true;
    size += kept.length;
    parts.push(kept);
  });
  return () => Buffer.concat(parts);
}

function conclude(kept, said, code, signal) {
  const raw = said.document.result ?? {};
  const number = signal ? 128 + (system.signals[signal] ?? 9) : (code ?? 125);
  const result = {
    // Without an end, sbx-run itself was killed.
    status: said.end.status ?? number,
    outcome: said.end.outcome ?? 'failed',
    exitCode: raw.outcome === 'exited' ? raw.exit_code : null,
    signal: raw.signal ?? null,
    denied: raw.denied === true,
    denials: (raw.denials ?? []).map(toDenial),
    durationMs: raw.duration_ms ?? 0,
    stdout: kept.stdout(),
    stderr: kept.stderr(),
    truncated: kept.truncated === true,
    error: osText(said.document.error?.message),
    document: said.document,
    get ok() {
      return this.outcome === 'exited' && this.status === 0;
    },
    get text() {
      return this.stdout.toString('utf8');
    },
    check() {
      if (!this.ok) throw new FailedError(this);
      return this;
    },
  };
  return result;
}

/** Runs a command to its end. */
export async function run(argv, how = {}) {
  if (!Array.isArray(argv) || argv.length === 0) {
    throw new SbxError("argv: expected a list with at least one word; for a line of shell use ['sh', '-c', LINE]");
  }
  const program = how.program ?? findProgram();
  const options = [...words(how), '--result-fd', String(RESULT_FD), '--while-fd', String(HERE_FD)];
  if (how.onEvent) options.push('--report', 'json', '--report-fd', String(EVENTS_FD));
  if (how.approver) options.push('--approver', `fd:${APPROVER_FD}`);
  how.signal?.throwIfAborted();
  const child = spawn(program, [...options, '--', ...argv], {
    stdio: [how.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', 'pipe',
      how.onEvent ? 'pipe' : 'ignore', how.approver ? 'pipe' : 'ignore', 'pipe'],
    env: how.session ? { ...process.env, SBX_SESSION: how.session } : process.env,
  });
  const failed = new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new SbxError(`${program}: ${error.message}`)));
  });
  // Without a descriptor to spare there are no streams either.
  if (!child.stdout) return failed;
  const said = { document: {}, end: {} };
  const kept = {};
  const thrown = [];
  const end = () => child.kill('SIGTERM');
  const broken = (error) => {
    thrown.push(error);
    end();
  };
  kept.stdout = keep(child.stdout, how.outputMax ?? OUTPUT_MAX, how.onStdout, kept, broken);
  kept.stderr = keep(child.stderr, how.outputMax ?? OUTPUT_MAX, how.onStderr, kept, broken);
  child.stdio[HERE_FD].on('error', () => {});
  readLines(child.stdio[RESULT_FD], (message) => {
    if (message.event === 'end') said.end = message;
    else said.document = message;
  });
  if (how.onEvent) readLines(child.stdio[EVENTS_FD], (event) => call(how.onEvent, event, broken));
  if (how.approver) answerQuestions(child.stdio[APPROVER_FD], how.approver);
  if (how.input !== undefined) {
    child.stdin.on('error', () => {});
    child.stdin.end(how.input);
  }
  how.signal?.addEventListener('abort', end);
  try {
    const closed = new Promise((resolve) => {
      // Only when all of its descriptors have been read to the end.
      child.on('close', (code, signal) => resolve(conclude(kept, said, code, signal)));
      child.on('exit', () => {
        child.stdio[APPROVER_FD]?.destroy();
        child.stdio[HERE_FD].destroy();
      });
    });
    const result = await Promise.race([failed, closed]);
    if (thrown.length > 0) throw thrown[0];
    return result;
  } finally {
    how.signal?.removeEventListener('abort', end);
  }
}

/**
 * {kind: "stdout" | "stderr", data}, {kind: "event", event} as they come, then {kind: "end", result}.
 * A command that prints more than is taken waits, as at a pipe.
 */
export async function* stream(argv, how = {}) {
  how.signal?.throwIfAborted();
  const controller = new AbortController();
  const waiting = [];
  const resting = [];
  let left = false;
  let wake = () => {};
  const say = (what) => {
    if (!left) waiting.push(what);
    wake();
  };
  const rest = () => (left || waiting.length < PIECES ? undefined : new Promise((resolve) => resting.push(resolve)));
  const outer = () => controller.abort();
  how.signal?.addEventListener('abort', outer);
  run(argv, {
    ...how,
    signal: controller.signal,
    onStdout: (data) => {
      say({ kind: 'stdout', data });
      return rest();
    },
    onStderr: (data) => {
      say({ kind: 'stderr', data });
      return rest();
    },
    onEvent: (event) => say({ kind: 'event', event }),
  }).then((result) => say({ kind: 'end', result }), (error) => say({ kind: 'error', error }));
  const goOn = () => resting.splice(0).forEach((resolve) => resolve());
  try {
    for (;;) {
      if (waiting.length === 0) await new Promise((resolve) => (wake = resolve));
      const what = waiting.shift();
      if (!what) continue;
      if (waiting.length < PIECES) goOn();
      if (what.kind === 'error') throw what.error;
      yield what;
      if (what.kind === 'end') return;
    }
  } finally {
    left = true;
    goOn();
    how.signal?.removeEventListener('abort', outer);
    controller.abort();
  }
}

/** Keeps what was approved for the session, in memory, and asks one approver for all. */
export class Session {
  #child;
  #defaults;
  #program;

  /** @private */
  constructor(child, path, program, defaults) {
    this.#child = child;
    this.path = path;
    this.#program = program;
    this.#defaults = defaults;
  }

  static async start({ approver, approverTimeout, program = findProgram(), parent, ...defaults } = {}) {
    const options = ['--serve'];
    if (approver) options.push('--approver', `fd:${RESULT_FD}`);
    if (approverTimeout !== undefined) options.push('--approver-timeout', String(approverTimeout));
    if (parent) options.push('--parent', parent.path);
    // Says where the session is, and ends with our end of its input.
    options.push('--', '/bin/sh', '-c', 'printf "%s\\n" "$SBX_SESSION"; exec cat >/dev/null');
    const child = spawn(join(dirname(program), 'sbx-approve'), options, {
      stdio: ['pipe', 'pipe', 'inherit', approver ? 'pipe' : 'ignore'],
      detached: true,
    });
    const failed = new Promise((resolve, reject) => {
      child.on('error', (error) => reject(new SbxError(error.message)));
    });
    // Without a descriptor to spare there are no streams either.
    if (!child.stdout) return failed;
    if (approver) answerQuestions(child.stdio[RESULT_FD], approver);
    child.stdin.on('error', () => {});
    const begun = new Promise((resolve, reject) => {
      let text = '';
      child.on('exit', () => reject(new SbxError('the session did not begin')));
      child.stdout.on('data', (data) => {
        text += data.toString('utf8');
        if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
      });
    });
    const path = await Promise.race([failed, begun]);
    return new Session(child, path, program, defaults);
  }

  run(argv, how = {}) {
    return run(argv, { ...this.#defaults, program: this.#program, ...how, session: this.path });
  }

  stream(argv, how = {}) {
    return stream(argv, { ...this.#defaults, program: this.#program, ...how, session: this.path });
  }

  /** What was approved for it is forgotten. */
  async close() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin.end();
    await ended;
    this.#child.stdio[RESULT_FD]?.destroy();
  }
}
