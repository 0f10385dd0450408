import type { z } from 'zod';
import { parseChecked } from './checked-yaml.ts';

/** A YAML or JSON file, checked. What is wrong with it is a BatonError with this code. */
export function parseYamlFile<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
  code: string,
): Promise<z.output<Schema>> {
  return parseChecked(text, schema, { file, code, whole: 'The file' });
}
