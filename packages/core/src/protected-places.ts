import { BatonError } from './errors.ts';
import { escapeLine, truncate } from './text.ts';

/** Files and folders that no tool writes, moves or removes, because they decide what runs or what agents may do. */
interface ProtectedPlaces {
  /** Public and stable: errors name it. */
  readonly rule: string;
  readonly why: string;
  /** Of files and folders, at any depth; a folder counts with everything in it. */
  readonly names?: readonly string[];
  /** Two names, the second one as far as it is written here: `.github/copilot` also means `.github/copilot-setup.yml`. */
  readonly pairs?: readonly string[];
  readonly endings?: readonly string[];
  /** Whether it may move together with a folder around it: it says the same there. */
  readonly movesWithFolder?: boolean;
}

/** In lower case. What a person looks at anyway before it runs (CI, package.json) is not among them. */
const PLACES: readonly ProtectedPlaces[] = [
  {
    rule: 'git-internals',
    why: 'it decides what version control runs and where it looks',
    names: ['.git', '.gitattributes', '.gitconfig', '.gitmodules', '.hg', '.hgrc', '.jj'],
  },
  {
    rule: 'git-hooks',
    why: 'git and its helpers run what is there',
    names: [
      ...['.githooks', '.git-hooks', '.husky', '.lefthook', '.lefthook-local', '.overcommit.yml'],
      ...['.pre-commit-config.yaml', '.pre-commit-config.yml', '.pre-commit-hooks.yaml'],
      ...withEndings(['.lefthook', '.lefthook-local', 'lefthook', 'lefthook-local']),
      ...['.simple-git-hooks.cjs', '.simple-git-hooks.js', '.simple-git-hooks.json'],
      ...['simple-git-hooks.cjs', 'simple-git-hooks.js', 'simple-git-hooks.json'],
    ],
  },
  {
    rule: 'editor-settings',
    why: 'editors run or obey what is there as soon as the folder is opened',
    names: [
      ...['.devcontainer', '.devcontainer.json', '.dir-locals.el', '.exrc', '.fleet', '.idea'],
      ...['.nvim.lua', '.nvimrc', '.vimrc', '.vs', '.vscode', '.zed'],
    ],
    pairs: [
      ...['.config/code', '.config/nvim', '.config/zed', 'application support/code'],
      'roaming/code',
    ],
    endings: ['.code-workspace', '.sublime-project'],
  },
  {
    rule: 'agent-settings',
    why: 'it decides what agents may do, and which servers, commands and hooks they get',
    names: [
      ...['.agent', '.agents', '.aiassistant', '.aider.conf.yaml', '.aider.conf.yml', '.amazonq'],
      ...['.amp', '.antigravity', '.augment'],
      ...['.claude', '.claude-plugin', '.claude.json', '.cline', '.clinerules', '.codex'],
      ...['.continue', '.continuerc.json', '.copilot', '.crush', '.crush.json', '.cursor'],
      ...['.factory', '.gemini', '.goose', '.junie', '.kilocode', '.kilocodemodes', '.kiro'],
      ...['.mcp.json', '.openhands', '.opencode', '.qwen', '.roo', '.roomodes', '.trae'],
      ...['.windsurf', 'crush.json', 'opencode.json', 'opencode.jsonc'],
    ],
    pairs: [
      ...['.config/goose', '.config/opencode', '.github/agents', '.github/chatmodes'],
      ...['.github/copilot', '.github/hooks', '.github/instructions', '.github/prompts'],
      '.github/skills',
    ],
  },
  {
    rule: 'agent-instructions',
    why: 'agents follow what is written there',
    names: [
      ...['.augment-guidelines', '.cursorrules', '.goosehints', '.roorules', '.rules'],
      ...['.windsurfrules', 'agent.md', 'agents.md', 'agents.override.md', 'warp.md'],
      ...['claude.local.md', 'claude.md', 'gemini.md', 'qwen.md'],
    ],
    movesWithFolder: true,
  },
  {
    rule: 'baton-settings',
    why: 'it decides what Baton itself runs and tells agents',
    names: ['.baton'],
    pairs: ['.config/baton'],
  },
  {
    rule: 'startup-files',
    why: 'shells, interpreters and package managers load it before they do anything else',
    names: [
      ...['.bash_login', '.bash_logout', '.bash_profile', '.bashrc', '.envrc', '.gnupg', '.mise'],
      ...['.mise.toml', '.netrc', '.npmrc', '.pnpmfile.cjs', '.profile', '.pypirc', '.ssh'],
      ...['.yarnrc', '.yarnrc.yml', '.zlogin', '.zlogout', '.zprofile', '.zshenv', '.zshrc'],
      ...['.bunfig.toml', '.gdbinit', '.lldbinit', '.pnp.cjs', '.pnp.loader.mjs', '.rprofile'],
      ...['bunfig.toml', 'mise.toml', 'sitecustomize.py', 'usercustomize.py'],
    ],
    pairs: [
      ...['.cargo/config', '.config/autostart', '.config/fish', '.config/git', '.config/mise'],
      ...['.config/systemd', '.yarn/plugins', '.yarn/releases', 'library/launchagents'],
    ],
  },
];

