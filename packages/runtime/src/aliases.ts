import type { Aliases } from '@baton/core';

/** Names of tools in the systems that Baton replaces. A test requires each target to exist. */
export const aliases: Aliases = Object.freeze({
  create_copilot_plan: 'plan_create',
});
