import { BatonError } from '@baton/core';
import { type Kind, kindOf } from './reading/piece.ts';
import type { Wanted } from './uris.ts';

export const MODES = ['index', 'catalog', 'full'] as const;
export type Mode = (typeof MODES)[number];

export interface SearchRequest {
  readonly query: string;
  readonly mode: Mode;
  readonly maxTokens: number;
  readonly kinds?: readonly Kind[] | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  /** From 0 to 100. */
  readonly minScore?: number | undefined;
  readonly maxResults: number;
  readonly cursor?: string | undefined;
}

export const LIMITS = {
  maxTokens: { least: 100, most: 100_000, usual: 3000 },
  maxResults: { least: 1, most: 50, usual: 15 },
  minScore: { least: 0, most: 100, usual: 0 },
} as const;

/** The parameters of a URI as a request; their names are those of the tool, or orchestr8's. */
export function requestOf({ kind, parameters }: Extract<Wanted, { type: 'match' }>): SearchRequest {
  const mode = MODES.find((one) => one === (parameters.get('mode') || 'full'));
  if (!mode) throw bad(`mode must be one of ${MODES.join(', ')}.`);
  const kinds = [...listOf(parameters.get('kinds')), ...listOf(parameters.get('categories'))];
  return {
    query: parameters.get('query') ?? '',
    mode,
    maxTokens: numberOf('maxTokens', parameters),
    kinds: kind ? [kind] : kinds.map(knownKind),
    tags: listOf(parameters.get('tags')),
    minScore: numberOf('minScore', parameters),
    maxResults: numberOf('maxResults', parameters),
  };
}

function listOf(text = ''): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean);
}

function numberOf(name: keyof typeof LIMITS, parameters: ReadonlyMap<string, string>): number {
  const { least, most, usual } = LIMITS[name];
  const given = parameters.get(name) || usual;
  const value = Math.floor(Number(given));
  if (value >= least && value <= most) return value;
  throw bad(`${name} must be a number from ${least} to ${most}.`);
}

function knownKind(word: string): Kind {
  const kind = kindOf(word);
  if (kind) return kind;
  throw bad(`There is no kind ${JSON.stringify(word.slice(0, 40))}.`);
}

function bad(message: string): BatonError {
  return new BatonError('invalid_uri', message, 'Correct the URI and read it again.');
}
