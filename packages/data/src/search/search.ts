import { BatonError } from '@baton/core';
import type { Engine } from '../engine/engine.ts';
import type { Catalogue, Category } from '../model.ts';
import { listed } from '../query/near-names.ts';
import type { Search } from './answer.ts';
import { createAsk } from './ask.ts';
import { invalid } from './filter-errors.ts';
import { findCategory } from './find-category.ts';
import { SEARCH_LIMITS, type SearchAnswer, type SearchRequest } from './request.ts';
import { searchCategory } from './search-category.ts';
import { searchEverywhere } from './search-everywhere.ts';

/** A catalogue, and an engine that has a view for each of its categories. */
interface SearchSource {
  readonly catalogue: Catalogue;
  readonly engine: Engine;
}

export interface SearchOptions {
  readonly signal?: AbortSignal;
  /** How long the answer may become, as JSON. */
  readonly characters?: number;
  /** How many records it may have. */
  readonly most?: number;
}

/** Finds records by filters, by words, or by their id. */
export async function search(
  { catalogue, engine }: SearchSource,
  request: SearchRequest,
  {
    signal,
    characters = SEARCH_LIMITS.characters,
    most = SEARCH_LIMITS.limit.most,
  }: SearchOptions = {},
): Promise<SearchAnswer> {
  const { usual } = SEARCH_LIMITS.limit;
  const started: Search = {
    ask: createAsk(engine, signal),
    ...{ catalogue, request, characters },
    words: wordsOf(request.text),
    limit: Math.min(most, Math.max(1, Math.floor(request.limit ?? usual))),
  };
  const category = categoryOf(catalogue, request);
  if (category) return searchCategory(started, category);
  const { id, filters, fields, sort, connections } = request;
  const hasFilters = Object.keys(filters ?? {}).length > 0;
  const isTextOnly = !(id || hasFilters || fields?.length || sort?.length || connections);
  if (!isTextOnly || started.words.length === 0) throw noCategory(catalogue);
  return searchEverywhere(started);
}

function categoryOf(catalogue: Catalogue, { category }: SearchRequest): Category | undefined {
  if (category !== undefined) return findCategory(catalogue, category);
  const [only, ...others] = catalogue.categories;
  return others.length === 0 ? only : undefined;
}

function wordsOf(text = ''): readonly string[] {
  const words = [...new Set(text.split(/\s+/).filter(Boolean))];
  if (words.length <= SEARCH_LIMITS.words) return words;
  throw invalid(
    `The text has more than ${SEARCH_LIMITS.words} words.`,
    'Take the few words that matter: a record has to contain all of them.',
  );
}

function noCategory({ categories }: Catalogue): BatonError {
  return new BatonError(
    'data_category_unknown',
    'Only a text can be looked for without a category.',
    `Name one of the categories: ${listed(categories.map(({ id }) => id))}.`,
  );
}
