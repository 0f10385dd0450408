import { lazily } from '@baton/core';
import * as z from 'zod';
import { DEFAULT_PARALLEL, MAX_JOBS } from './scheduling.ts';

const WEEK_SECONDS = 7 * 24 * 60 * 60;
const JOB_ID = /^[a-z0-9-]{3,64}$/;
const GROUP = /^[^/\p{C}]+(\/[^/\p{C}]+){0,4}$/u;
const VARIABLE = /^(?!BATON_)[A-Za-z_][A-Za-z0-9_]*$/;

const NUL = 'must not hold NUL';
const hasNoNul = (value: string) => !value.includes('\0');
const text = (longest: number) => z.string().min(1).max(longest).refine(hasNoNul, NUL);

/** Whether it really is inside, through whatever links, is looked at when the job runs. */
function isInside(folder: string): boolean {
  return !/^([a-z]:|[\\/])/i.test(folder) && !folder.split(/[\\/]/).includes('..');
}

const WORK =
  'expected a shell command, {type: "shell", command} or {type: "process", executable, args}';

function explainWork({ input }: { input?: unknown }): string | undefined {
  const type = (input as { type?: unknown } | null | undefined)?.type;
  if (type === 'agent') return NO_AGENTS;
  return type === 'shell' || type === 'process' ? undefined : WORK;
}

const NO_AGENTS = 'agents cannot be run as jobs yet; start the agent with a shell or process job';

export const planSchemas = lazily(() => {
  const environment = z.record(
    z.string().regex(VARIABLE, 'expected the name of a variable that does not begin with BATON_'),
    z
      .string()
      .max(32 * 1024)
      .refine(hasNoNul, NUL),
  );

  const common = {
    cwd: text(1024)
      .refine(isInside, 'expected a folder of the workspace, relative to it')
      .optional(),
    env: environment.optional(),
    timeoutSeconds: z.number().positive().max(WEEK_SECONDS).optional(),
  };

  const shellWork = z.strictObject({
    type: z.literal('shell'),
    command: text(100_000),
    shell: text(64).optional(),
    ...common,
  });

  const processWork = z.strictObject({
    type: z.literal('process'),
    executable: text(4096),
    args: z.array(z.string().max(100_000).refine(hasNoNul, NUL)).max(1000).optional(),
    ...common,
  });

  const work = z
    .union(
      [
        text(100_000).refine((command) => !/^\s*@agent\b/.test(command), NO_AGENTS),
        z.discriminatedUnion('type', [shellWork, processWork], { error: explainWork }),
      ],
      { error: explainWork },
    )
    .meta({
      description:
        'shell command, or {type: "shell", command, shell?} or {type: "process", executable, args?}, each with cwd?, env?, timeoutSeconds?',
      listAs: { anyOf: [{ type: 'string' }, { type: 'object' }] },
    });

  const job = z.strictObject({
    id: z.string().regex(JOB_ID, 'expected 3 to 64 of a-z, 0-9 and -'),
    work,
    needs: z.array(z.string()).max(MAX_JOBS).optional(),
    name: text(200).optional(),
    task: text(20_000).optional(),
    group: z
      .string()
      .max(200)
      .refine((group) => GROUP.test(group), 'expected names separated by /')
      .optional(),
    retry: z
      .union([z.literal('never'), z.int().min(0).max(10)], {
        error: 'expected a number from 0 to 10, or "never"',
      })
      .optional(),
  });

  const planName = text(200);
  const maxParallel = z.int().min(0).max(1000);

  // What a plan file holds.
  const planFile = z.strictObject({
    name: planName,
    jobs: z.array(job).min(1).max(MAX_JOBS),
    env: environment.optional(),
    maxParallel: maxParallel.default(DEFAULT_PARALLEL),
    after: text(100).optional(),
    paused: z.boolean().optional(),
  });

  return { environment, shellWork, processWork, work, job, planName, maxParallel, planFile };
});

type Schemas = ReturnType<typeof planSchemas>;
export type JobDefinition = z.output<Schemas['job']>;
export type WorkDefinition = z.output<Schemas['work']>;
export type PlanDefinition = z.output<Schemas['planFile']>;
export type Environment = Readonly<Record<string, string>>;

export type ShellWork = z.output<Schemas['shellWork']>;
export type ProcessWork = z.output<Schemas['processWork']>;

export function toWork(definition: WorkDefinition): ShellWork | ProcessWork {
  return typeof definition === 'string' ? { type: 'shell', command: definition } : definition;
}
