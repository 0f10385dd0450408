import { BatonError } from '@baton/core';
import { expect } from 'vitest';
import { z } from 'zod';
import { parseYamlFile } from '../src/index.ts';

const id = z.string().regex(/^[a-z0-9-]{3,64}$/, 'Ids are 3 to 64 of a-z, 0-9 and -');
const shell = z.strictObject({ type: z.literal('shell'), command: z.string() });
const program = z.strictObject({
  type: z.literal('process'),
  executable: z.string(),
  args: z.array(z.string()).default([]),
  priority: z.enum(['low', 'high']).optional(),
});

const planOf = <Work extends z.ZodType>(work: Work) =>
  z.strictObject({
    name: z.string(),
    env: z.record(z.string().regex(/^[A-Z_]+$/), z.string()).optional(),
    jobs: z.array(z.strictObject({ id, work, needs: z.array(id).optional() })).min(1),
  });

/** One kind of schema may be written in several ways, with the same messages. */
export const SCHEMAS = {
  union: planOf(z.union([z.string(), shell, program])),
  discriminated: planOf(z.union([z.string(), z.discriminatedUnion('type', [shell, program])])),
  wrapped: planOf(z.union([z.string(), z.lazy(() => z.union([shell, program]).readonly())])),
  piped: planOf(z.preprocess((work) => work, z.union([z.string(), shell, program]))),
};

export function parsePlan<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  return parseYamlFile(text, 'plan.yaml', schema, 'plan_file_invalid');
}

/** Without the name of the file. */
export async function problemsOf(
  text: string,
  schema: z.ZodType = SCHEMAS.union,
): Promise<string[]> {
  const error: unknown = await parsePlan(text, schema).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(BatonError);
  expect(error).toMatchObject({
    code: 'plan_file_invalid',
    next: 'Correct plan.yaml and try again.',
  });
  return (error as BatonError).message.split('\n').map((line) => line.replace(/^plan\.yaml:/, ''));
}

export const withWork = (work: string) => `name: ship\njobs:\n  - id: build\n    work: ${work}\n`;
