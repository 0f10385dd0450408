// Unpacks the newest git that Debian has, beside its own loader and libraries, as the machine's libc
// may be too old for it. Nothing of the system is changed.
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const SUITE = 'unstable';
const LIBRARIES = /^(?:libc6|libpcre2-8-\w+|zlib1g\w*)$/;
const cache = fileURLToPath(new URL('../node_modules/.cache/baton/git-current', import.meta.url));

/** The folder that has to come first on the PATH. */
export function currentGit() {
  const apt = createApt();
  const version = /Candidate: (\S+)/.exec(apt('apt-cache', ['policy', 'git']))?.[1];
  if (!version) throw new Error(`There is no git in Debian's ${SUITE}.`);
  const home = path.join(cache, version.replaceAll(/[^\w.+~-]/g, '-'));
  const bin = path.join(home, 'bin');
  if (!isWorking(path.join(bin, 'git'))) {
    rmSync(home, { recursive: true, force: true });
    unpack(apt, home);
  }
  return bin;
}

/** It has its own place written into it: one that was copied or moved does not start. */
function isWorking(git) {
  try {
    execFileSync(git, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Apt with sources, lists and downloads of its own. */
function createApt() {
  mkdirSync(path.join(cache, 'lists', 'partial'), { recursive: true });
  mkdirSync(path.join(cache, 'archives', 'partial'), { recursive: true });
  const sources = path.join(cache, 'current.sources');
  const status = path.join(cache, 'status');
  writeFileSync(sources, currentSource());
  writeFileSync(status, '');
  const options = [
    `Dir::Etc::SourceList=${sources}`,
    'Dir::Etc::SourceParts=-',
    `Dir::State=${cache}`,
    `Dir::State::Status=${status}`,
    `Dir::Cache=${cache}`,
    'Acquire::Languages=none',
    'Acquire::Retries=3',
    'APT::Sandbox::User=root',
  ].flatMap((option) => ['-o', option]);
  const apt = (program, args, cwd) => run(program, [...options, ...args], cwd);
  apt('apt-get', ['update', '-q', '--error-on=any']);
  return apt;
}

/** The mirror that this machine uses, with another suite. */
function currentSource() {
  const release = readFileSync('/etc/os-release', 'utf8');
  if (!/^ID=debian$/m.test(release)) throw new Error('A current git is unpacked on Debian only.');
  const codename = /^VERSION_CODENAME=(\S+)$/m.exec(release)?.[1];
  const format = ['--format', '$(RELEASE)\t$(REPO_URI)'];
  const lines = run('apt-get', ['indextargets', ...format, 'Created-By: Packages']).split('\n');
  const mirror = lines.map((line) => line.split('\t')).find(([suite]) => suite === codename);
  if (!mirror) throw new Error(`This machine has no source of packages for ${codename}.`);
  return `Types: deb\nURIs: ${mirror[1]}\nSuites: ${SUITE}\nComponents: main\n`;
}

function unpack(apt, home) {
  const needs = [...apt('apt-cache', ['depends', 'git']).matchAll(/Depends: (\S+)/g)];
  const libraries = needs.map(([, name]) => name).filter((name) => LIBRARIES.test(name));
  const scratch = mkdtempSync(path.join(cache, 'unpacking-'));
  const downloads = path.join(scratch, 'downloads');
  mkdirSync(downloads);
  apt('apt-get', ['download', '-q', 'git', ...libraries], downloads);
  for (const file of readdirSync(downloads)) {
    run('dpkg-deb', ['-x', path.join(downloads, file), path.join(scratch, 'root')]);
  }
  rmSync(downloads, { recursive: true });
  wrap(scratch, home);
  // At once: what is there is whole.
  renameSync(scratch, home);
}

/** Whoever starts git, git itself too, starts it with its own loader. */
function wrap(scratch, home) {
  const unpacked = readdirSync(path.join(scratch, 'root'), { recursive: true });
  const loader = unpacked.find((file) => /\/lib\/[^/]+\/ld-linux[^/]*\.so\.\d$/.test(file));
  if (!loader) throw new Error('The loader is not where it was expected.');
  const core = path.join('root', 'usr', 'lib', 'git-core');
  const program = path.join(core, 'git');
  renameSync(path.join(scratch, program), path.join(scratch, `${program}.program`));
  const at = (...parts) => `'${path.join(home, ...parts)}'`;
  const script = [
    '#!/bin/sh',
    `export GIT_EXEC_PATH=${at(core)} GIT_TEMPLATE_DIR=${at('root', 'usr', 'share', 'git-core', 'templates')}`,
    `exec ${at('root', loader)} --library-path ${at('root', path.dirname(loader))} --argv0 "$0" ${at(`${program}.program`)} "$@"`,
    '',
  ].join('\n');
  const bin = path.join(scratch, 'bin');
  mkdirSync(bin);
  for (const file of [path.join(scratch, program), path.join(bin, 'git')]) {
    writeFileSync(file, script, { mode: 0o755 });
  }
}

function run(program, args, cwd) {
  return execFileSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
