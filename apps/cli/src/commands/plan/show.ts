import { escapeLine } from '@baton/core';
import type { Command } from '../../command.ts';
import { print, printDrawn } from '../../io.ts';
import { styleFor } from '../../style.ts';
import { failureLines } from './failure-lines.ts';
import { planArgument } from './plan-argument.ts';
import { withPlans } from './plan-tools.ts';
import { takeSnapshot } from './snapshots.ts';
import { viewLines } from './view-lines.ts';

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
        ...(await failureLines(plans, plan.id, style)),
      ];
      await printDrawn(io.stdout, `${lines.join('\n')}\n`);
      return 0;
    });
  },
};
