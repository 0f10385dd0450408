import type { Environment } from '@baton/core';
import { resolveReferences, type StoredJob } from '@baton/plans/jobs';
import type { ProcessCommand } from './processes/process-command.ts';
import { shellCommand } from './processes/shell-command.ts';

export type Outputs = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** What is started for a job: its executor in one function, for each kind of work. */
export function jobCommand(
  { work }: StoredJob,
  cwd: string,
  env: Environment,
  outputs: Outputs,
): ProcessCommand {
  switch (work.type) {
    case 'shell':
      return { ...shellCommand(work.command, work.shell), cwd, env };
    case 'process': {
      const args = (work.args ?? []).map((arg) => resolveReferences(arg, outputs));
      return { file: work.executable, args, cwd, env };
    }
  }
}
