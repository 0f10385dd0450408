import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  canBecome,
  isMoving,
  isOver,
  JOB_STATES,
  JOB_TRANSITIONS,
  PLAN_STATES,
  PLAN_TRANSITIONS,
} from '../src/states.ts';

type Transitions = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

function reachable(transitions: Transitions, from: string): string[] {
  const found = new Set([from]);
  for (const state of found) {
    for (const next of Object.values(transitions[state] ?? {}).flat()) found.add(next);
  }
  return [...found].sort();
}

test('every state can be reached from the first, and every way leads to a state', () => {
  expect(reachable(PLAN_TRANSITIONS, 'draft')).toEqual([...PLAN_STATES].sort());
  expect(reachable(JOB_TRANSITIONS, 'pending')).toEqual([...JOB_STATES].sort());
});

test('what is over has only these ways out', () => {
  const ways = (transitions: Transitions, states: readonly string[]) =>
    Object.fromEntries(states.map((state) => [state, Object.keys(transitions[state] ?? {})]));
  expect(ways(PLAN_TRANSITIONS, PLAN_STATES.filter(isOver))).toEqual({
    succeeded: ['land', 'archive'],
    failed: ['retry', 'archive'],
    cancelled: ['retry', 'recover', 'archive'],
    archived: ['recover'],
  });
  expect(ways(JOB_TRANSITIONS, ['succeeded', 'failed', 'cancelled'])).toEqual({
    succeeded: [],
    failed: ['retry'],
    cancelled: ['retry'],
  });
});

test('whatever was archived comes back as it was', () => {
  const archivable = PLAN_STATES.filter((state) => 'archive' in PLAN_TRANSITIONS[state]);
  expect([...PLAN_TRANSITIONS.archived.recover].sort()).toEqual(archivable.sort());
});

test('no plan moves and is over at once, and from each that moves it can end', () => {
  for (const state of PLAN_STATES) {
    expect(isMoving(state) && isOver(state)).toBe(false);
    if (isMoving(state)) expect(reachable(PLAN_TRANSITIONS, state)).toContain('cancelled');
  }
});

test('a state can become itself and what is listed, nothing else', () => {
  const anyPair = fc.tuple(fc.constantFrom(...JOB_STATES), fc.constantFrom(...JOB_STATES));
  fc.assert(
    fc.property(anyPair, ([from, to]) => {
      const listed: readonly string[] = Object.values(JOB_TRANSITIONS[from]).flat();
      expect(canBecome(JOB_TRANSITIONS, from, to)).toBe(from === to || listed.includes(to));
    }),
  );
});
