import { defineTool } from '@baton/core';
import * as z from 'zod';
import { FAILURE_REASONS } from '../failure.ts';
import { PHASES } from '../phases.ts';
import type { PlanService } from '../service.ts';
import { JOB_STATES, PLAN_STATES } from '../states.ts';

const VIEWS = [
  'summary',
  'jobs',
  'graph',
  'job',
  'logs',
  'attempts',
  'failure',
  'evidence',
  'diff',
] as const;

function output() {
  const attempt = z.object({
    number: z.number(),
    trigger: z.string(),
    state: z.string(),
    reason: z.enum(FAILURE_REASONS).optional(),
    message: z.string().optional(),
    exitCode: z.number().optional(),
    signal: z.string().optional(),
    startedAt: z.string(),
    seconds: z.number(),
    worker: z.string(),
    pid: z.number().optional(),
  });

  const conflict = z.object({
    jobs: z.array(z.string()),
    files: z.array(
      z.object({
        path: z.string(),
        kind: z.string(),
        hunks: z.array(z.object({ line: z.number(), text: z.string() })),
      }),
    ),
    worktree: z.string().optional().describe('where it can be resolved'),
  });

  const step = z.object({
    phase: z.enum(PHASES),
    state: z.string(),
    command: z.string().optional(),
    message: z.string().optional(),
    exitCode: z.number().optional(),
    seconds: z.number(),
    commit: z.string().optional(),
    digest: z.string().optional().describe('of all that it said'),
    log: z.object({ from: z.number(), to: z.number() }).optional(),
    note: z.string().optional(),
    conflict: conflict.optional(),
  });

  const logs = z.object({
    attempt: z.number(),
    from: z.number(),
    next: z.number(),
    end: z.number(),
    truncated: z.boolean().describe('the beginning is no longer kept'),
    isOver: z.boolean(),
    text: z.string(),
  });

  const failure = z.object({
    job: z.string(),
    reason: z.enum(FAILURE_REASONS),
    message: z.string(),
    attempts: z.number(),
  });

  const jobRow = z.object({
    id: z.string(),
    state: z.enum(JOB_STATES),
    phase: z.enum(PHASES).optional(),
    name: z.string().optional(),
    group: z.string().optional(),
    attempt: z.number().optional(),
    startedAt: z.string().optional(),
    endedAt: z.string().optional(),
    seconds: z.number().optional(),
    reason: z.enum(FAILURE_REASONS).optional(),
    message: z.string().optional(),
    isStopping: z.boolean().optional(),
    ticket: z.string().optional(),
  });

  return z.object({
    id: z.string(),
    name: z.string(),
    state: z.enum(PLAN_STATES),
    note: z.string().optional(),
    source: z.string().optional(),
    after: z.string().optional(),
    maxParallel: z.number().optional(),
    createdAt: z.string().optional(),
    startedAt: z.string().optional(),
    endedAt: z.string().optional(),
    seconds: z.number().optional(),
    jobs: z.object({ total: z.number() }).catchall(z.number()).optional(),
    active: z
      .array(
        z.object({
          job: z.string(),
          state: z.enum(JOB_STATES),
          phase: z.enum(PHASES).optional(),
          seconds: z.number(),
          attempt: z.number().optional(),
          isStopping: z.boolean().optional(),
          ticket: z.string().optional(),
        }),
      )
      .optional(),
    failed: z.array(failure).optional(),
    git: z
      .object({
        repositories: z.array(
          z.object({
            repository: z.string(),
            branch: z.string(),
            base: z.string().optional(),
            landedOn: z.string().optional(),
            landed: z.string().optional(),
          }),
        ),
        target: z.string().optional(),
        conflicts: z
          .array(z.object({ jobs: z.array(z.string()), files: z.array(z.string()) }))
          .optional()
          .describe('results that do not merge, as far as is known now'),
      })
      .optional(),
    problem: z.string().optional(),
    next: z.string().optional(),
    list: z
      .object({
        from: z.number(),
        next: z.number().optional().describe('where the next page begins'),
        jobs: z.array(jobRow),
      })
      .optional(),
    graph: z
      .object({
        mermaid: z.string(),
        adjacency: z.record(z.string(), z.array(z.string())),
        states: z.record(z.string(), z.enum(JOB_STATES)),
        criticalPath: z.object({ jobs: z.array(z.string()), seconds: z.number() }),
      })
      .optional(),
    job: z
      .object({
        id: z.string(),
        state: z.enum(JOB_STATES),
        name: z.string().optional(),
        task: z.string().optional(),
        group: z.string().optional(),
        command: z.string(),
        ticket: z.string().optional(),
        cwd: z.string().optional(),
        timeoutSeconds: z.number().optional(),
        needs: z.array(z.string()),
        neededBy: z.array(z.string()),
        variables: z.array(z.string()).optional(),
        retry: z.union([z.number(), z.literal('never'), z.record(z.string(), z.number())]),
        attempts: z.number(),
        outputs: z.record(z.string(), z.string()),
        isStopping: z.boolean().optional(),
        note: z.string().optional(),
        git: z
          .object({
            repository: z.string(),
            start: z.string().optional(),
            commit: z.string().optional(),
            worktree: z.string().optional(),
            touches: z.array(z.string()).optional(),
            apart: z.array(z.string()).optional().describe('jobs that touch the same'),
          })
          .optional(),
        steps: z.array(step).optional(),
        last: attempt.optional(),
      })
      .optional(),
    evidence: z
      .object({
        jobs: z.array(z.object({ job: z.string(), attempt: z.number(), steps: z.array(step) })),
        next: z.number().optional().describe('where the next page begins'),
      })
      .optional(),
    diff: z
      .object({
        stats: z
          .array(
            z.object({
              repository: z.string(),
              branch: z.string().optional(),
              from: z.string(),
              to: z.string(),
              files: z.number(),
              insertions: z.number(),
              deletions: z.number(),
              paths: z.array(
                z.object({
                  path: z.string(),
                  insertions: z.number().optional(),
                  deletions: z.number().optional(),
                }),
              ),
              more: z.number().optional(),
            }),
          )
          .optional(),
        patch: z.string().optional(),
        from: z.number().optional(),
        end: z.number().optional(),
        next: z.number().optional().describe('where the next page begins'),
      })
      .optional(),
    logs: logs.optional(),
    attempts: z.array(attempt).optional(),
    failure: z
      .object({
        failed: z.number(),
        alsoFailed: z.array(z.string()).optional(),
        jobs: z.array(
          failure.extend({
            command: z.string(),
            cwd: z.string().optional(),
            history: z.array(attempt),
            blocks: z.array(z.string()),
            worktree: z.string().optional(),
            steps: z.array(step).optional(),
            log: logs.optional(),
          }),
        ),
      })
      .optional(),
  });
}

/** What plan_get returns: the parts that belong to the view that was asked for. */
export type PlanView = z.output<ReturnType<typeof output>>;

export const planGet = defineTool({
  name: 'plan_get',
  title: 'Look at a plan',
  description: 'Shows where a plan stands, or one view of it, and can wait for its end.',
  toolset: 'plans',
  effect: 'read',
  input: () =>
    z.object({
      plan: z.string(),
      view: z.enum(VIEWS).default('summary'),
      job: z.string().optional(),
      attempt: z.int().min(1).optional(),
      from: z.int().optional().describe('offset; below 0: from the end'),
      waitSeconds: z.number().min(0).max(50).optional(),
    }),
  output,
  examples: [
    { title: 'Wait for the end', input: { plan: '4f1c', waitSeconds: 50 } },
    { title: 'What went wrong?', input: { plan: '4f1c', view: 'failure' } },
    { title: 'What did the checks say?', input: { plan: '4f1c', view: 'evidence' } },
    { title: 'What has changed?', input: { plan: '4f1c', view: 'diff' } },
    { title: 'Output of a job', input: { plan: '4f1c', view: 'logs', job: 'build', from: 0 } },
  ],
  run: (service: PlanService, query, context) => service.look(query, context),
});
