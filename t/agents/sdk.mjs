// The official TypeScript SDK, version 1: what most agents are made with.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import Ajv2020 from "ajv/dist/2020.js";
import { spawn } from "node:child_process";
import { argv } from "node:process";
import { fails, finish, is, outside, pause, server, there, workspace } from "./claims.mjs";

async function connect(options, capabilities = {}, answer) {
  const client = new Client({ name: "test", version: "1" }, { capabilities });
  if (answer) client.setRequestHandler(ElicitRequestSchema, answer);
  const transport = new StdioClientTransport({ command: server, args: [...options, "--mcp"], cwd: workspace, stderr: "ignore" });
  await client.connect(transport);
  return { client, transport };
}
const run = (client, command, more = {}, ...rest) => client.callTool({ name: "run", arguments: { command, ...more } }, undefined, ...rest);

if (argv[2] === "asked") {
  let transport;
  const thinks = () => { console.log(transport.pid); return new Promise(() => {}); };
  const connected = await connect(["-s", "workspace-write", "-a", "on-request"], { elicitation: { form: {} } }, thinks);
  transport = connected.transport;
  await run(connected.client, `touch ${outside}/killed`, { additional_permissions: { write: [outside] } });
}
{
  const { client, transport } = await connect(["--auto"]);
  is("initialize", client.getServerVersion().name, "sbx");
  await client.ping();
  const { tools } = await client.listTools();
  is("list", tools.map((t) => t.name), ["run", "apply_patch", "check_path", "explain_policy", "start", "read", "write", "stop"]);
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
  for (const tool of tools)
    for (const schema of ["inputSchema", "outputSchema"])
      is(`${tool.name}: ${schema} is one`, [ajv.validateSchema(tool[schema]), typeof ajv.compile(tool[schema])], [true, "function"]);
  is("hints", tools.filter((t) => t.annotations.readOnlyHint).map((t) => t.name), ["check_path", "explain_policy", "read"]);

  // The client itself checks each result against the schema of its tool.
  const r = await run(client, "echo out; echo err >&2; exit 3");
  is("call", [r.structuredContent.exit_code, r.structuredContent.stdout, r.structuredContent.stderr], [3, "out\n", "err\n"]);
  is("each tool's result fits its schema", [
    (await client.callTool({ name: "apply_patch", arguments: { patch: "*** Begin Patch\n*** Add File: f\n+x\n*** End Patch\n" } })).structuredContent.outcome,
    (await client.callTool({ name: "check_path", arguments: { access: "write", paths: ["f", "/etc"] } })).structuredContent.allowed,
    (await client.callTool({ name: "explain_policy" })).structuredContent.mode,
    (await client.callTool({ name: "start", arguments: { command: "cat" } })).structuredContent.session,
    (await client.callTool({ name: "write", arguments: { session: "s1", text: "hi\n" } })).structuredContent.output,
    (await client.callTool({ name: "read", arguments: { session: "s1", wait: 0 } })).structuredContent.output,
    (await client.callTool({ name: "stop", arguments: { session: "s1" } })).structuredContent.running,
  ], ["exited", false, "workspace-write", "s1", "hi\n", "", false]);
  const d = (await run(client, `echo x >${outside}/denied`)).structuredContent;
  is("denials as data", [d.denied, d.suggestions[0].additional_permissions], [true, { write: [outside] }]);

  let streamed = "", steps = 0;
  await run(client, "for i in 1 2 3; do echo $i; sleep 0.2; done", {}, { onprogress: (p) => { streamed += p.message; steps++; } });
  is("streamed as progress", [streamed, steps > 1], ["1\n2\n3\n", true]);
  const logged = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, (n) => { logged.push(n.params.data.output); });
  await client.setLoggingLevel("info");
  await run(client, "echo logged");
  is("streamed as a log", logged.join(""), "logged\n");

  const abort = new AbortController();
  const cancelled = run(client, `sleep 1; touch ${workspace}/cancelled`, {}, { signal: abort.signal });
  await pause(400);
  abort.abort("enough");
  await fails("cancel", cancelled, /enough/);
  await pause(1500);
  is("... and it does not go on", (await run(client, "test -e cancelled")).structuredContent.exit_code, 1);
  await fails("bad input: a tool that is none", client.callTool({ name: "none" }), /-32602/);
  is("bad input: arguments", [(await run(client, 7)).isError, (await run(client, "true", { more: 1 })).isError], [true, true]);
  await fails("bad input: a method that is none", client.listResources(), /-32601|does not support/);

  const began = Date.now();
  const all = await Promise.all(Array.from({ length: 50 }, (_, i) => run(client, `sleep 0.5; echo ${i}`, {}, { timeout: 120000 })));
  is("50 calls at once", all.map((r) => r.structuredContent.stdout), Array.from({ length: 50 }, (_, i) => `${i}\n`));
  console.log(`# 50 calls at once took ${Date.now() - began} ms`);

  run(client, `trap "" TERM; sleep 3; touch ${workspace}/survived`).catch(() => {});
  await pause(500);
  process.kill(transport.pid, 0);
  await client.close();
  await pause(3500);
  const { client: other } = await connect(["--auto"]);
  is("a client that goes away: nothing goes on", (await run(other, "test -e survived")).structuredContent.exit_code, 1);
  await other.close();
}

