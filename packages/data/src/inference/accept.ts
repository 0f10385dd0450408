import type { Pair } from './candidates.ts';
import { fits, isSameBlock, isTelling, type Range, rangeOf } from './domains.ts';
import type { Evidence, Shape } from './evidence.ts';
import { isIdNamed } from './field-names.ts';
import { isRole, SURE } from './name-hints.ts';

/** A pair whose values have been counted. */
export interface Weighed {
  readonly pair: Pair;
  readonly evidence: Evidence;
  /** Different values of the source that are found, and all values. */
  readonly values: number;
  readonly total: number;
}

/** So much of what a field holds must be found if names say where it leads. */
const MOST = 0.9;
/** Of few values, one may be wrong: to be told so is what somebody wants who has named them. */
const FEW_VALUES = 2;
/** A hint from here on is enough for numbers that count from 1. */
const CLEAR = 0.75;
export const FEW_CODES = 3;
const FEW_WORDS = 5;
const FEW_NAMES = 8;

/** Whether names and values together say that one leads to the other. */
export function isAccepted(weighed: Weighed): boolean {
  const { pair, evidence, values } = weighed;
  if (evidence.values === 0) return false;
  if (values < evidence.values * MOST && !isOneWrong(weighed)) return false;
  return (pair.hint > 0 && isHintTrue(weighed)) || isToldByValues(weighed);
}

/** `departmentId` of departments, with a single value that is none of them. */
function isOneWrong({ pair, evidence, values }: Weighed): boolean {
  const { hint, source, target } = pair;
  const isNamed = hint === 1 && isIdNamed(source.name) && target.isKey;
  return isNamed && values >= FEW_VALUES && values === evidence.values - 1;
}

function isHintTrue(weighed: Weighed): boolean {
  const { pair, evidence, values } = weighed;
  const { hint, source } = pair;
  const isAll = values === evidence.values;
  const numbers = rangesOf(weighed);
  if (!areNumbers(evidence) || (numbers && isTelling(numbers.source, numbers.target))) {
    return hint >= CLEAR || isSpecific(evidence) || (isAll && values >= FEW_CODES);
  }
  // Every table has a first record: it says nothing that such numbers are found.
  if (isIdNamed(source.name) || isRole(source.name) || source.domain.isList) {
    if (hint >= SURE) return true;
    if (hint >= CLEAR) return isAll;
  }
  // `grade` from 1 to 12 is no number of one of 500 grades.
  return isAll && numbers !== undefined && fits(numbers.source, numbers.target);
}

/** Whether they are nothing but digits. */
function areNumbers({ shape, values }: Evidence): boolean {
  return !shape || shape.digits === values;
}

function rangesOf({ pair, evidence }: Weighed): { source: Range; target: Range } | undefined {
  if (!areNumbers(evidence)) return undefined;
  const { field } = pair.target;
  const source = rangeOf(evidence.min, evidence.max, evidence.values);
  const target = rangeOf(field.min, field.max, field.distinct);
  return source && target && { source, target };
}

/** Without a hint, nothing may be missing, and the values must be of a kind of their own. */
function isToldByValues(weighed: Weighed): boolean {
  const { pair, evidence, values } = weighed;
  const { source, target } = pair;
  if (values < evidence.values || values < FEW_CODES) return false;
  // In its own table it may be the same value twice.
  if (source.table === target.table && source.field.isUnique) return false;
  if (areNumbers(evidence)) return areNumbersOf(weighed);
  if (isSpecific(evidence)) return target.isKey || isIdNamed(target.name);
  return areWords(weighed);
}

function areNumbersOf(weighed: Weighed): boolean {
  const numbers = rangesOf(weighed);
  if (!numbers) return false;
  const { source, target } = numbers;
  const isPlain = weighed.pair.source.name.mark === undefined;
  return isTelling(source, target) || (isPlain && isSameBlock(source, target));
}

/** Codes and UUIDs: nothing is among them by chance. */
function isSpecific({ shape, values }: Evidence): boolean {
  if (!shape || values < FEW_CODES) return false;
  return isUuid(shape, values) || (shape.codes === values && shape.shortest >= 4);
}

export function isUuid(shape: Shape | undefined, values: number): boolean {
  return shape !== undefined && shape.uuids === values;
}

/** Words are shared by chance: there have to be more, and a good part of the others. */
function areWords({ pair, evidence, values }: Weighed): boolean {
  const { target } = pair;
  const { shape } = evidence;
  if (!shape || shape.shortest < 2) return false;
  // Short ones are words of many languages, unless all of the target are used.
  if (shape.meanLength < 3 && values < target.field.distinct) return false;
  const isCode = target.isKey && target.name.mark !== 'name';
  return isCode
    ? values >= FEW_WORDS && values >= target.field.distinct / 10
    : values >= FEW_NAMES && values >= target.field.distinct / 5;
}
