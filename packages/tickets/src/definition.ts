import { commandSchemas, lazily, plainText } from '@baton/core';
import * as z from 'zod';

/** Who is asked: any agent, a person, or whoever knows the answer. */
export const KINDS = ['agent', 'person', 'question'] as const;
export type Kind = (typeof KINDS)[number];

/** What somebody writes who links two tickets, from the side of the first. */
export const LINK_TYPES = ['needs', 'blocks', 'parent', 'subtask', 'related', 'duplicate'] as const;
export type LinkType = (typeof LINK_TYPES)[number];

export const OUTCOMES = ['done', 'failed', 'blocked', 'partial'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const DEFAULT_PRIORITY = 3;
export const DEFAULT_ATTEMPTS = 3;
/** Long enough for real work; whoever needs longer says so, or calls with the token meanwhile. */
export const DEFAULT_LEASE_SECONDS = 2 * 60 * 60;
/** After so many rounds of failing checks a person has a look. */
export const MAX_CYCLES = 3;

const WEEK_SECONDS = 7 * 24 * 60 * 60;
const REFERENCE = /^(T-?)?[1-9]\d{0,9}$|^[0-9a-f-]{36}$/i;
const LABEL = /^[^\s,-][^,]*$/;
const ONE_LINE = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

/** Refinements rather than patterns: those would stand in every list of tools. */
export function oneLine(longest: number) {
  return plainText(longest)
    .refine((text) => ONE_LINE.test(text), 'expected one line without control characters')
    .refine((text) => text === '' || /\S/.test(text), 'expected more than spaces');
}

/** The parts of a ticket, wherever they come from. */
export const ticketSchemas = lazily(() => {
  const title = oneLine(200);
  const label = oneLine(64).refine(
    (text) => !ONE_LINE.test(text) || LABEL.test(text),
    'expected a text without commas that begins with no -',
  );
  return {
    title,
    label,
    labels: z.array(label).max(20),
    body: z
      .string()
      .max(100_000)
      .refine((text) => !text.includes('\0'), 'must not hold NUL'),
    note: plainText(20_000),
    waitsFor: oneLine(1000),
    reference: z.string().refine((text) => REFERENCE.test(text), 'expected a ticket such as T-14'),
    kind: z.enum(KINDS),
    priority: z.int().min(1).max(5),
    name: oneLine(100),
    checks: z.array(commandSchemas().check).max(20),
    attempts: z.int().min(1).max(100),
    leaseSeconds: z.int().min(1).max(WEEK_SECONDS),
    waitSeconds: z.number().min(0).max(50),
  };
});

/** `T-14`, `t14` or `14`; `undefined` for an id of another form. */
export function numberIn(reference: string): number | undefined {
  const [, digits] = /^(?:T-?)?(\d+)$/i.exec(reference) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

export function refOf({ number }: { readonly number: number }): string {
  return `T-${number}`;
}
