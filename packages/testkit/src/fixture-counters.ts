import { defineTool, type ResourceTemplate } from '@baton/core';
import * as z from 'zod';
import { base, type Fixtures } from './fixture-base.ts';

/** A number that changes, and those who watch it. */
export class Counter {
  value = 0;
  watchesBegun = 0;
  readonly #listeners = new Set<() => void>();

  get watchesAlive(): number {
    return this.#listeners.size;
  }

  bump(): void {
    this.value += 1;
    for (const listener of this.#listeners) listener();
  }

  watch(changed: () => void): () => void {
    const listener = () => changed();
    this.#listeners.add(listener);
    this.watchesBegun += 1;
    return () => this.#listeners.delete(listener);
  }
}

function counterOf({ counters }: Fixtures, name: string): Counter {
  const counter = counters.get(name) ?? new Counter();
  counters.set(name, counter);
  return counter;
}

export const counter: ResourceTemplate<Fixtures> = {
  uriTemplate: 'fixture://counter/{name}',
  name: 'counter',
  title: 'Counter',
  description: 'A number that can be watched, unless it is called "unwatchable".',
  mimeType: 'text/plain',
  read(fixtures, { name = '' }) {
    return { mimeType: 'text/plain', text: String(counterOf(fixtures, name).value) };
  },
  async watch(fixtures, { name = '' }, changed) {
    if (name === 'unwatchable') throw new TypeError('nobody may watch this counter');
    const end = counterOf(fixtures, name).watch(changed);
    fixtures.ports.log.write('info', `counter ${name} is watched`);
    return () => {
      end();
      fixtures.ports.log.write('info', `counter ${name} is no longer watched`);
    };
  },
};

export const counterBump = defineTool({
  ...base,
  name: 'counter_bump',
  title: 'Bump a counter',
  description: 'Adds one to a counter, many times if that is asked for.',
  input: z.object({
    name: z.string().min(1),
    times: z.number().int().min(1).max(100_000).default(1),
  }),
  output: z.object({ value: z.number() }),
  run(fixtures: Fixtures, { name, times }) {
    const bumped = counterOf(fixtures, name);
    for (let time = 0; time < times; time++) bumped.bump();
    return { value: bumped.value };
  },
});

export const counterWatches = defineTool({
  ...base,
  name: 'counter_watches',
  title: 'Watches of a counter',
  description: 'Tells how many watches of a counter there are, and how many there have been.',
  input: z.object({ name: z.string().min(1) }),
  output: z.object({ alive: z.number(), begun: z.number() }),
  run(fixtures: Fixtures, { name }) {
    const { watchesAlive: alive, watchesBegun: begun } = counterOf(fixtures, name);
    return { alive, begun };
  },
});
