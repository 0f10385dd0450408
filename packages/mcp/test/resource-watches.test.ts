import { cites } from '@baton/e2e/requirements';
import { createMemoryLog } from '@baton/testkit';
import { expect, test } from 'vitest';
import { ResourceWatches } from '../src/resource-watches.ts';
import { Subscriptions } from '../src/subscriptions.ts';

const base = { name: '', title: '', description: '', mimeType: 'text/plain' };

/** A template whose watches begin when the test says so. */
function createWatched() {
  const begun: { readonly name: string | undefined; changed(): void; fail(): void; go(): void }[] =
    [];
  let alive = 0;
  const template = {
    ...base,
    uriTemplate: 'test://{name}',
    read: () => undefined,
    watch: (_service: unknown, { name }: Readonly<Record<string, string>>, changed: () => void) =>
      new Promise<() => void>((resolve, reject) => {
        begun.push({
          name,
          changed,
          fail: () => reject(new Error('no watch today')),
          go() {
            alive += 1;
            resolve(() => {
              alive -= 1;
            });
          },
        });
      }),
  };
  const plain = { ...base, uriTemplate: 'plain://{name}', read: () => undefined };
  const published: string[] = [];
  const log = createMemoryLog();
  const watches = new ResourceWatches({
    templates: [plain, template].map((item) => ({ item, service: () => 'service' })),
    changes: {
      publish: (change) => published.push(change.kind === 'resource' ? change.uri : change.kind),
      subscribe: () => () => {},
    },
    log,
    schedule: () => () => {},
  });
  return { watches, begun, published, log, alive: () => alive };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test(`${cites('RESOURCES-SUBSCRIBE')} subscribers share one watch, and the last one ends it`, async () => {
  const { watches, begun, alive } = createWatched();
  const [first, second] = [watches.watch('test://a'), watches.watch('test://a')];
  await turn();
  expect(begun.map(({ name }) => name)).toEqual(['a']);
  begun[0]?.go();
  first();
  first(); // Which counts once.
  await turn();
  expect(alive()).toBe(1);
  second();
  await turn();
  expect(alive()).toBe(0);
  watches.watch('test://a');
  await turn();
  expect(begun).toHaveLength(2);
});

test(`${cites('RESOURCES-SUBSCRIBE')} a watch that begins after everybody has left is ended`, async () => {
  const { watches, begun, alive, published } = createWatched();
  watches.watch('test://late')();
  await turn();
  begun[0]?.go();
  await turn();
  expect(alive()).toBe(0);
  begun[0]?.changed();
  expect(published).toEqual([]);
});

test(`${cites('RESOURCES-SUBSCRIBE')} what may have changed before the watch began is announced`, async () => {
  const { watches, begun, published } = createWatched();
  watches.watch('test://a');
  await turn();
  expect(published).toEqual([]);
  begun[0]?.go();
  await turn();
  expect(published).toEqual(['test://a']);
});

test(`${cites('RESOURCES-SUBSCRIBE')} a watch that fails is logged, and tried again for the next`, async () => {
  const { watches, begun, log, alive } = createWatched();
  const first = watches.watch('test://a');
  await turn();
  begun[0]?.fail();
  await turn();
  expect(log.entries).toMatchObject([
    { level: 'warn', message: expect.stringContaining('test://a cannot be watched') },
  ]);
  const second = watches.watch('test://a');
  await turn();
  begun[1]?.go();
  await turn();
  expect(alive()).toBe(1);
  first();
  second();
  await turn();
  expect(alive()).toBe(0);
});

test(`${cites('RESOURCES-SUBSCRIBE')} what cannot be watched is left alone`, async () => {
  const { watches, begun } = createWatched();
  for (const uri of ['plain://a', 'other://a', '', `test://${'x'.repeat(10_000)}`]) {
    watches.watch(uri)();
  }
  await turn();
  expect(begun).toEqual([]);
});

test(`${cites('RESOURCES-SUBSCRIBE')} a connection that has closed begins no watch any more`, async () => {
  const { watches, begun } = createWatched();
  const subscribed = new Subscriptions<string>(watches);
  subscribed.close();
  subscribed.add('late', ['test://a']);
  await turn();
  expect(begun).toEqual([]);
});

test(`${cites('RESOURCES-SUBSCRIBE')} what has ended makes room under the limit`, () => {
  const subscribed = new Subscriptions<number>(createWatched().watches);
  const uris = Array.from({ length: 600 }, (_, index) => `test://${index}`);
  subscribed.add(1, uris);
  expect(() => subscribed.add(2, uris)).toThrow('At most 1000 subscriptions');
  subscribed.add(1, uris); // In place of the first.
  subscribed.remove(1);
  subscribed.remove(1);
  subscribed.add(2, uris);
  expect(() => subscribed.add(3, uris)).toThrow('At most 1000 subscriptions');
});
