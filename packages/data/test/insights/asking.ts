import { expect } from 'vitest';
import type { Finding } from '../insights-under-test.ts';

/** The one finding of a kind about these fields. */
export function findingAbout(
  findings: readonly Finding[],
  kind: string,
  fields: readonly string[],
  what = /./,
): Finding {
  const found = findings.filter(
    (one) => one.kind === kind && one.fields.join() === fields.join() && what.test(one.what),
  );
  expect(found, `${kind} about ${fields.join(', ')}`).toHaveLength(1);
  return found[0] as Finding;
}

/** The numbers of a finding, with whatever is nested in them. */
export function numbersOf(finding: Finding) {
  return finding.numbers as { readonly [name: string]: unknown };
}

/** As close as numbers of findings are rounded. */
export function expectNear(actual: unknown, expected: number): void {
  expect(typeof actual).toBe('number');
  expect(Math.abs(Number(actual) - expected)).toBeLessThanOrEqual(
    1e-5 * Math.abs(expected) + 1e-12,
  );
}
