import {
  type CommandDefinition,
  commandSchemas,
  lazily,
  plainText,
  type ShellCommand,
} from '@baton/core';
import * as z from 'zod';
import { RETRIED } from './failure.ts';
import { gitSchemas } from './git-settings.ts';
import { DEFAULT_PARALLEL, MAX_JOBS } from './scheduling.ts';
import { type TicketWork, ticketSchema } from './ticket-work.ts';

const JOB_ID = /^[a-z0-9-]{3,64}$/;
const GROUP = /^[^/\p{C}]+(\/[^/\p{C}]+){0,4}$/u;

const WORK =
  'expected a shell command, {type: "shell", command}, {type: "process", executable, args} or {type: "ticket", title}';
const TYPES: readonly unknown[] = ['shell', 'process', 'ticket'];

function explainWork({ input }: { input?: unknown }): string | undefined {
  const type = (input as { type?: unknown } | null | undefined)?.type;
  if (type === 'agent') return NO_AGENTS;
  return TYPES.includes(type) ? undefined : WORK;
}

const NO_AGENTS = 'agents cannot be run as jobs yet; start the agent with a shell or process job';

export const planSchemas = lazily(() => {
  const { environment, line, shell, process } = commandSchemas();
  const { git, ofJob } = gitSchemas();

  const work = z
    .union(
      [
        line.refine((command) => !/^\s*@agent\b/.test(command), NO_AGENTS),
        z.discriminatedUnion('type', [shell, process, ticketSchema()], { error: explainWork }),
      ],
      { error: explainWork },
    )
    .meta({
      description:
        'shell command, or {type: "shell", command, shell?} or {type: "process", executable, args?}, each with cwd?, env?, timeoutSeconds?; or {type: "ticket", title, body?, kind?, checks?} waits for a ticket',
      listAs: { anyOf: [{ type: 'string' }, { type: 'object' }] },
    });

  const times = z.int().min(0).max(10);
  const job = z.strictObject({
    id: z.string().regex(JOB_ID, 'expected 3 to 64 of a-z, 0-9 and -'),
    work,
    needs: z.array(z.string()).max(MAX_JOBS).optional(),
    name: plainText(200).optional(),
    task: plainText(20_000).optional(),
    group: z
      .string()
      .max(200)
      .refine((group) => GROUP.test(group), 'expected names separated by /')
      .optional(),
    retry: z
      .union([z.literal('never'), times, z.partialRecord(z.enum(RETRIED), times)], {
        error: `expected a number from 0 to 10, "never", or numbers by reason: ${RETRIED.join(', ')}`,
      })
      .optional()
      // A number, "never" or an object: the plan's schema tells.
      .meta({ listAs: {} }),
    ...ofJob,
  });

  const planName = plainText(200);
  const maxParallel = z.int().min(0).max(1000);

  // What a plan file holds.
  const planFile = z.strictObject({
    name: planName,
    jobs: z.array(job).min(1).max(MAX_JOBS),
    env: environment.optional(),
    maxParallel: maxParallel.default(DEFAULT_PARALLEL),
    after: plainText(100).optional(),
    paused: z.boolean().optional(),
    git: git.optional(),
  });

  return { environment, work, job, planName, maxParallel, planFile, git };
});

type Schemas = ReturnType<typeof planSchemas>;
export type JobDefinition = z.output<Schemas['job']>;
export type WorkDefinition = CommandDefinition | TicketWork;
export type Work = Exclude<WorkDefinition, string>;
export type PlanDefinition = z.output<Schemas['planFile']>;

export function toWork<Given extends Work>(definition: string | Given): ShellCommand | Given {
  return typeof definition === 'string' ? { type: 'shell', command: definition } : definition;
}
