export type { Cell, Field } from '../src/model.ts';
