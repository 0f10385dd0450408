import { defineTool } from '@baton/core';
import * as z from 'zod';
import type { PlanService } from '../service.ts';
import { PLAN_STATES } from '../states.ts';

export const planList = defineTool({
  name: 'plan_list',
  title: 'List plans',
  description: 'The plans of this workspace, the newest first.',
  toolset: 'plans',
  effect: 'read',
  input: () =>
    z.object({
      state: z.enum(PLAN_STATES).optional(),
      limit: z.int().min(1).max(100).default(20),
      cursor: z.string().optional(),
    }),
  output: () =>
    z.object({
      plans: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          state: z.enum(PLAN_STATES),
          jobs: z.string().describe('succeeded/all'),
          createdAt: z.string(),
        }),
      ),
      cursor: z.string().optional(),
    }),
  examples: [
    { title: 'What is going on?', input: {} },
    { title: 'What has failed?', input: { state: 'failed' } },
  ],
  run: (service: PlanService, query) => service.list(query),
});
