import type { Parsed } from './flags.ts';
import { UsageError } from './usage-error.ts';

/** The value of a flag that takes one. */
export function textOf({ values }: Parsed, flag: string): string | undefined {
  return values[flag] as string | undefined;
}

export function textsOf({ values }: Parsed, flag: string): readonly string[] | undefined {
  return values[flag] as string[] | undefined;
}

export function wholeNumberOf({ values }: Parsed, flag: string): number | undefined {
  const given = values[flag] as string | undefined;
  if (given === undefined) return undefined;
  if (!/^\d{1,9}$/.test(given)) throw new UsageError(`--${flag} must be a whole number.`);
  return Number(given);
}
