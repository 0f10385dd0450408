const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const TIME = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})?$/i;
const LONGEST_LOCAL = 64;
const LONGEST_ADDRESS = 254;
const LONGEST_URI = 8192;

/** Formats that are checked; others are not. */
export const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', isDate],
  ['date-time', isTimestamp],
  ['email', isEmail],
  ['uri', isUri],
]);

function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** The zone may be missing: the engine keeps none. */
function isTimestamp(text: string): boolean {
  return isDate(text.slice(0, 10)) && /[T ]/i.test(text.charAt(10)) && TIME.test(text.slice(11));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  const [local, domain] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
  if (local === '' || local.length > LONGEST_LOCAL || text.length > LONGEST_ADDRESS) return false;
  return !/[\s@]/.test(local) && domain.split('.').every((label) => /^[\p{L}\d-]+$/u.test(label));
}

function isUri(text: string): boolean {
  if (text.length > LONGEST_URI || !/^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]+$/i.test(text)) return false;
  return !/^https?:/i.test(text) || URL.canParse(text);
}
