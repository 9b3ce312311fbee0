// What every client here shares: claims as TAP, and where the server is.
import { existsSync } from "node:fs";

export const server = process.env.SBX + "/sbx-run";
export const workspace = process.env.WS;
export const outside = process.env.OUTSIDE;
let count = 0, failed = 0;

export function is(what, got, wanted) {
  const [a, b] = [JSON.stringify(got), JSON.stringify(wanted)];
  console.log(`${a === b ? "ok" : "not ok"} ${++count} - ${what}`);
  if (a === b) return;
  failed++;
  console.log(`# got:    ${a}\n# wanted: ${b}`);
}

export async function fails(what, promise, like) {
  const why = await promise.then(() => "it worked", (error) => String(error.message));
  is(what, like.test(why) ? "as it should" : why, "as it should");
}

export const there = (name) => existsSync(`${outside}/${name}`);
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export function finish() {
  console.log(`1..${count}`);
  process.exit(failed ? 1 : 0);
}
