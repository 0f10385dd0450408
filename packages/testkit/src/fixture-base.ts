import type { Ports } from '@baton/core';

/** What the fixtures' service is: enough to see from outside what a tool did. */
export interface Fixtures {
  readonly ports: Ports;
  readonly notes: Map<string, string>;
}

export const base = { toolset: 'fixtures', effect: 'read', examples: [] } as const;
