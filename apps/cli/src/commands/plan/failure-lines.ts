import { escapeLine } from '@baton/core';
import type { PlanView } from '@baton/runtime';
import { countOf } from '../../count-of.ts';
import type { Style } from '../../style.ts';
import type { PlanTools } from './plan-tools.ts';

const SHOWN_LINES = 10;

/** What went wrong, with the command and the end of its output, for a person to act on. */
export async function failureLines(plans: PlanTools, id: string, style: Style): Promise<string[]> {
  const { failure } = await plans.look({ plan: id, view: 'failure' });
  if (!failure || failure.failed === 0) return [];
  const { alsoFailed = [] } = failure;
  const more = failure.failed - failure.jobs.length;
  const others = alsoFailed.length > 0 ? `: ${alsoFailed.join(', ')}` : '';
  return [
    ...failure.jobs.flatMap((job) => ['', ...explain(job, style)]),
    ...(more > 0 ? ['', `${countOf(more, 'more job')} failed${others}.`] : []),
    '',
    `All output:  baton plan logs ${id.slice(0, 8)} ${failure.jobs[0]?.job ?? '<job>'} --all`,
    `Try again:   baton plan retry ${id.slice(0, 8)}`,
  ];
}

type Failure = NonNullable<PlanView['failure']>['jobs'][number];

function explain(
  { job, reason, message, attempts, command, log, blocks, worktree }: Failure,
  style: Style,
) {
  const times = attempts > 1 ? ` (after ${attempts} attempts)` : '';
  const output = (log?.text ?? '').split('\n').filter((line) => line.trim() !== '');
  const [first = '', ...rest] = command.split('\n').map(escapeLine);
  return [
    style.red(escapeLine(`${job} failed: ${reason}: ${message}${times}`)),
    `  $ ${first}`,
    ...rest.map((line) => `  > ${line}`),
    ...output.slice(-SHOWN_LINES).map((line) => `  ${style.dim(`│ ${escapeLine(line)}`)}`),
    ...(worktree ? [escapeLine(`  Its worktree: ${worktree}`)] : []),
    ...(blocks.length > 0 ? [`  Blocked by it: ${blocks.join(', ')}`] : []),
  ];
}
