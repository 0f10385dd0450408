import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Hooks that git runs where Baton works. */
const EVENTS = [
  'applypatch-msg',
  'commit-msg',
  'fsmonitor-watchman',
  'post-checkout',
  'post-commit',
  'post-index-change',
  'post-merge',
  'post-rewrite',
  'pre-auto-gc',
  'pre-commit',
  'pre-merge-commit',
  'prepare-commit-msg',
  'reference-transaction',
  'update',
];

/** Settings with which git never runs anything for Baton, whoever approves what. */
const SETTINGS = `
[core]
  hooksPath = TRAP
  fsmonitor = TRAP
  pager = TRAP
  editor = TRAP
  sshCommand = TRAP
  askPass = TRAP
  gitProxy = TRAP
  alternateRefsCommand = TRAP
  attributesFile = ATTRIBUTES
[sequence] editor = TRAP
[diff]
  external = TRAP
  tool = trap
  submodule = log
[diff "trap"]
  command = TRAP
  textconv = TRAP
[difftool "trap"] cmd = TRAP
[mergetool "trap"] cmd = TRAP
[interactive] diffFilter = TRAP
[gpg] program = TRAP
[gpg "ssh"]
  program = TRAP
  defaultKeyCommand = TRAP
[gpg "x509"] program = TRAP
[commit] gpgSign = true
[tag] gpgSign = true
[push] gpgSign = true
[log] showSignature = true
[merge]
  verifySignatures = true
  tool = trap
[credential] helper = TRAP
[protocol "ext"] allow = always
[remote "origin"]
  url = ext::TRAP
  uploadpack = TRAP
  receivepack = TRAP
[uploadpack] packObjectsHook = TRAP
[gc]
  auto = 1
  recentObjectsHook = TRAP
[maintenance] auto = true
[submodule] recurse = true
[submodule "sub"]
  update = !TRAP
  active = true
[status] submoduleSummary = true
[trailer "trap"]
  key = Trap
  ifmissing = add
  command = TRAP
[trailer "newer"]
  key = Newer
  ifmissing = add
  cmd = TRAP
[branch "main"] mergeOptions = --edit --gpg-sign --stat
[pager]
  config = TRAP
  diff = TRAP
  status = TRAP
[alias]
  reset = !TRAP
  add = !TRAP
  update-ref = !TRAP
[tar "trap"] command = TRAP
[sendemail] sendmailCmd = TRAP
[browser "trap"] cmd = TRAP
[man "trap"] cmd = TRAP
`;

/** What a git that reads hooks from settings finds, with names that try to get around a switch. */
const HOOKS = [
  ...['trap', 'a = b', 'Case.Dot', 'sp ace'].map((name) => {
    const events = EVENTS.map((event) => `  event = ${event}\n`).join('');
    return `[hook "${name}"]\n  command = TRAP\n  enabled = true\n${events}`;
  }),
  ...EVENTS.map((event) => `[hook "${event}"]\n  parallel = true\n  enabled = true\n`),
].join('');

export interface GitTraps {
  /** Which of them have run: the setting, or the hook. */
  tripped(): readonly string[];
}

/**
 * Puts everything into a repository with which git runs a program without anybody's approval. Each
 * leaves its name in a file; filters and merge drivers, which can be approved, are not among them.
 */
export function layGitTraps(gitDir: string, folder: string): GitTraps {
  mkdirSync(folder, { recursive: true });
  const canary = path.join(folder, 'canary');
  const trap = (name: string, file = path.join(folder, name)) => {
    // Nobody waits for what it reads, and what asks for an answer gets none.
    writeFileSync(file, `#!/bin/sh\necho '${name}' >> '${canary}'\n`, { mode: 0o755 });
    return file;
  };
  const hooks = path.join(gitDir, 'hooks');
  const others = path.join(folder, 'hooks');
  mkdirSync(hooks, { recursive: true });
  mkdirSync(others, { recursive: true });
  for (const event of EVENTS) {
    trap(`hooks-${event}`, path.join(hooks, event));
    trap(`hooksPath-${event}`, path.join(others, event));
  }
  const attributes = path.join(folder, 'attributes');
  writeFileSync(attributes, '* diff=trap\n');
  writeFileSync(path.join(gitDir, 'info', 'attributes'), '* diff=trap\n');
  let section = '';
  const lines = `${SETTINGS}${HOOKS}`.split('\n').map((line, at) => {
    section = /^\[(\w+)/.exec(line)?.[1] ?? section;
    const key = /(\w+) = /.exec(line)?.[1];
    return line
      .replace('hooksPath = TRAP', `hooksPath = ${others}`)
      .replace('ATTRIBUTES', attributes)
      .replace('TRAP', () => trap(`${section}.${key}-${at}`));
  });
  appendFileSync(path.join(gitDir, 'config'), lines.join('\n'));
  return {
    tripped: () => (existsSync(canary) ? readFileSync(canary, 'utf8').trim().split('\n') : []),
  };
}
