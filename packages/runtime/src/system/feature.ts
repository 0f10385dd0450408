import { defineFeature } from '@baton/core';
import { systemTools } from './tools/index.ts';
import type { System } from './tools/status.ts';

/** Baton's own feature: what every client can ask whatever toolsets were chosen. */
export function createSystemFeature(describe: () => Omit<System, 'workspace'>) {
  return defineFeature<System>({
    id: 'system',
    instructions:
      'Baton serves every coding agent on this machine. Call `status` first to see the workspace and what is available. A failed call says in `next` what to do.',
    tools: systemTools,
    create: ({ workspace }) => ({ ...describe(), workspace }),
  });
}
