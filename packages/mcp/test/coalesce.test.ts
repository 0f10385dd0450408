import { createRandom } from '@baton/testkit';
import { expect, test } from 'vitest';
import { coalesce, type Schedule } from '../src/coalesce.ts';

/** Time that passes when the test says so. */
function createTime() {
  let now = 0;
  const waiting = new Map<() => void, number>();
  const schedule: Schedule = (run, ms) => {
    waiting.set(run, now + ms);
    return () => waiting.delete(run);
  };
  const pass = (ms: number) => {
    now += ms;
    for (const [run, at] of [...waiting]) {
      if (at > now) continue;
      waiting.delete(run);
      run();
    }
  };
  return { schedule, pass, waiting, now: () => now };
}

test('the first request runs at once, the rest once at the end of the time', () => {
  const time = createTime();
  let runs = 0;
  const { request } = coalesce(() => (runs += 1), 100, time.schedule);
  for (let each = 0; each < 1000; each++) request();
  expect(runs).toBe(1);
  time.pass(99);
  expect(runs).toBe(1);
  time.pass(1);
  expect(runs).toBe(2);
  request();
  expect(runs).toBe(2);
  time.pass(100);
  expect(runs).toBe(3);
});

test('a single request runs once, and one after the time at once again', () => {
  const time = createTime();
  let runs = 0;
  const { request } = coalesce(() => (runs += 1), 100, time.schedule);
  request();
  time.pass(100);
  expect(runs).toBe(1);
  expect(time.waiting.size).toBe(0);
  request();
  expect(runs).toBe(2);
});

test('what is stopped neither runs nor waits any more', () => {
  const time = createTime();
  let runs = 0;
  const { request, stop } = coalesce(() => (runs += 1), 100, time.schedule);
  request();
  request();
  stop();
  request();
  expect(time.waiting.size).toBe(0);
  time.pass(1000);
  expect(runs).toBe(1);
});

test('whatever comes when: never twice within the time, always after the last request', () => {
  for (let seed = 1; seed <= 200; seed++) {
    const random = createRandom(seed);
    const time = createTime();
    const ranAt: number[] = [];
    let state = 0;
    let seen = 0;
    const { request } = coalesce(
      () => {
        seen = state;
        ranAt.push(time.now());
      },
      100,
      time.schedule,
    );
    for (let step = 0; step < 100; step++) {
      if (random.integer(2) === 0) {
        state += 1;
        request();
      } else time.pass(random.integer(60));
    }
    time.pass(100);
    expect(seen, `seed ${seed}`).toBe(state);
    const gaps = ranAt.slice(1).map((at, index) => at - (ranAt[index] ?? 0));
    expect(Math.min(...gaps), `seed ${seed}`).toBeGreaterThanOrEqual(100);
  }
});
