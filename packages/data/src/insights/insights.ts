import { findFields } from '../describe/find-fields.ts';
import { type Engine, EngineError } from '../engine/engine.ts';
import type { Catalogue } from '../model.ts';
import { findCategory } from '../search/find-category.ts';
import { associations } from './associations.ts';
import { concentration } from './concentration.ts';
import type { Finding, Found } from './finding.ts';
import { outliers } from './outliers.ts';
import { quality } from './quality/quality.ts';
import { createSubject, type Subject } from './subject.ts';
import { trends } from './trends.ts';

const USUAL_FINDINGS = 10;
const MOST_FINDINGS = 50;
/** About so many characters of JSON an answer may have. */
const MOST_CHARACTERS = 9000;
const FOR_THE_REST = 600;

export interface InsightsRequest {
  readonly category: string;
  /** Only what concerns this field. */
  readonly field?: string;
  readonly limit?: number;
  /** What lies in the future is told by it: `2025-01-31`. */
  readonly today?: string;
  readonly signal?: AbortSignal;
}

export interface Insights {
  readonly category: string;
  /** Of the data. */
  readonly version: string;
  readonly rows: number;
  /** The strongest first. */
  readonly findings: readonly Finding[];
  /** How many comparisons were made to find associations and trends. */
  readonly tests: number;
  /** Whether there are more findings than are shown. */
  readonly truncated: boolean;
  readonly next?: string;
}

interface Part {
  readonly found: readonly Found[];
  readonly tests?: number;
}

/** What can be noticed about the records of a category. */
export async function insights(
  catalogue: Catalogue,
  engine: Engine,
  request: InsightsRequest,
): Promise<Insights> {
  const category = findCategory(catalogue, request.category);
  const [field] = findFields(category, request.field === undefined ? [] : [request.field]);
  const subject = createSubject(catalogue, engine, category, field?.name, request.signal);
  const today = request.today ?? new Date().toISOString().slice(0, 10);
  const { found, tests, leftOut } = await look(subject, today);
  const most = Math.min(MOST_FINDINGS, Math.max(1, request.limit ?? USUAL_FINDINGS));
  const sorted = found.toSorted((a, b) => b.strength - a.strength).map(({ finding }) => finding);
  const findings = fitting(sorted.slice(0, most));
  const hidden = sorted.length - findings.length;
  const hints = [
    ...(hidden > 0 ? [`${hidden} more: raise limit, or name a field.`] : []),
    ...(leftOut.length > 0 ? [`Left out because they took too long: ${leftOut.join(', ')}.`] : []),
  ];
  return {
    category: category.id,
    version: catalogue.version,
    rows: category.rows,
    findings,
    tests,
    truncated: hidden > 0,
    ...(hints.length > 0 && { next: hints.join(' ') }),
  };
}

async function look(subject: Subject, today: string) {
  const parts: Record<string, () => Promise<Part>> = {
    quality: async () => ({ found: await quality(subject, today) }),
    outliers: async () => ({ found: await outliers(subject) }),
    trends: () => trends(subject, today),
    associations: () => associations(subject),
    distribution: async () => ({ found: await concentration(subject) }),
  };
  const found: Found[] = [];
  const leftOut: string[] = [];
  let tests = 0;
  // Where nothing differs there is nothing to notice.
  const isConstant = subject.own.every(({ field }) => field.distinct <= 1);
  for (const [name, run] of isConstant ? [] : Object.entries(parts)) {
    try {
      const part = await run();
      found.push(...part.found);
      tests += part.tests ?? 0;
    } catch (error) {
      if (!isTooMuch(error)) throw error;
      leftOut.push(name);
    }
  }
  return { found, tests, leftOut };
}

function isTooMuch(error: unknown): boolean {
  return error instanceof EngineError && ['time', 'memory'].includes(error.failure);
}

function fitting(findings: readonly Finding[]): readonly Finding[] {
  let used = FOR_THE_REST;
  return findings.filter((finding) => {
    used += JSON.stringify(finding).length + 1;
    return used <= MOST_CHARACTERS;
  });
}
