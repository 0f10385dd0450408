export type {
  Catalogue,
  Category,
  Cell,
  Field,
  FieldType,
  Relation,
} from '../src/model.ts';
export { SEARCH_LIMITS, type SearchAnswer, type SearchRequest } from '../src/search/request.ts';
export { search } from '../src/search/search.ts';
export { readSpan } from '../src/search/times.ts';
