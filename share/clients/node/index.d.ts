/** Where a command runs, and what it may reach: the options of sbx-run(1). */
export interface Policy {
  cwd?: string;
  sandbox?: 'read-only' | 'workspace-write' | 'danger-full-access' | 'external-sandbox';
  ask?: 'untrusted' | 'on-failure' | 'on-request' | 'never';
  profile?: string;
  permissions?: string;
  network?: string;
  allow?: string[];
  allowHosts?: string[];
  addDirs?: string[];
  hide?: string[];
  /** Others on the machine may see the values: a secret is in process.env, and options: ['--env', 'NAME']. */
  env?: Record<string, string>;
  /** Seconds, or a duration such as "10m". */
  timeout?: number | string;
  justification?: string;
  escalate?: boolean;
  /** Who asks, in every request. */
  caller?: string;
  /** More words for sbx-run, as they are. */
  options?: string[];
}

export interface RunOptions extends Policy {
  approver?: Approver;
  approverTimeout?: number | string;
  input?: string | Uint8Array;
  /**
   * One that is asynchronous is waited for, and the command waits as at a pipe.  What on...
   * throws ends the command, and run() throws it.
   */
  onStdout?: (data: Buffer) => void | Promise<void>;
  onStderr?: (data: Buffer) => void | Promise<void>;
  /** Denials as they happen, and the end. */
  onEvent?: (event: Event) => void;
  /** How much of each stream the result keeps; 16 MiB. */
  outputMax?: number;
  program?: string;
  /** Ends the command and all that it started. */
  signal?: AbortSignal;
}

export interface Event {
  event: 'denial' | 'repeated' | 'dropped' | 'unobserved' | 'reached' | 'retry' | 'end' | string;
  [member: string]: unknown;
}

export interface Grant {
  write?: unknown[];
  read?: unknown[];
  network?: 'off' | 'loopback' | 'hosts' | 'on';
  hosts?: string[];
  unix_sockets?: unknown[];
  sandbox?: 'none';
  none?: unknown[];
}

/** What the sandbox refused, and the least that would have allowed it. */
export interface Denial {
  op: string;
  path: string | null;
  address: string | null;
  syscall: string | null;
  program: string | null;
  rule: Record<string, unknown> | null;
  grant: Grant | null;
  /** Options of sbx-run to paste. */
  allowWith: string | null;
  count: number;
  failed: boolean | null;
}

/** Whose status it is. */
export type Outcome =
  | 'exited' | 'signalled' | 'timed-out' | 'not-found' | 'not-executable' | 'not-approved' | 'no-sandbox' | 'failed';

export interface Result {
  readonly status: number;
  readonly outcome: Outcome;
  readonly exitCode: number | null;
  readonly signal: number | null;
  readonly denied: boolean;
  readonly denials: Denial[];
  readonly durationMs: number;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly truncated: boolean;
  readonly error: string | null;
  /** All of it: sbx-document(5). */
  readonly document: Record<string, unknown>;
  readonly ok: boolean;
  readonly text: string;
  /** Throws FailedError unless the command exited with 0. */
  check(): Result;
}

export interface Request {
  readonly id: string;
  readonly command: string[];
  readonly cwd: string | null;
  readonly reason: string;
  /** The answers that are possible, the least first. */
  readonly options: string[];
  /** What each of them does, in a sentence. */
  readonly means: Record<string, string>;
  /** The least that would be enough. */
  readonly grant: Grant | null;
  readonly denials: Denial[];
  /** Nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** All members: sbx-approve(1). */
  readonly raw: Record<string, unknown>;
}

export interface Decision {
  decision: 'approved' | 'approved_for_session' | 'denied' | 'abort';
  grant?: Grant;
  reason?: string;
}

type Answer = Decision | boolean | null | undefined | void;
export type Approver = (request: Request) => Answer | Promise<Answer>;

export type Piece =
  | { kind: 'stdout' | 'stderr'; data: Buffer }
  | { kind: 'event'; event: Event }
  | { kind: 'end'; result: Result };

export const version: string;
export class SbxError extends Error {}
export class FailedError extends SbxError {
  readonly result: Result;
}
export function findProgram(name?: string): string;
export function run(argv: string[], how?: RunOptions): Promise<Result>;
export function stream(argv: string[], how?: RunOptions): AsyncGenerator<Piece, void, void>;
export function approve(how?: { grant?: Grant; session?: boolean }): Decision;
export function deny(reason?: string): Decision;
export function abort(reason?: string): Decision;
/** A string of the operating system as documents have it; bytes that are no text as latin1. */
export function osText(value: unknown): string | null;
export function toDenial(raw: Record<string, unknown>): Denial;

export interface SessionOptions extends RunOptions {
  parent?: Session;
}

export class Session {
  private constructor();
  /** The session's path, for SBX_SESSION. */
  readonly path: string;
  static start(how?: SessionOptions): Promise<Session>;
  run(argv: string[], how?: RunOptions): Promise<Result>;
  stream(argv: string[], how?: RunOptions): AsyncGenerator<Piece, void, void>;
  close(): Promise<void>;
}
