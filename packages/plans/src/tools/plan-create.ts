import { defineTool } from '@baton/core';
import * as z from 'zod';
import { planSchemas } from '../definition.ts';
import { MAX_JOBS } from '../scheduling.ts';
import type { PlanService } from '../service.ts';
import { PLAN_STATES } from '../states.ts';

/** Names and values of variables: to say so would cost more tokens than it is worth. */
export const LISTED_ENV = { listAs: { type: 'object' } };

export const planCreate = defineTool({
  name: 'plan_create',
  title: 'Create a plan',
  description:
    'Runs jobs in parallel in the background, each after the jobs it needs, and returns at once.',
  toolset: 'plans',
  effect: 'run',
  input: () => {
    const { environment, git, job, maxParallel, planName } = planSchemas();
    return z.object({
      name: planName.optional(),
      jobs: z.array(job).max(MAX_JOBS).optional(),
      file: z.string().optional().describe('a plan file instead of name and jobs'),
      env: environment.optional().meta(LISTED_ENV),
      maxParallel: maxParallel.optional().describe('default 4, 0 = unlimited'),
      after: z.string().optional().describe('start when this plan has succeeded'),
      paused: z.boolean().optional(),
      git: git.optional(),
      draft: z.boolean().optional().describe('add jobs later with plan_edit'),
      key: z.string().min(1).max(200).optional().describe('same key, same plan'),
    });
  },
  output: () =>
    z.object({
      id: z.string(),
      name: z.string(),
      state: z.enum(PLAN_STATES),
      uri: z.string(),
      problem: z.string().optional(),
      next: z.string(),
    }),
  examples: [
    {
      title: 'Two checks at once, then a build that needs both',
      input: {
        name: 'Check and build',
        jobs: [
          { id: 'lint', work: 'npm run lint' },
          { id: 'test', work: { type: 'process', executable: 'npm', args: ['test'] }, retry: 1 },
          { id: 'build', work: 'npm run build', needs: ['lint', 'test'] },
        ],
      },
    },
    {
      title: 'Two changes side by side in worktrees, checked, brought together and landed',
      input: {
        name: 'Rename and document',
        git: { target: 'next', verify: ['npm test'] },
        jobs: [
          { id: 'rename', work: './rename.sh', checks: ['npm run lint'], touches: ['src/**'] },
          { id: 'document', work: './document.sh', touches: ['docs/**'] },
        ],
      },
    },
    { title: 'From a file of the workspace', input: { file: 'plans/release.yaml' } },
  ],
  async run(service: PlanService, input, context) {
    const { id, name, state } = await service.create(input, context);
    const problem = state === 'running' ? await service.ports.workers.problem() : undefined;
    return {
      id,
      name,
      state,
      uri: `baton://plan/${id}`,
      ...(problem && { problem }),
      next:
        state === 'draft'
          ? 'Add jobs with plan_edit, then finalize.'
          : 'Call plan_get with waitSeconds to wait for the end.',
    };
  },
});
