import { defineTool, type Workspace } from '@baton/core';
import * as z from 'zod';

export interface System {
  readonly version: string;
  readonly workspace: Workspace;
  readonly features: readonly string[];
  readonly toolsets: readonly string[];
  readonly readOnly: boolean;
  readonly warnings: readonly string[];
}

export const status = defineTool({
  name: 'status',
  title: 'Status',
  description: "Baton's version, the workspace it serves, what is available, and any warnings.",
  toolset: 'system',
  effect: 'read',
  input: z.object({}),
  output: z.object({
    version: z.string(),
    workspace: z.object({
      path: z.string(),
      foundBy: z.enum(['baton-folder', 'git', 'folder']),
    }),
    features: z.array(z.string()),
    toolsets: z.array(z.string()),
    readOnly: z.boolean(),
    warnings: z.array(z.string()),
  }),
  examples: [{ title: 'What is running here?', input: {} }],
  run: (system: System) => ({
    ...system,
    workspace: { ...system.workspace },
    features: [...system.features],
    toolsets: [...system.toolsets],
    warnings: [...system.warnings],
  }),
});
