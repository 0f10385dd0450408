/** A point in time, or all of a day, a month or a year. */
export interface Span {
  /** As the engine reads it. */
  readonly from: string;
  /** The first moment after it; none for a point in time. */
  readonly until?: string;
}

const DAY = /^(\d{4})(?:-(\d\d)(?:-(\d\d))?)?$/;
const MOMENT =
  /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(\.\d{1,6})?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** `2024`, `2024-05`, `2024-05-01`, or such a day with a time; without a zone it is UTC. */
export function readSpan(text: string): Span | undefined {
  const day = DAY.exec(text);
  if (day) return spanOf(day);
  const moment = MOMENT.exec(text);
  return moment ? momentOf(moment) : undefined;
}

function spanOf([, year = '', month, day]: readonly (string | undefined)[]): Span | undefined {
  const from = dateOf(Number(year), Number(month ?? 1), Number(day ?? 1));
  if (!from) return undefined;
  const until = new Date(from);
  if (day) until.setUTCDate(until.getUTCDate() + 1);
  else if (month) until.setUTCMonth(until.getUTCMonth() + 1);
  else until.setUTCFullYear(until.getUTCFullYear() + 1);
  return { from: dayText(from), until: dayText(until) };
}

function momentOf(found: readonly (string | undefined)[]): Span | undefined {
  const [, year, month, day, hours, minutes, seconds = '00', fraction = '', zone = 'Z'] = found;
  const date = dateOf(Number(year), Number(month), Number(day));
  const isTime = Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
  if (!date || !isTime) return undefined;
  date.setUTCHours(Number(hours), Number(minutes) - zoneMinutes(zone), Number(seconds));
  // Nothing is before the year 0.
  if (date.getUTCFullYear() < 0) return undefined;
  const time = date.toISOString().replace(/^.*T/, '').slice(0, 8);
  return { from: `${dayText(date)} ${time}${fraction}` };
}

function zoneMinutes(zone: string): number {
  const found = /^([+-])(\d\d):?(\d\d)?$/.exec(zone);
  if (!found) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3] ?? 0);
  return found[1] === '-' ? -minutes : minutes;
}

function dateOf(year: number, month: number, day: number): Date | undefined {
  const date = new Date(0);
  // Not the constructor: it takes the years from 0 to 99 for those of the last century.
  date.setUTCFullYear(year, month - 1, day);
  const isReal = date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date : undefined;
}

function dayText(date: Date): string {
  const pad = (value: number, length: number) => String(value).padStart(length, '0');
  const month = pad(date.getUTCMonth() + 1, 2);
  return `${pad(date.getUTCFullYear(), 4)}-${month}-${pad(date.getUTCDate(), 2)}`;
}
