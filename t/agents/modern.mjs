// The official TypeScript client, version 2: requests without a handshake.
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { finish, is, outside, server, there, workspace } from "./claims.mjs";

async function connect(options, mode, capabilities = {}, handlers = {}) {
  const client = new Client({ name: "test", version: "2" }, { capabilities, versionNegotiation: { mode } });
  for (const [method, handler] of Object.entries(handlers)) client.setRequestHandler(method, handler);
  await client.connect(new StdioClientTransport({ command: server, args: [...options, "--mcp"], cwd: workspace, stderr: "ignore" }));
  return client;
}
const run = async (client, command, more = {}, ...rest) =>
  (await client.callTool({ name: "run", arguments: { command, ...more } }, ...rest)).structuredContent;

for (const mode of ["auto", { pin: "2026-07-28" }, "legacy"]) {
  const client = await connect(["--auto"], mode);
  const { tools } = await client.listTools();
  const d = await run(client, "echo hi");
  is(`${JSON.stringify(mode)}: discovered, listed, called`, [tools.length, d.stdout], [8, "hi\n"]);
  is(`${JSON.stringify(mode)}: spoken`, client.getNegotiatedProtocolVersion?.(), mode === "legacy" ? "2025-11-25" : "2026-07-28");
  let streamed = "";
  await run(client, "for i in 1 2; do echo $i; sleep 0.2; done", {}, { onprogress: (p) => { streamed += p.message; } });
  is(`${JSON.stringify(mode)}: streamed`, streamed, "1\n2\n");
  const all = await Promise.all(Array.from({ length: 10 }, (_, i) => run(client, `echo ${i}`)));
  is(`${JSON.stringify(mode)}: ten at once`, all.map((d) => d.stdout.trim()).join(""), "0123456789");
  await client.close();
}

const more = { additional_permissions: { write: [outside] } };
for (const [what, result, wanted] of [
  ["yes-2", { action: "accept", content: { answer: "allow once" } }, true],
  ["no-2", { action: "accept", content: { answer: "deny" } }, false],
  ["decline-2", { action: "decline" }, false],
  ["cancel-2", { action: "cancel" }, false],
]) {
  let asked = 0;
  const client = await connect(["-s", "workspace-write", "-a", "on-request"], "auto", { elicitation: { form: {} } },
    { "elicitation/create": async () => { asked++; return result; } });
  const d = await run(client, `touch ${outside}/${what}`, more).catch((error) => ({ outcome: String(error) }));
  is(`asked in the answer, ${what}`, [d.outcome, there(what), asked], [wanted ? "exited" : "not-approved", wanted, 1]);
  await client.close();
}
{
  const client = await connect(["--auto"], "auto", { roots: {} },
    { "roots/list": async () => ({ roots: [{ uri: `file://${workspace}/part` }] }) });
  const d = await run(client, "touch ../whole 2>/dev/null; touch own && pwd");
  is("roots narrow the workspace", d.stdout, `${workspace}/part\n`);
  is("... to just that", (await run(client, "test -e ../whole")).exit_code, 1);
  await client.close();
}
finish();
