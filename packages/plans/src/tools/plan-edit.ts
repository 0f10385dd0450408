import { defineTool } from '@baton/core';
import * as z from 'zod';
import { planSchemas } from '../definition.ts';
import type { PlanService } from '../service.ts';
import { PLAN_STATES } from '../states.ts';
import { LISTED_ENV } from './plan-create.ts';

export const planEdit = defineTool({
  name: 'plan_edit',
  title: 'Edit a plan',
  description: 'Changes jobs of a plan that have not started, its settings, or finalizes a draft.',
  toolset: 'plans',
  effect: 'run',
  input: () => {
    const { environment, job, maxParallel, planName } = planSchemas();
    return z.object({
      plan: z.string(),
      // The same shape as in plan_create, which costs tokens only there.
      upsert: z
        .array(job)
        .optional()
        .meta({
          description: 'jobs as in plan_create',
          listAs: { type: 'array', items: { type: 'object' } },
        }),
      remove: z.array(z.string()).optional(),
      set: z
        .object({
          name: planName.optional(),
          env: environment.optional().meta(LISTED_ENV),
          maxParallel: maxParallel.optional(),
        })
        .strict()
        .optional(),
      finalize: z.boolean().optional(),
    });
  },
  output: () =>
    z.object({
      id: z.string(),
      name: z.string(),
      state: z.enum(PLAN_STATES),
      changed: z.array(z.string()),
    }),
  examples: [
    {
      title: 'Put a job in between',
      input: {
        plan: '4f1c',
        upsert: [
          { id: 'audit', work: 'npm audit', needs: ['lint'] },
          { id: 'build', work: 'npm run build', needs: ['test', 'audit'] },
        ],
      },
    },
    { title: 'A draft is complete', input: { plan: '4f1c', finalize: true } },
  ],
  async run(service: PlanService, input, context) {
    const { id, name, state } = await service.edit(input, context);
    const changed = [
      ...(input.upsert ?? []).map((each) => each.id),
      ...(input.remove ?? []),
      ...Object.keys(input.set ?? {}),
    ];
    return { id, name, state, changed };
  },
});
