import { commandSchemas, lazily, plainText } from '@baton/core';
import * as z from 'zod';

const MOST_CHECKS = 20;
const MOST_PATHS = 50;
/** Names of branches and commits are looked at by whoever knows the repository. */
const LONGEST_NAME = 255;

/** When the folder that an attempt worked in stays after it. */
const KEEPS = ['failed', 'always', 'never'] as const;

/** What makes the jobs of a plan work in worktrees, and what a job can say about that. */
export const gitSchemas = lazily(() => {
  const { check, folder } = commandSchemas();
  const checks = z
    .array(check)
    .max(MOST_CHECKS)
    .optional()
    .meta({ listAs: { type: 'array' } });
  const paths = z.array(folder).max(MOST_PATHS).optional();

  const git = z
    .strictObject({
      base: plainText(LONGEST_NAME).optional(),
      target: plainText(LONGEST_NAME).optional(),
      intoDefault: z.boolean().optional(),
      setup: checks,
      verify: checks,
      link: paths,
      keep: z.enum(KEEPS).optional(),
    })
    .meta({
      description:
        'jobs in worktrees, committed, merged: {base?, target?: branch, verify?: commands}',
      listAs: { type: 'object' },
    });

  const ofJob = {
    before: checks,
    checks,
    noChanges: z.boolean().optional(),
    touches: z
      .array(plainText(200))
      .max(MOST_PATHS)
      .optional()
      .meta({ listAs: { type: 'array' } }),
    repository: folder.optional(),
  };

  return { git, ofJob };
});

export type GitSettings = z.output<ReturnType<typeof gitSchemas>['git']>;
/** The parts of a job that make sense in a worktree only. */
export const GIT_ONLY = ['before', 'checks', 'noChanges', 'touches', 'repository'] as const;

/** The repository of the workspace itself. */
export const OWN_REPOSITORY = '.';
