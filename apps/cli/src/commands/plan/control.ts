import { escapeLine } from '@baton/core';
import { isTerminal } from '../../answer-questions.ts';
import type { Command } from '../../command.ts';
import type { Flags, Parsed } from '../../flags.ts';
import { type Io, print } from '../../io.ts';
import { isYes, readLine } from '../../read-line.ts';
import { UsageError } from '../../usage-error.ts';
import { planArgument } from './plan-argument.ts';
import { type PlanTools, withPlans } from './plan-tools.ts';

interface Action {
  readonly summary: string;
  readonly flags?: Flags;
  /** What may be named behind the plan. */
  readonly jobs?: 'optional' | 'needed';
  readonly example?: string;
}

const MOST_JOBS = 5000;

const ACTIONS: Readonly<Record<string, Action>> = {
  start: { summary: 'start a plan that waits for it' },
  pause: { summary: 'start no further job of a plan; what runs goes on' },
  resume: { summary: 'go on with a plan that is paused' },
  cancel: {
    summary: 'end a plan with all its processes, or only some of its jobs',
    jobs: 'optional',
  },
  retry: {
    summary: 'try again what has failed or was cancelled, all of it or some jobs',
    jobs: 'optional',
    flags: {
      work: { type: 'string', value: 'command', summary: 'for one job: run this instead' },
      from: {
        type: 'string',
        value: 'phase',
        summary: 'go on in the kept worktree with prepare, before, work, commit or checks',
      },
    },
    example: "baton plan retry 4f1c build --work 'npm run build -- --force'",
  },
  land: {
    summary: 'land the results of a plan, again or on another branch',
    flags: {
      into: { type: 'string', value: 'branch', summary: 'the branch' },
      default: { type: 'boolean', summary: 'allow the default branch of the repository' },
    },
    example: 'baton plan land 4f1c --into main --default',
  },
  clean: { summary: 'remove the worktrees that were kept of a plan that has ended' },
  fail: {
    summary: 'end jobs of a plan as failed',
    jobs: 'needed',
    flags: { message: { type: 'string', value: 'text', summary: 'why' } },
    example: "baton plan fail 4f1c deploy --message 'wrong cluster'",
  },
  recover: { summary: 'take a plan back that was cancelled or archived' },
  clone: { summary: 'make the same plan once more, to be started by hand' },
  archive: { summary: 'put a plan away that has ended' },
  delete: {
    summary: 'remove a plan with its logs for good',
    flags: { yes: { type: 'boolean', summary: 'do not ask' } },
  },
};

export const controlCommands: readonly Command[] = Object.entries(ACTIONS).map(toCommand);

function toCommand([action, { summary, flags = {}, jobs, example }]: [string, Action]): Command {
  const named = { optional: ' [job…]', needed: ' <job…>' }[jobs ?? 'optional'];
  const own = Object.entries(flags).map(
    ([name, { value }]) => ` [--${name}${value ? ` <${value}>` : ''}]`,
  );
  const usage = `${action} <id>${jobs ? named : ''}${own.join('')}`;
  return {
    name: `plan ${action}`,
    summary,
    usage: `baton plan ${usage} [--json] [flags]`,
    flags: { ...flags, json: { type: 'boolean', summary: 'print the result as JSON' } },
    examples: [
      `baton plan ${action} 4f1c${jobs === 'needed' ? ' deploy' : ''}`,
      ...(example ? [example] : []),
    ],
    maxArguments: jobs ? 1 + MOST_JOBS : 1,
    run(io, parsed, extras) {
      const plan = planArgument(parsed, usage);
      const given = parsed.positionals.slice(1);
      if (jobs === 'needed' && given.length === 0) {
        throw new UsageError('Which job?', `Usage: baton plan ${usage}`);
      }
      return withPlans(io, parsed, extras, (plans) =>
        control(io, plans, parsed, plan, action, given),
      );
    },
  };
}

interface Controlled {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly kept?: readonly { readonly job: string; readonly ref: string }[];
  readonly problem?: string;
}

async function control(
  io: Io,
  plans: PlanTools,
  { values: { json, work, message, yes, from, into, default: intoDefault } }: Parsed,
  plan: string,
  action: string,
  jobs: readonly string[],
): Promise<number> {
  if (action === 'delete' && !yes && !(await isMeant(io, plans, plan))) {
    await print(io.stderr, 'Nothing was deleted.');
    return 1;
  }
  const done = await plans.call<Controlled>('plan_control', {
    plan,
    action,
    ...(jobs.length > 0 && { jobs }),
    ...(work !== undefined && { work }),
    ...(message !== undefined && { message }),
    ...(from !== undefined && { from }),
    ...(into !== undefined && { target: into }),
    ...(intoDefault && { intoDefault: true }),
  });
  await print(io.stdout, json ? JSON.stringify(done, null, 2) : describe(done, action));
  return 0;
}

async function isMeant(io: Io, plans: PlanTools, given: string): Promise<boolean> {
  if (!isTerminal(io)) {
    throw new UsageError(
      'Nobody can be asked here: this is not a terminal.',
      'Run it on a terminal, or add --yes if you are sure.',
    );
  }
  const { id, name, state } = await plans.look({ plan: given });
  const what = `the plan "${name}" (${id.slice(0, 8)}, ${state}) with its logs`;
  io.stdout.write(`Delete ${escapeLine(what)} for good? [y/N] `);
  return isYes(await readLine(io.stdin, plans.signal));
}

function describe({ id, name, state, kept = [], problem }: Controlled, action: string): string {
  const short = id.slice(0, 8);
  const what = action === 'clone' ? `The clone ${short} of "${name}"` : `Plan "${name}" (${short})`;
  const hints: Record<string, string> = {
    running: ` To see it: baton plan watch ${short}`,
    pending: ` To let it run: baton plan start ${short}`,
    paused: ` To go on: baton plan resume ${short}`,
  };
  const saved = kept.map(
    ({ job, ref }) => `What was changed in the worktree of ${job} is kept: git switch -c … ${ref}`,
  );
  const problems = problem ? [problem] : [];
  return [`${what} is ${state}.${hints[state] ?? ''}`, ...saved, ...problems].join('\n');
}