export interface ProtectedPlace {
  readonly rule: string;
  readonly why: string;
  readonly movesWithFolder?: boolean;
}

const BY_NAME = new Map(
  PLACES.flatMap((place) => (place.names ?? []).map((name) => [name, place] as const)),
);
const PAIRS = PLACES.flatMap((place) =>
  (place.pairs ?? []).map((pair) => ({ place, parts: pair.split('/') as [string, string] })),
);
const ENDINGS = PLACES.flatMap((place) =>
  (place.endings ?? []).map((ending) => ({ place, ending })),
);

/** What protects a path, be its parts divided by slashes or backslashes; links must be resolved. */
export function protectedPlace(path: string): ProtectedPlace | undefined {
  let parent = '';
  for (const part of path.split(/[\\/]/).map(spelledPlainly)) {
    const found = placeOfName(part) ?? placeOfPair(parent, part);
    if (found) return found;
    parent = part;
  }
  return undefined;
}

/** One error for all who write. */
export function protectedPlaceError(path: string, { rule, why }: ProtectedPlace): BatonError {
  return new BatonError(
    'protected_place',
    `${escapeLine(truncate(path, 200))} must not be changed by an agent: ${why} (rule ${rule}). Nothing was changed.`,
    'A person can do it by hand. Single settings of VS Code: setting_set.',
  );
}

/** Throws for what is protected. */
export function requireUnprotected(path: string): void {
  const place = protectedPlace(path);
  if (place) throw protectedPlaceError(path, place);
}

function placeOfName(part: string): ProtectedPlaces | undefined {
  const exact = BY_NAME.get(part) ?? ENDINGS.find(({ ending }) => part.endsWith(ending))?.place;
  if (exact || !part.includes('~')) return exact;
  return [...BY_NAME].find(([name]) => isShortFor(part, name))?.[1];
}

function placeOfPair(parent: string, part: string): ProtectedPlaces | undefined {
  return PAIRS.find(({ parts: [first, second] }) => {
    if (parent !== first && !isShortFor(parent, first)) return false;
    return part.startsWith(second) || isShortFor(part.replace(/\.[^.]*$/, ''), second);
  })?.place;
}

/**
 * A name as the least particular file system sees it: Windows drops blanks and points at its end
 * and reads a stream behind a colon, macOS drops what cannot be seen, and neither tells case apart.
 */
function spelledPlainly(name: string): string {
  if (/^[\w.-]*[\w-]$/.test(name)) return name.toLowerCase();
  return name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}|\p{Cf}/gu, '')
    .replace(/:.*$/su, '')
    .replace(/[. ]+$/u, '')
    .toUpperCase()
    .toLowerCase();
}

/** The other name that Windows gives a file: `GIT~1`, or `GI3A4F~1` if there are several alike. */
function isShortFor(part: string, name: string): boolean {
  const [, start = '', ending = ''] = /^([^.~]{1,6})~\d{1,6}(?:\.([^.]{0,3}))?$/.exec(part) ?? [];
  if (start === '') return false;
  const [, stem = '', extension = ''] = /^\.*(.*?)(?:\.([^.]*))?$/.exec(name) ?? [];
  const plain = stem.replaceAll('.', '');
  const isHashed = /^..[\da-f]{4}$/.test(start) && start.slice(0, 2) === plain.slice(0, 2);
  return (start === plain.slice(0, 6) || isHashed) && ending === extension.slice(0, 3);
}

function withEndings(stems: readonly string[]): string[] {
  return stems.flatMap((stem) => ['json', 'toml', 'yaml', 'yml'].map((end) => `${stem}.${end}`));
}
