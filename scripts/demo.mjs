// A short guided tour: starts the real server on the example workspace and talks to it.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = path.join(root, 'apps', 'cli', 'dist', 'baton.mjs');
const acme = path.join(root, 'examples', 'acme');
const say = (text = '') => process.stdout.write(`${text}\n`);

const server = spawn(process.execPath, [program, 'stdio'], {
  cwd: acme,
  stdio: ['pipe', 'pipe', 'pipe'],
});
let log = '';
server.stderr.on('data', (chunk) => {
  log += chunk;
});
const replies = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
const exited = new Promise((resolve) => server.on('close', resolve));

async function ask(id, method, params) {
  const request = JSON.stringify({ jsonrpc: '2.0', id, method, params });
  say(`→ ${request}`);
  server.stdin.write(`${request}\n`);
  const { value, done } = await replies.next();
  if (done) throw new Error(`the server ended without an answer:\n${log}`);
  const reply = JSON.parse(value);
  if (reply.error) throw new Error(value);
  return reply.result;
}

say('Baton serves examples/acme over stdio, the way an MCP client starts it:\n');
const hello = await ask(1, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'demo', version: '1' },
});
say(`← ${hello.serverInfo.title} ${hello.serverInfo.version}, protocol ${hello.protocolVersion}\n`);
const { tools } = await ask(2, 'tools/list', {});
for (const tool of tools) say(`← ${tool.name}: ${tool.description}`);
say();
const status = await ask(3, 'tools/call', { name: 'status', arguments: {} });
say(`← ${status.content[0].text.replaceAll('\n', '\n  ')}\n`);
server.stdin.end();
const code = await exited;
if (code !== 0) throw new Error(`the server exited with ${code}:\n${log}`);

say(`The input ended and the server exited with 0. What to do next:

  Claude Code   claude mcp add baton -- node ${program} stdio
  Codex         codex mcp add baton -- node ${program} stdio
  VS Code       put this into .vscode/mcp.json of your project:
                ${JSON.stringify({ servers: { baton: { type: 'stdio', command: 'node', args: [program, 'stdio'] } } })}
  this shell    npx baton status
                npx baton --help
                npx baton doctor

README.md has the same with more detail.`);
