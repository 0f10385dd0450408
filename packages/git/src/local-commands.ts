import type { GitCall } from './git-call.ts';
import type { Repository } from './places.ts';
import { runGit } from './run-git.ts';

export interface LocalCommand {
  /** Of the setting, such as filter.x.smudge. */
  readonly name: string;
  readonly value: string;
}

const RUN = String.raw`filter\..*\.(clean|smudge|process)|merge\..*\.driver`;
// A partial clone fetches what is missing whenever it is read, and these run then.
const PROMISED = String.raw`remote\..*\.promisor|extensions\.partialclone`;
const FETCHED = String.raw`remote\..*\.(uploadpack|vcs)|core\.(sshcommand|gitproxy|askpass)|credential\..*helper`;

/** What the repository's own settings, and not the user's, would make git run for us. */
export async function localCommands(
  repo: Repository,
  call: GitCall,
): Promise<readonly LocalCommand[]> {
  const wanted = `^(${RUN}|${PROMISED}|${FETCHED})$`;
  const args = ['config', '--show-scope', '-z', '--get-regexp', wanted];
  const { stdout } = await runGit(repo.root, args, call, { accepts: [0, 1] });
  const local = settingsIn(stdout);
  const isPartial = local.some(({ name }) => matches(PROMISED, name));
  const reported = isPartial ? `${RUN}|${FETCHED}` : RUN;
  return local.filter(({ name }) => matches(reported, name)).sort(byNameAndValue);
}

function settingsIn(output: string): LocalCommand[] {
  const fields = output.split('\0');
  const found: LocalCommand[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [name = '', ...value] = (fields[at + 1] ?? '').split('\n');
    if (fields[at] === 'local' || fields[at] === 'worktree') {
      found.push({ name, value: value.join('\n') });
    }
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
