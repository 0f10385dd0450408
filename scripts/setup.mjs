// Everything that a fresh clone needs before its first command. Uses nothing but Node itself.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const inRoot = (...parts) => path.join(root, ...parts);

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function npm(...args) {
  // `npm start` tells where npm is; calling it through node needs no shell on Windows.
  const cli = process.env.npm_execpath;
  const [command, first] = cli ? [process.execPath, [cli]] : ['npm', []];
  // stdout may belong to a protocol (`npm run server`): what npm says goes to stderr.
  const { status, error } = spawnSync(command, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (error) fail(`npm could not be started: ${error.message}`);
  if (status !== 0) fail(`npm ${args.join(' ')} failed. Its message is above.`);
}

function modified(file) {
  return existsSync(file) ? statSync(file).mtimeMs : 0;
}

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`Baton is developed with Node.js 20.19 or newer; this is ${process.version}.`);
}
if (modified(inRoot('node_modules/.package-lock.json')) < modified(inRoot('package-lock.json'))) {
  process.stderr.write('Installing dependencies…\n');
  // Not `npm ci`: it refuses a lock file that was written where some platforms' optional binaries
  // cannot be had. The lock file's versions are taken all the same, and it is left as it is.
  npm('install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error');
}
await import('./build.mjs');
// npm links a program only if its file exists, and on a fresh clone it was not built yet.
if (!existsSync(inRoot('node_modules/.bin/baton')))
  npm('rebuild', '@baton/cli', '--loglevel=error');
