import type { Ports, Prompt } from '@baton/core';
import type { Counter } from './fixture-counters.ts';

/** What the fixtures' service is: enough to see from outside what a tool did. */
export interface Fixtures {
  readonly ports: Ports;
  readonly notes: Map<string, string>;
  readonly counters: Map<string, Counter>;
  readonly prompts: Map<string, Prompt<Fixtures>>;
}

export const base = { toolset: 'fixtures', effect: 'read', examples: [] } as const;
