import type { Command } from '../../command.ts';
import { countOf } from '../../count-of.ts';
import { type Io, print, printDrawn } from '../../io.ts';
import { duration, isDrawable, styleFor } from '../../style.ts';
import { failureLines } from './failure-lines.ts';
import { showLines } from './line-view.ts';
import { showLive } from './live-view.ts';
import { type PlanTools, withPlans } from './plan-tools.ts';
import type { Snapshot } from './snapshots.ts';

export const watch: Command = {
  name: 'plan watch',
  summary: 'show a plan while it runs: its jobs, their times and the end of their output',
  usage: 'baton plan watch [id] [--json] [flags]',
  flags: { json: { type: 'boolean', summary: 'print one JSON object per line and event' } },
  examples: ['baton plan watch', 'baton plan watch 4f1c', 'baton plan watch 4f1c --json | jq .'],
  maxArguments: 1,
  run: (io, parsed, extras) =>
    withPlans(io, parsed, extras, async (plans) => {
      const [given] = parsed.positionals;
      const { id } = await plans.look({ plan: given ?? (await plans.newestMoving()) });
      return watchPlan(io, plans, id, parsed.values.json ? 'json' : 'text');
    }),
};

/** Shows a plan until it has ended. Returns the exit code: 0 if it has succeeded. */
export async function watchPlan(
  io: Io,
  plans: PlanTools,
  id: string,
  format: 'text' | 'json',
): Promise<number> {
  const isLive = format === 'text' && isDrawable(io);
  const last = isLive ? await showLive(io, plans, id) : await showLines(io, plans, id, format);
  if (plans.signal.aborted) return leave(io, id);
  if (!last) return 1;
  if (format === 'json') await print(io.stdout, JSON.stringify(endOf(last)));
  else await tellEnd(io, plans, last, isLive);
  return last.plan.state === 'succeeded' ? 0 : 1;
}

function endOf({ plan, at }: Snapshot): object {
  const { id, name, state, seconds, jobs, note } = plan;
  const time = plan.endedAt ?? new Date(at).toISOString();
  return { time, plan: id, name, state, seconds, jobs, ...(note && { message: note }) };
}

async function tellEnd(
  io: Io,
  plans: PlanTools,
  { plan, jobs }: Snapshot,
  isLive: boolean,
): Promise<void> {
  const { id, name, state, seconds = 0 } = plan;
  const short = id.slice(0, 8);
  if (['pending', 'paused', 'draft'].includes(state)) {
    const next = state === 'paused' ? 'resume' : 'start';
    const how = `Plan ${short} is ${state}. To let it run: baton plan ${next} ${short}`;
    await print(io.stdout, plan.note ? `${plan.note} ${how}` : how);
    return;
  }
  const succeeded = jobs.filter((job) => job.state === 'succeeded').length;
  const counts = `${succeeded} of ${countOf(jobs.length, 'job')} succeeded`;
  const summary = `Plan "${name}" ${state} in ${duration(seconds)}: ${counts}.`;
  // The live view has said so already.
  const lines = [
    ...(isLive ? [] : [summary]),
    ...(state === 'failed' ? await failureLines(plans, id, styleFor(io)) : []),
  ];
  if (lines.length > 0) await printDrawn(io.stdout, `${lines.join('\n')}\n`);
}

/** The person has left; the plan is in other hands. */
async function leave(io: Io, id: string): Promise<number> {
  const short = id.slice(0, 8);
  await print(
    io.stderr,
    `\nThe plan goes on. To see it again: baton plan watch ${short}\nTo end it:                         baton plan cancel ${short}`,
  );
  return 1;
}
