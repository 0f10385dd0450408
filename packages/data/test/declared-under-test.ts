// What tests look at by itself, beside the service.
export { readCatalogFile } from '../src/declared/catalog-file.ts';
export { readCategoryFile, readRelationshipsFile } from '../src/declared/category-file.ts';
export type { DeclaredCategory } from '../src/declared/declared.ts';
export { readExamplesFile } from '../src/declared/examples-file.ts';
export { readJsonText } from '../src/declared/json-text.ts';
export { mergeDeclared } from '../src/declared/merge.ts';
export { readQueryFile } from '../src/declared/query-file.ts';
export { compilePattern } from '../src/declared/schema/pattern.ts';
export { readSchemaFile } from '../src/declared/schema-file.ts';
export { createValidator } from '../src/declared/validate-schema.ts';
export type { Problem } from '../src/model.ts';
