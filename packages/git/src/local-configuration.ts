import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { BatonError, escapeLine } from '@baton/core';
import type { Place } from './git-arguments.ts';
import type { GitCall, LocalCommand } from './git-call.ts';
import { gitDirOf } from './git-dir.ts';
import { spawnGit } from './git-process.ts';
import type { Repository } from './places.ts';

/** What the settings in one place would make git run for us. */
export interface LocalConfiguration {
  /** Of the repository's own settings, not of the user's. */
  readonly commands: readonly LocalCommand[];
  /** Names of hooks in settings of anybody. */
  readonly hooks: readonly string[];
}

const RUN = [
  String.raw`filter\..*\.(clean|smudge|process)|merge\..*\.driver|core\.virtualfilesystem`,
  // The filter of git-lfs is most often the user's own, and runs these.
  String.raw`lfs\.extension\..*\.(clean|smudge)|lfs\.customtransfer\..*\.path`,
].join('|');
// A partial clone fetches what is missing whenever it is read, and these run then.
const PROMISED = String.raw`remote\..*\.(promisor|partialclonefilter)|extensions\.partialclone`;
const FETCHED = String.raw`remote\..*\.(uploadpack|vcs)|core\.(sshcommand|gitproxy|askpass|alternaterefscommand)|credential\..*helper`;
const HOOKS = String.raw`hook\..*\.(command|event)`;
/** Scopes of the user and of our own arguments; whatever else there is comes with the repository. */
const OWN_SCOPES: ReadonlySet<string | undefined> = new Set(['system', 'global', 'command']);
const MAX_KNOWN = 1000;

interface Known {
  readonly stamp: string;
  readonly configuration: LocalConfiguration;
}

const known = new Map<string, Known>();

/** Read by git in that very place: conditions and files of its own apply there. */
export async function localConfiguration(place: Place, call: GitCall): Promise<LocalConfiguration> {
  const files = filesOf(place);
  if (!files) return readConfiguration(place, call);
  const { key, stamp } = files;
  const found = known.get(key);
  if (found?.stamp === stamp) return found.configuration;
  const configuration = await readConfiguration(place, call);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, { stamp, configuration });
  return configuration;
}

export async function localCommands(
  repo: Repository,
  call: GitCall,
): Promise<readonly LocalCommand[]> {
  return (await localConfiguration(repo, call)).commands;
}

export async function requirePermission(
  commands: readonly LocalCommand[],
  { permit }: GitCall,
): Promise<void> {
  if (typeof permit === 'function') return permit(commands);
  const names = commands.map(({ name }) => escapeLine(name)).join(', ');
  throw new BatonError(
    'not_trusted',
    `Nobody has approved what the repository's settings would have run: ${names}.`,
    'Look at it and approve it with `baton trust grant .git/config`, then retry.',
  );
}

interface Files {
  /** All that have settings of the repository itself for this place. */
  readonly key: string;
  /** Changes with any of them. Taken before git reads them. */
  readonly stamp: string;
}

/** `undefined` if the settings can lead to files that are not known here. */
function filesOf(place: Place): Files | undefined {
  const isRepository = 'root' in place;
  const shared = path.join(isRepository ? place.gitDir : place.commonDir, 'config');
  const own = isRepository ? gitDirOf(place.root) : place.gitDir;
  try {
    const settings = stamped(shared);
    // Without the word git reads no other file, and all worktrees read the same.
    const isShared = !/worktreeconfig/i.test(settings);
    if (!isShared && own === undefined) return undefined;
    const more = isShared ? undefined : path.join(own ?? '', 'config.worktree');
    const stamp = settings + (more ? stamped(more) : '');
    // Wherever it stands: the name of a section has but one spelling, in any case of letters.
    return /include/i.test(stamp) ? undefined : { key: `${shared}\0${more ?? ''}`, stamp };
  } catch {
    return undefined;
  }
}

/** The text, and when it was written: what comes and goes meanwhile is noticed, too. */
function stamped(file: string): string {
  const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
  if (!stat) return '';
  return `${stat.ino}.${stat.mtimeNs}.${stat.ctimeNs}\n${readFileSync(file, 'latin1')}`;
}

async function readConfiguration(place: Place, call: GitCall): Promise<LocalConfiguration> {
  const wanted = `^(${RUN}|${PROMISED}|${FETCHED}|${HOOKS})$`;
  const args = ['config', '--show-scope', '-z', '--get-regexp', wanted];
  const { stdout } = await spawnGit(place, args, call, { accepts: [0, 1] });
  const settings = settingsIn(stdout);
  const local = settings.filter(({ scope }) => !OWN_SCOPES.has(scope));
  const isPartial = local.some(({ name }) => matches(PROMISED, name));
  const reported = isPartial ? `${RUN}|${FETCHED}` : RUN;
  const commands = local.filter(({ name }) => matches(reported, name));
  const hooks = settings.filter(({ name }) => matches(HOOKS, name));
  return {
    commands: commands.map(({ name, value }) => ({ name, value })).sort(byNameAndValue),
    hooks: [...new Set(hooks.map(({ name }) => name.slice('hook.'.length, name.lastIndexOf('.'))))],
  };
}

interface Setting extends LocalCommand {
  readonly scope: string | undefined;
}

/** The scope, then the name with the value in a line of its own. */
function settingsIn(output: string): readonly Setting[] {
  const fields = output.split('\0');
  const found: Setting[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name = '', ...value] = (fields[at + 1] ?? '').split('\n');
    found.push({ scope: fields[at], name, value: value.join('\n') });
  }
  return found;
}

function matches(pattern: string, name: string): boolean {
  return new RegExp(`^(${pattern})$`, 's').test(name);
}

function byNameAndValue(a: LocalCommand, b: LocalCommand): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  if (a.value === b.value) return 0;
  return a.value < b.value ? -1 : 1;
}
