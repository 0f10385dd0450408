import { setTimeout as delay } from 'node:timers/promises';
import { eventsAfter, newestEvent } from '@baton/store';
import { loadLibrary, openBare } from './bare-database.ts';
import { type Options, wallTime } from './protocol.ts';
import { openBenchStore } from './store-subject.ts';
import { WORKSPACE } from './subject.ts';

const TOPIC = 'notice';
/** Longer than any poll takes to notice, and never in step with one. */
const PAUSE_MS = 300;
const JITTER_MS = 250;
const PLAIN_POLL_MS = 250;

export async function send({ file, count }: Options): Promise<() => Promise<number[]>> {
  const store = await openBenchStore(file);
  return async () => {
    const committed: number[] = [];
    for (let sent = 0; sent < count; sent += 1) {
      await delay(PAUSE_MS + Math.random() * JITTER_MS);
      await store.write('durable', async (tx) => tx.emit(WORKSPACE, TOPIC));
      committed.push(wallTime());
    }
    await store.close();
    return committed;
  };
}

export async function hear(options: Options): Promise<() => Promise<number[]>> {
  return options.name === 'bare' ? hearByPolling(options) : hearFromStore(options);
}

/** When each event was heard of, in their order. */
async function hearFromStore({ file, count }: Options): Promise<() => Promise<number[]>> {
  const store = await openBenchStore(file);
  const heard: number[] = [];
  let cursor = await store.read((tx) => newestEvent(tx));
  let isDone = () => {};
  const done = new Promise<void>((resolve) => {
    isDone = resolve;
  });
  const unsubscribe = await store.changes.subscribe({ workspace: WORKSPACE, topic: TOPIC }, () => {
    const at = wallTime();
    void store
      .read((tx) => eventsAfter(tx, cursor))
      .then(({ events, cursor: next }) => {
        cursor = next;
        for (const _ of events) heard.push(at);
        if (heard.length >= count) isDone();
      });
  });
  return async () => {
    await done;
    unsubscribe();
    await store.close();
    return heard;
  };
}

/** As simple as it gets: asks every 250 ms. */
async function hearByPolling({ file, library, count }: Options): Promise<() => Promise<number[]>> {
  const database = openBare(await loadLibrary(library), file);
  const newest = database.prepare('select max(seq) as seq from events');
  const read = () => Number(newest.get()?.['seq'] ?? 0);
  let cursor = read();
  return async () => {
    const heard: number[] = [];
    while (heard.length < count) {
      await delay(PLAIN_POLL_MS);
      for (const now = read(); cursor < now; cursor += 1) heard.push(wallTime());
    }
    database.close();
    return heard;
  };
}
