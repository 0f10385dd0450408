import { BatonError } from '@baton/core';
import type { LogFiles, Reading } from '@baton/store';
import { type Job, type Plan, tables } from '../plan-repository.ts';

/** An answer should stay below 10 kB, and escaping may make it longer. */
const PAGE_BYTES = 6000;

export interface LogQuery {
  readonly attempt?: number | undefined;
  /** Below 0: so many bytes before the end. */
  readonly from?: number | undefined;
}

export interface LogPlace {
  readonly id: string;
  readonly number: number;
  readonly isOver: boolean;
}

/** The attempt whose output is asked for: the newest, unless one is named. */
export async function findLog(
  tx: Reading,
  plan: Plan,
  job: Job,
  attempt: number | undefined,
): Promise<LogPlace | undefined> {
  if (job.tries === 0) return undefined;
  const row = await tables(tx)
    .selectFrom('plan_attempts')
    .select(['id', 'number', 'state'])
    .where('plan_id', '=', plan.id)
    .where('job_id', '=', job.id)
    .where('number', '=', attempt ?? job.tries)
    .executeTakeFirst();
  if (!row) {
    throw new BatonError(
      'attempt_unknown',
      `Job ${job.id} has no attempt ${attempt}; it has had ${job.tries}.`,
      'Leave `attempt` out for the newest one.',
    );
  }
  return { id: row.id, number: row.number, isOver: row.state !== 'open' };
}

export async function readLog(
  logs: LogFiles,
  place: LogPlace,
  { from = -PAGE_BYTES }: LogQuery,
  limit = PAGE_BYTES,
) {
  const start = from >= 0 ? from : Math.max(0, (await logs.read(place.id, 0, 0)).end + from);
  const page = await logs.read(place.id, start, limit);
  const bytes = wholeCharacters(page.bytes, page.next < page.end || !place.isOver);
  return {
    attempt: place.number,
    from: page.from,
    next: page.from + bytes.length,
    end: page.end,
    truncated: page.isCut,
    isOver: place.isOver && page.from + bytes.length >= page.end,
    text: bytes.toString('utf8'),
  };
}

/** Without the beginning of a character whose rest comes with the next page. */
function wholeCharacters(bytes: Buffer, hasMore: boolean): Buffer {
  let lead = bytes.length - 1;
  const isWithin = () => ((bytes[lead] ?? 0) & 0xc0) === 0x80;
  while (lead > Math.max(0, bytes.length - 4) && isWithin()) lead -= 1;
  const isCut = lead >= 0 && lead + characterLength(bytes[lead] ?? 0) > bytes.length;
  return hasMore && isCut ? bytes.subarray(0, lead) : bytes;
}

function characterLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
