import type { Cell, Field } from '../model.ts';

/** What can be equal: a text is never a number. */
type Kind = 'text' | 'integer' | 'binary';

export interface Domain {
  readonly kind: Kind;
  readonly isList: boolean;
}

/** Undefined for what leads nowhere: measures, dates, booleans, nested values. */
export function domainOf({ type, sqlType }: Field): Domain | undefined {
  switch (type) {
    case 'text':
      return { kind: 'text', isList: false };
    case 'integer':
      return { kind: 'integer', isList: false };
    case 'binary':
      return { kind: 'binary', isList: false };
    case 'list':
      if (sqlType === 'VARCHAR[]') return { kind: 'text', isList: true };
      return sqlType === 'BIGINT[]' ? { kind: 'integer', isList: true } : undefined;
    default:
      return undefined;
  }
}

export interface Range {
  readonly min: number;
  readonly max: number;
  readonly distinct: number;
}

/** Of integers, also of those that are written as texts of the same length: `007`. */
export function rangeOf(
  min: Cell | undefined,
  max: Cell | undefined,
  distinct: number,
): Range | undefined {
  if (typeof min === 'number' && typeof max === 'number') return { min, max, distinct };
  if (typeof min !== 'string' || typeof max !== 'string' || min.length !== max.length) {
    return undefined;
  }
  const areDigits = /^\d+$/.test(min) && /^\d+$/.test(max);
  return areDigits ? { min: Number(min), max: Number(max), distinct } : undefined;
}

/** How unlikely it must be that values are among others by chance, as powers of ten. */
const BY_CHANCE = 9;
const FEWEST = 5;
/** Below it numbers count something. */
const SMALL = 1000;

/**
 * Whether it says something that integers are among others. Every small one is among the serial
 * numbers of any table; ones that are spread over a wide range are not by chance.
 */
export function isTelling(source: Range, target: Range): boolean {
  if (source.distinct < FEWEST || target.min < SMALL) return false;
  const density = target.distinct / (target.max - target.min + 1);
  if (isRegular(target)) return false;
  return source.distinct * -Math.log10(density) >= BY_CHANCE;
}

/** Numbers with the same steps between them: 1000, 1001 … or 1000, 1010 … */
function isRegular({ min, max, distinct }: Range): boolean {
  return distinct < 3 || (max - min) % (distinct - 1) === 0;
}

/** In steps of 5, 10, 100 …, as amounts are. */
function isRound({ min, max, distinct }: Range): boolean {
  return min % 5 === 0 && ((max - min) / (distinct - 1)) % 5 === 0;
}

const WHOLE_BLOCK = 10;

/**
 * 8111 to 8342 in both: numbers that somebody has set aside for this. Those that start at 1000 or
 * 10001 may be of anything.
 */
export function isSameBlock(source: Range, target: Range): boolean {
  const isYears = source.min >= 1800 && source.max <= 2200;
  return (
    !isYears &&
    !isRound(target) &&
    target.min % 100 > 1 &&
    target.min >= SMALL &&
    source.distinct >= WHOLE_BLOCK &&
    source.distinct >= target.distinct / 2 &&
    source.min >= target.min &&
    source.max <= target.max
  );
}

/** Whether ids go about as far as the ids they may be. */
export function fits(source: Range, target: Range): boolean {
  return source.distinct >= FEWEST && source.max <= target.max && source.max >= target.max / 2;
}

/** Whether no value of one can be a value of the other. */
export function isApart(a: Field, b: Field): boolean {
  return isBelow(a.max, b.min) || isBelow(b.max, a.min);
}

function isBelow(a: Cell | undefined, b: Cell | undefined): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b;
  // The engine compares bytes, which is the same for these.
  return isPlain(a) && isPlain(b) && a < b;
}

function isPlain(value: Cell | undefined): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]{1,64}$/.test(value);
}
