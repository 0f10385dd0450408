import type { PlanView } from '@baton/runtime';
import type { Style } from '../../style.ts';
import type { Job } from './plan-tools.ts';

const MARKS: Readonly<Record<Job['state'], readonly [mark: string, paint: keyof Style]>> = {
  pending: ['·', 'dim'],
  ready: ['○', 'dim'],
  scheduled: ['◌', 'cyan'],
  running: ['●', 'cyan'],
  succeeded: ['✔', 'green'],
  failed: ['✖', 'red'],
  blocked: ['⊘', 'yellow'],
  cancelled: ['⊖', 'yellow'],
};

export function markOf(state: Job['state'], style: Style): string {
  const [mark, colour] = MARKS[state];
  return style[colour](mark);
}

const PLAN_COLOURS: Partial<Record<PlanView['state'], keyof Style>> = {
  running: 'cyan',
  succeeded: 'green',
  failed: 'red',
  cancelled: 'yellow',
  paused: 'yellow',
};

export function planState(state: PlanView['state'], style: Style): string {
  return style[PLAN_COLOURS[state] ?? 'dim'](state);
}
