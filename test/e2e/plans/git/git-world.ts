import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { PlanServer, Result } from '../plan-server.ts';
import { PlanWorld, type StartOptions } from '../plan-world.ts';
import { until } from '../until.ts';

const IDENTITY =
  '[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n';

/** A workspace that is a git repository, with one commit on `main`. */
export class GitWorld extends PlanWorld {
  constructor(...options: ConstructorParameters<typeof PlanWorld>) {
    super(...options);
    writeFileSync(path.join(this.folder, '.gitconfig'), IDENTITY);
    this.makeRepository(this.workspace, { 'shared.txt': lines(1, 9), 'README.md': '# Acme\n' });
  }

  makeRepository(folder: string, files: Readonly<Record<string, string>>): void {
    mkdirSync(folder, { recursive: true });
    this.gitIn(folder, 'init', '-q');
    for (const [name, content] of Object.entries(files)) writeAt(folder, name, content);
    this.gitIn(folder, 'add', '-A');
    this.gitIn(folder, 'commit', '-q', '-m', 'first');
  }

  git(...args: string[]): string {
    return this.gitIn(this.workspace, ...args);
  }

  gitIn(folder: string, ...args: string[]): string {
    return this.#run(folder, args);
  }

  /** With something on its input. */
  gitWith(input: string, ...args: string[]): string {
    return this.#run(this.workspace, args, input);
  }

  /** Whether it succeeded. */
  tryGit(...args: string[]): boolean {
    try {
      this.git(...args);
      return true;
    } catch {
      return false;
    }
  }

  #run(cwd: string, args: readonly string[], input = ''): string {
    const env = { PATH: process.env.PATH, HOME: this.folder, LC_ALL: 'C' };
    const options = { cwd, env, input, encoding: 'utf8', stdio: 'pipe' } as const;
    return execFileSync('git', args, options).trimEnd();
  }

  /** What a user does beside the plan, in the workspace's own checkout. */
  commit(name: string, content: string): string {
    this.write(name, content);
    this.git('add', '-A', '--', name);
    this.git('commit', '-q', '-m', `change ${name}`);
    return this.git('rev-parse', 'HEAD');
  }

  /** The content of a file on a branch. */
  show(branch: string, name: string): string {
    return this.git('show', `${branch}:${name}`);
  }

  files(branch: string): string[] {
    return this.git('ls-tree', '-r', '--name-only', '-z', branch).split('\0').filter(Boolean);
  }

  contains(branch: string, commit: string): boolean {
    return this.git('branch', '--format=%(refname:short)', '--contains', commit)
      .split('\n')
      .includes(branch);
  }

  /** Nothing of Baton's is left: folders, registrations, refs, branches, locks; and git finds no fault. */
  async clean(branches: readonly string[], folder = this.workspace): Promise<void> {
    const wanted = {
      worktrees: 0,
      refs: '',
      branches: [...branches].sort(),
      locks: [],
      faults: '',
    };
    let left = '';
    const isClean = () => {
      try {
        left = JSON.stringify(this.#leftIn(folder), null, 2);
      } catch (error) {
        // Git fails where it meets a worktree that is just being removed.
        left = String(error);
      }
      return left === JSON.stringify(wanted, null, 2);
    };
    // A worker removes what is left beside its other work.
    await until('the end of everything', isClean).catch(() => {
      throw new Error(`left behind: ${left}`);
    });
  }

  #leftIn(folder: string) {
    const list = this.gitIn(folder, 'worktree', 'list', '--porcelain').split('\n');
    const registered = list.filter((line) => line.startsWith('worktree ')).length - 1;
    const refs = this.gitIn(folder, 'for-each-ref', '--format=%(refname)', 'refs/baton/');
    const found = this.gitIn(folder, 'for-each-ref', '--format=%(refname:short)', 'refs/heads/');
    return {
      worktrees: registered + this.worktrees().length,
      refs,
      branches: found.split('\n').sort(),
      locks: locksIn(path.join(folder, '.git')),
      faults: this.gitIn(folder, 'fsck', '--no-dangling', '--no-progress'),
    };
  }

  worktrees(): string[] {
    const folder = path.join(this.state, 'worktrees');
    return existsSync(folder) ? readdirSync(folder) : [];
  }

  /** A worker that runs a command of the user, once, when it gets to a point. */
  workerThatMeets(point: string, command: string, job?: string) {
    const env = {
      BATON_TEST_RUN_AT: point,
      BATON_TEST_RUN: command,
      ...(job && { BATON_TEST_CRASH_JOB: job }),
    };
    return this.worker({ env } satisfies StartOptions);
  }
}

export function lines(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join('');
}

export function writeAt(folder: string, name: string, content: string): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Replaces a line of shared.txt, without a tool that differs between systems. */
export function edit(line: number, text: string, file = 'shared.txt'): string {
  const script = `const fs=require('fs');const l=fs.readFileSync('${file}','utf8').split('\\n');l[${line - 1}]='${text}';fs.writeFileSync('${file}',l.join('\\n'))`;
  return `node -e "${script}"`;
}

function locksIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.lock'),
  );
}

export function read(file: string): string {
  return readFileSync(file, 'utf8');
}

/** The steps of the newest attempt at a job, but for the last, which comes when there is time for it. */
export async function phases(server: PlanServer, plan: string, job: string): Promise<string> {
  const { job: found } = await server.get(plan, { view: 'job', job });
  return found.steps
    .filter(({ phase }: Result) => phase !== 'clean-up')
    .map(({ phase, state }: Result) => `${phase}:${state}`)
    .join(' ');
}
