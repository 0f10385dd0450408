import { BatonError, defineTool, type Workspace } from '@baton/core';
import * as z from 'zod';
import type { StoreAccess } from '../../store-access.ts';

export interface System {
  readonly version: string;
  readonly workspace: Workspace;
  readonly features: readonly string[];
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
  readonly warnings: readonly string[];
  readonly store: StoreAccess;
  /** Why nobody may run jobs, while no worker does. */
  workerProblem(): Promise<string | undefined>;
}

export const status = defineTool({
  name: 'status',
  title: 'Status',
  description: "Baton's version, the workspace it serves, what is available, and any warnings.",
  toolset: 'system',
  effect: 'read',
  input: () => z.object({}),
  output: () =>
    z.object({
      version: z.string(),
      workspace: z.object({
        path: z.string(),
        foundBy: z.enum(['baton-folder', 'git', 'folder']),
        checkout: z.string().optional(),
      }),
      features: z.array(z.string()),
      toolsets: z.array(z.string()),
      readOnly: z.boolean(),
      store: z.object({
        path: z.string(),
        isReady: z.boolean(),
        engine: z.string().optional(),
        problem: z.string().optional(),
        next: z.string().optional(),
      }),
      worker: z.string().describe('who runs jobs'),
      warnings: z.array(z.string()),
    }),
  examples: [{ title: 'What is running here?', input: {} }],
  async run(system: System) {
    const { path, foundBy, checkout } = system.workspace;
    return {
      version: system.version,
      workspace: { path, foundBy, ...(checkout && { checkout }) },
      features: [...system.features],
      toolsets: [...system.toolsets],
      readOnly: system.readOnly,
      ...(await lookAt(system)),
      warnings: [...system.warnings],
    };
  },
});

const READ_ONLY = {
  problem: 'The store or its folder cannot be written: what is there can be read, nothing else.',
  next: 'Make the state folder writable, or name another folder with BATON_STATE.',
};

/** Whatever is wrong with the store, the status can still be told. */
function lookAt({ store: { file: path, look }, workerProblem }: System) {
  return look().then(
    async ({ engine, leases, isWritable }) => {
      const worker = leases.find(({ name, isDead }) => name === 'worker' && !isDead);
      const store = { path, isReady: true, engine, ...(isWritable ? {} : READ_ONLY) };
      const problem = worker ? undefined : await workerProblem();
      const nobody = problem ? `none: ${problem}` : 'none, one is started when there is work';
      return { store, worker: worker?.label ?? nobody };
    },
    (error: unknown) => {
      if (!(error instanceof BatonError)) throw error;
      const store = { path, isReady: false, problem: error.message, next: error.next };
      return { store, worker: 'unknown' };
    },
  );
}
