import type { BriefTicket } from '@baton/runtime';
import type { Style } from '../../style.ts';

const COLOURS: Partial<Record<BriefTicket['state'], keyof Style>> = {
  claimed: 'cyan',
  verifying: 'cyan',
  blocked: 'yellow',
  done: 'green',
  failed: 'red',
  cancelled: 'dim',
};

export function ticketState(state: BriefTicket['state'], style: Style): string {
  const colour = COLOURS[state];
  return colour ? style[colour](state) : state;
}
