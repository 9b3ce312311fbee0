#!/usr/bin/env node
// sbx-run of this package, for npx and scripts of package.json.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { findProgram } from './index.mjs';

const child = spawn(findProgram(), process.argv.slice(2), { stdio: 'inherit' });
// What a keyboard sends goes to both; what is sent to this one alone is meant for that one.
for (const name of ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT']) {
  process.on(name, () => name === 'SIGTERM' || name === 'SIGHUP' ? child.kill(name) : undefined);
}
child.on('error', (error) => {
  console.error(`sbx-run: ${error.message}`);
  process.exitCode = 125;
});
child.on('exit', (code, signal) => {
  process.exitCode = signal ? 128 + constants.signals[signal] : code;
});
