import { createBareSubject } from './bare-subject.ts';
import { type Claims, cpuTime, type Options, type Results, wallTime } from './protocol.ts';
import { createStoreSubject } from './store-subject.ts';
import type { Subject } from './subject.ts';

function createSubject({ name, file, library }: Options): Promise<Subject> {
  return name === 'bare' ? createBareSubject(file, library) : createStoreSubject(file);
}

export async function inserts(options: Options): Promise<() => Promise<Results['inserts']>> {
  const subject = await createSubject(options);
  for (let count = 0; count < options.warmUp; count += 1) await subject.insert('relaxed');
  return async () => {
    const begun = performance.now();
    const cpuBefore = cpuTime();
    let transactions = 0;
    for (; performance.now() - begun < options.ms; transactions += 1) {
      await subject.insert('durable');
    }
    const ms = performance.now() - begun;
    const cpuMs = cpuTime() - cpuBefore;
    await subject.close();
    return { transactions, ms, cpuMs };
  };
}

/** Works until nothing is left to do, so that all who share a queue end together. */
export async function claims(options: Options): Promise<() => Promise<Claims>> {
  const subject = await createSubject(options);
  for (let count = 0; count < options.warmUp; count += 1) {
    await subject.complete('relaxed', await subject.claim('relaxed'));
  }
  return async () => {
    const begun = wallTime();
    const cpuBefore = cpuTime();
    const claimMs: number[] = [];
    for (;;) {
      const asked = performance.now();
      const job = await subject.claim('durable');
      if (job === undefined) break;
      claimMs.push(performance.now() - asked);
      await subject.complete('durable', job);
    }
    const ended = wallTime();
    const cpuMs = cpuTime() - cpuBefore;
    await subject.close();
    return { begun, ended, cpuMs, claimMs };
  };
}
