import { escapeLine } from '@baton/core';
import type { PlanView } from '@baton/runtime';
import type { Command } from '../../command.ts';
import { print, printDrawn } from '../../io.ts';
import { type Style, styleFor } from '../../style.ts';
import { failureLines } from './failure-lines.ts';
import { planArgument } from './plan-argument.ts';
import { withPlans } from './plan-tools.ts';
import { takeSnapshot } from './snapshots.ts';
import { viewLines } from './view-lines.ts';

/** Where the results are, and which will not fit together. */
function gitLines({ git }: PlanView, style: Style): string[] {
  const landed = (git?.repositories ?? []).flatMap(({ repository, landedOn, landed: commit }) =>
    landedOn && commit
      ? [`${repository === '.' ? '' : `${repository} `}on ${landedOn}: ${commit.slice(0, 12)}`]
      : [],
  );
  const conflicts = (git?.conflicts ?? []).map(
    ({ jobs, files }) => `${jobs.join(' and ')} will not fit together: ${files.join(', ')}`,
  );
  return [
    ...landed.map((line) => style.dim(escapeLine(line))),
    ...conflicts.map((line) => style.red(escapeLine(line))),
  ];
}

export const show: Command = {
  name: 'plan show',
  summary: 'show where a plan stands, with all its jobs and what has failed',
  usage: 'baton plan show <id> [--json] [flags]',
  flags: { json: { type: 'boolean', summary: 'print the summary as JSON' } },
  examples: ['baton plan show 4f1c', 'baton plan show 4f1c --json'],
  maxArguments: 1,
  async run(io, parsed, extras) {
    const given = planArgument(parsed, 'show <id>');
    return withPlans(io, parsed, extras, async (plans) => {
      const style = styleFor(io);
      const snapshot = await takeSnapshot(plans, given);
      const { plan, at } = snapshot;
      if (parsed.values.json) {
        await print(io.stdout, JSON.stringify(plan, null, 2));
        return 0;
      }
      const facts = [
        `created ${plan.createdAt}`,
        ...(plan.source ? [`from ${plan.source}`] : []),
        ...(plan.after ? [`after ${plan.after.slice(0, 8)}`] : []),
        `at most ${plan.maxParallel || 'any number of'} at once`,
      ];
      const lines = [
        ...viewLines(snapshot, { style, now: at }),
        '',
        style.dim(escapeLine(`${plan.id}: ${facts.join(', ')}`)),
        ...gitLines(plan, style),
        ...(await failureLines(plans, plan.id, style)),
      ];
      await printDrawn(io.stdout, `${lines.join('\n')}\n`);
      return 0;
    });
  },
};
