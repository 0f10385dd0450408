import type { Environment } from '@baton/core';
import { type RunningWork, resolveReferences } from '@baton/plans/jobs';
import type { ProcessCommand } from './processes/process-command.ts';
import { shellCommand } from './processes/shell-command.ts';

export type Outputs = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** What is started for a job: its executor in one function, for each kind of work that runs. */
export function jobCommand(
  work: RunningWork,
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