let asked = [];
const answers = (result) => async (request) => { asked.push(request.params); return result; };
const more = { additional_permissions: { write: [outside] } };
const forms = { elicitation: { form: {} } };
for (const [what, result, wanted] of [
  ["yes", { action: "accept", content: { answer: "allow once" } }, true],
  ["no", { action: "accept", content: { answer: "deny" } }, false],
  ["decline", { action: "decline" }, false],
  ["cancel", { action: "cancel" }, false],
  ["accept without content", { action: "accept" }, false],
  ["accept with nothing", { action: "accept", content: {} }, false],
  ["accept with another word", { action: "accept", content: { answer: "yes" } }, false],
  ["accept with a truth", { action: "accept", content: { answer: true } }, false],
  ["another action", { action: "approve", content: { answer: "allow once" } }, false],
  ["an empty answer", {}, false],
]) {
  asked = [];
  const { client } = await connect(["-s", "workspace-write", "-a", "on-request"], forms, answers(result));
  const r = await run(client, `touch ${outside}/${what}`, more);
  is(`elicitation, ${what}`, [r.structuredContent.outcome, there(what), asked.length], [wanted ? "exited" : "not-approved", wanted, 1]);
  await client.close();
}
for (const [what, capabilities] of [["no elicitation", {}], ["addresses only", { elicitation: { url: {} } }]]) {
  asked = [];
  const { client } = await connect(["-s", "workspace-write", "-a", "on-request"], capabilities, what === "no elicitation" ? undefined : answers({ action: "accept" }));
  const r = await run(client, `touch ${outside}/incapable`, more);
  is(`a client that has ${what} is not asked, and that is no yes`, [r.structuredContent.outcome, there("incapable"), asked.length, /--approver CMD beside --mcp/.test(r.content[0].text)],
    ["not-approved", false, 0, true]);
  await client.close();
}
{
  // One that is killed while its person thinks; this file, once more.
  const child = spawn(process.execPath, [argv[1], "asked"], { stdio: ["ignore", "pipe", "inherit"] });
  const pid = Number(await new Promise((resolve) => child.stdout.once("data", resolve)));
  process.kill(pid, 0);
  child.kill("SIGKILL");
  const gone = () => { try { process.kill(pid, 0); return false; } catch { return true; } };
  for (let i = 0; i < 200 && !gone(); i++) await pause(50);
  is("a client that is killed while it is asked: no yes, and no server", [gone(), there("killed")], [true, false]);
}
{
  const { client } = await connect(["-s", "workspace-write", "-a", "on-request"], forms, () => new Promise(() => {}));
  await fails("silence is no yes", run(client, `touch ${outside}/silent`, more, { timeout: 1500 }), /timed out/i);
  await pause(300);
  await client.close();
  await pause(500);
  is("... also after the end", there("silent"), false);
}
finish();
