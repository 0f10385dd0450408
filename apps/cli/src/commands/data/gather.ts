import type { Cell, DataSession, FoundRecord, SearchAnswer } from './data-session.ts';

const MOST_OF_A_PAGE = 5000;
/** Whoever reads a file has room for more than an agent. */
export const ROOM = 4 * 1024 * 1024;

/** Searches page by page, as if there were one; at most so many records. */
export async function gather(
  { service, tools: { signal } }: DataSession,
  request: object,
  most: number,
): Promise<SearchAnswer> {
  const records: FoundRecord[] = [];
  let page: object = {};
  let hint: { readonly next?: string } = {};
  for (;;) {
    const limit = Math.min(MOST_OF_A_PAGE, most - records.length);
    const room = { signal, characters: ROOM, most: MOST_OF_A_PAGE };
    const answer = await service.search({ ...request, ...page, limit }, room);
    records.push(...answer.records);
    const { cursor, next } = answer;
    if (next !== undefined) hint = { next };
    if (cursor === undefined || records.length >= most) return { ...answer, ...hint, records };
    page = { cursor };
  }
}

/** Whether a value seems to go on. */
export function isCut({ values }: FoundRecord): boolean {
  return Object.values(values).some(seemsCut);
}

function seemsCut(value: Cell): boolean {
  if (typeof value === 'string') return value.endsWith('…');
  return Array.isArray(value) && value.some(seemsCut);
}
