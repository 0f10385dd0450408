// Follows the README as a new user would: `npm start`, a call as it is printed, Ctrl-C.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const server = spawn('npm', ['start', '--', '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
  // A terminal sends Ctrl-C to the whole group.
  detached: true,
});
let said = '';
const ended = new Promise((resolve) => server.on('close', (code) => resolve(code)));
const ready = new Promise((resolve) => {
  server.stdout.on('data', (chunk) => {
    said += chunk;
    process.stdout.write(chunk);
    if (said.includes('Ctrl-C')) resolve();
  });
});
await Promise.race([ready, ended]);
const command = /^ {2}(curl .+)$/m.exec(said)?.[1] ?? 'false';
process.stdout.write(`\n$ ${command}\n`);
const { stdout } = spawnSync('sh', ['-c', `${command} --silent`], { encoding: 'utf8' });
process.stdout.write(`${stdout}\n`);
process.kill(-server.pid, 'SIGINT');
await ended;
const { path } = JSON.parse(stdout).result.structuredContent.workspace;
if (!path.endsWith('examples/acme')) throw new Error(`${path} is served`);
const token = /token {2}in ([^,]+),/.exec(said)?.[1] ?? '/';
if (existsSync(token)) throw new Error(`${token} was left behind`);
