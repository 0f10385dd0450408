import type { Cell } from '../model.ts';

type FindingKind = 'quality' | 'outliers' | 'trend' | 'association' | 'distribution';

export interface Finding {
  readonly kind: FindingKind;
  /** The field that it is about first. */
  readonly fields: readonly string[];
  /** One sentence. */
  readonly what: string;
  readonly numbers: { readonly [name: string]: Cell };
  /** How it was computed, in few words. */
  readonly how: string;
}

/** A finding, and how much it says compared with others, from 0 to 1. */
export interface Found {
  readonly finding: Finding;
  readonly strength: number;
}

const LONGEST_VALUE = 40;

/** Enough digits to work with. */
export function rounded(value: number, digits = 6): number {
  return Number(value.toPrecision(digits));
}

/** How likely something is by accident; what is too small for a number is not impossible. */
export function pValue(p: number): number {
  return rounded(Math.max(p, 1e-300), 3);
}

/** A number as it stands in a sentence. */
export function shown(value: number): string {
  return String(rounded(value, Math.abs(value) >= 1000 ? 6 : 4));
}

/** `12 %` of something; what is less than all never reads as all, nor what is more than none as none. */
export function percent(share: number): string {
  const value = share * 100;
  if (share < 1 && value >= 99.95) return '>99.9 %';
  if (share > 0 && value < 0.1) return '<0.1 %';
  return `${rounded(value, value >= 10 ? 3 : 2)} %`;
}

/** A value of the data inside of a sentence: quoted, on one line and not long. */
export function quoted(value: Cell | undefined): string {
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  const plain = text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '␣');
  return `"${plain.length > LONGEST_VALUE ? `${plain.slice(0, LONGEST_VALUE - 1)}…` : plain}"`;
}

export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}
