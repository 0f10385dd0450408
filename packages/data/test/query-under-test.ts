export type { Engine } from '../src/engine/engine.ts';
export type { Catalogue, Category, Field, FieldType, Relation } from '../src/model.ts';
export { fitRows, MOST_CHARACTERS } from '../src/query/fit-rows.ts';
export { HARMLESS_FUNCTIONS, TABLE_FUNCTIONS } from '../src/query/functions.ts';
export { guard } from '../src/query/guard.ts';
export { query } from '../src/query/query.ts';
