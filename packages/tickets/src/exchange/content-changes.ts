import type { HistoryRow } from '../tables.ts';

const OPEN: readonly unknown[] = ['ready', 'waiting'];

interface Detail {
  readonly state?: unknown;
  readonly changes?: object;
  readonly linked?: string;
  readonly unlinked?: string;
}

/**
 * Whether something has happened to a ticket that its file would tell of. Who has it and what it
 * waits for comes and goes, and notes are merged.
 */
export function changesContent({ what, detail }: Pick<HistoryRow, 'what' | 'detail'>): boolean {
  const { state, changes, linked, unlinked } = JSON.parse(detail) as Detail;
  switch (what) {
    case 'note':
    case 'claimed':
    case 'taken':
      return false;
    case 'expired':
      return !OPEN.includes(state);
    case 'changed': {
      const stayedOpen = Array.isArray(state) && state.every((one) => OPEN.includes(one));
      return !stayedOpen || Boolean(changes ?? linked ?? unlinked);
    }
    default:
      return true;
  }
}
