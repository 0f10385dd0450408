// Packages the extension, one .vsix for each platform: `npm run package:vscode [-- <target>…]`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { stageExtension, targets } from './stage-vscode.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = path.join(root, 'node_modules/.cache/baton/vsce');
const VERSION = '3.9.2';

/** Not among the dependencies of the project: 285 packages, and only packaging needs them. */
function installVsce() {
  const folder = path.join(cache, 'node_modules/@vscode/vsce');
  const manifest = path.join(folder, 'package.json');
  const isThere = () =>
    existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === VERSION;
  if (!isThere()) {
    mkdirSync(cache, { recursive: true });
    const args = ['install', '--prefix', cache, '--no-save', '--ignore-scripts', '--no-fund'];
    spawnSync('npm', [...args, `@vscode/vsce@${VERSION}`], { stdio: ['ignore', 2, 2] });
    if (!isThere()) throw new Error(`@vscode/vsce could not be installed in ${cache}`);
  }
  return path.join(folder, 'vsce');
}

/**
 * The .vsix of a folder that `stageExtension` has made. What vsce warns of is an error.
 * @param {string} folder
 * @param {keyof typeof targets} target
 * @param {string} outfile
 */
export function packageExtension(folder, target, outfile) {
  mkdirSync(path.dirname(outfile), { recursive: true });
  const args = ['package', '--target', target, '--out', outfile];
  // The project has no public address yet that links could lead to.
  const options = ['--allow-missing-repository', '--no-rewrite-relative-links'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [installVsce(), ...args, ...options],
    { cwd: folder, encoding: 'utf8' },
  );
  if (status !== 0 || /warning/i.test(stdout + stderr)) {
    throw new Error(`vsce package for ${target} said:\n${stdout}${stderr}`);
  }
}

async function main() {
  const asked = process.argv.slice(2);
  const unknown = asked.find((target) => !Object.hasOwn(targets, target));
  if (unknown) {
    process.stderr.write(`No target ${unknown}. There is ${Object.keys(targets).join(', ')}.\n`);
    process.exit(2);
  }
  const { version } = JSON.parse(readFileSync(path.join(root, 'apps/vscode/package.json'), 'utf8'));
  for (const target of asked.length > 0 ? asked : Object.keys(targets)) {
    const staged = path.join(root, 'apps/vscode/dist', target);
    const outfile = path.join(root, 'apps/vscode/dist', `baton-${target}-${version}.vsix`);
    await stageExtension(staged, { target });
    packageExtension(staged, target, outfile);
    rmSync(staged, { recursive: true });
    const kib = Math.round(statSync(outfile).size / 1024);
    process.stderr.write(`${path.relative(root, outfile)} ${kib} KiB\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
