export type { Engine } from '../src/engine/engine.ts';
export { quoteName, quoteText } from '../src/engine/engine.ts';
export type { Inference, InferredTable, TableFacts } from '../src/inference/facts.ts';
export { readName } from '../src/inference/field-names.ts';
export { infer } from '../src/inference/infer.ts';
export type { Cell, Field, FieldType } from '../src/model.ts';
