export type Unit = 'day' | 'week' | 'month' | 'quarter' | 'year';

/** Whichever is used gives so many. */
const FEWEST = 6;
const MOST = 60;
const DAY = 24 * 60 * 60 * 1000;

export interface Buckets {
  readonly unit: Unit;
  /** The first day of each, one after the other; only such as the data covers as a whole. */
  readonly starts: readonly string[];
}

/**
 * Months, or what else divides a time best. A first or last one that the data does not reach the
 * edge of is left out; of times within a day that cannot be known.
 */
export function bucketsOf(first: string, last: string, hasTimes: boolean): Buckets | undefined {
  for (const unit of ['month', 'week', 'day', 'quarter', 'year'] as const) {
    const starts: string[] = [];
    let start = startOf(unit, first);
    // One more than there may be is enough to know.
    while (start <= last && starts.length <= MOST + 2) {
      starts.push(start);
      start = after(unit, start);
    }
    const isCutAtFirst = unit === 'day' ? hasTimes : starts[0] !== first;
    const isCutAtLast = unit === 'day' ? hasTimes : dayBefore(start) !== last;
    const whole = starts.slice(isCutAtFirst ? 1 : 0, isCutAtLast ? -1 : undefined);
    if (whole.length >= FEWEST && whole.length <= MOST) return { unit, starts: whole };
  }
  return undefined;
}

/** How a bucket is called: `2024-05`, `2024-Q2`, `2024`, or its first day. */
export function bucketName(unit: Unit, start: string): string {
  const [year = '', month = ''] = start.split('-');
  if (unit === 'year') return year;
  if (unit === 'quarter') return `${year}-Q${Math.ceil(Number(month) / 3)}`;
  return unit === 'month' ? `${year}-${month}` : start;
}

function startOf(unit: Unit, day: string): string {
  const date = new Date(day);
  switch (unit) {
    case 'week':
      return dayOf(date.getTime() - ((date.getUTCDay() + 6) % 7) * DAY);
    case 'month':
      return utc(date.getUTCFullYear(), date.getUTCMonth());
    case 'quarter':
      return utc(date.getUTCFullYear(), 3 * Math.floor(date.getUTCMonth() / 3));
    case 'year':
      return utc(date.getUTCFullYear(), 0);
    default:
      return day;
  }
}

function after(unit: Unit, start: string): string {
  const date = new Date(start);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (unit) {
    case 'week':
      return dayOf(date.getTime() + 7 * DAY);
    case 'month':
      return utc(year, month + 1);
    case 'quarter':
      return utc(year, month + 3);
    case 'year':
      return utc(year + 1, 0);
    default:
      return dayOf(date.getTime() + DAY);
  }
}

function dayBefore(day: string): string {
  return dayOf(new Date(day).getTime() - DAY);
}

function utc(year: number, month: number): string {
  return dayOf(Date.UTC(year, month, 1));
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
