import { defineTool } from '@baton/core';
import * as z from 'zod';
import { ACTIONS } from '../actions.ts';
import { planSchemas } from '../definition.ts';
import { RESUMABLE } from '../phases.ts';
import type { PlanService } from '../service.ts';
import { PLAN_STATES } from '../states.ts';

export const planControl = defineTool({
  name: 'plan_control',
  title: 'Control a plan',
  description:
    'Starts, pauses, resumes, cancels, retries, lands, clones, archives or deletes a plan.',
  toolset: 'plans',
  effect: 'run',
  input: () =>
    z.object({
      plan: z.string(),
      action: z.enum(ACTIONS),
      jobs: z
        .array(z.string())
        .min(1)
        .optional()
        .describe('for cancel, retry and fail: only these'),
      work: planSchemas().work.optional().meta({
        description: 'for retry of one job: new work',
        listAs: {},
      }),
      checks: planSchemas().job.shape.checks,
      from: z
        .enum(RESUMABLE)
        .optional()
        .meta({
          description: 'for retry in the kept worktree',
          listAs: { type: 'string' },
        }),
      target: z.string().min(1).max(255).optional().describe('for land'),
      intoDefault: z.boolean().optional(),
      message: z.string().min(1).max(2000).optional().describe('for fail: why'),
    }),
  output: () =>
    z.object({
      id: z.string(),
      name: z.string(),
      state: z.enum([...PLAN_STATES, 'deleted']),
      kept: z
        .array(z.object({ job: z.string(), ref: z.string() }))
        .optional()
        .describe('refs with what people had changed in worktrees that are removed now'),
      problem: z.string().optional(),
    }),
  examples: [
    { title: 'Everything that has failed, once more', input: { plan: '4f1c', action: 'retry' } },
    {
      title: 'One job with another command',
      input: { plan: '4f1c', action: 'retry', jobs: ['build'], work: 'npm run build -- --force' },
    },
    {
      title: 'A conflict was resolved in the kept worktree',
      input: { plan: '4f1c', action: 'retry', jobs: ['land'], from: 'prepare' },
    },
    {
      title: 'On the default branch',
      input: { plan: '4f1c', action: 'land', target: 'main', intoDefault: true },
    },
  ],
  async run(service: PlanService, { plan: given, ...options }) {
    const { id, name, state, saved } = await service.control(given, options);
    const isDeleted = options.action === 'delete';
    const problem =
      state === 'running' && !isDeleted ? await service.ports.workers.problem() : undefined;
    return {
      id,
      name,
      state: isDeleted ? ('deleted' as const) : state,
      ...(saved.length > 0 && { kept: [...saved] }),
      ...(problem && { problem }),
    };
  },
});
