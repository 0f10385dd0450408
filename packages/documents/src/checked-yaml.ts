import { BatonError, escapeLine, schemaProblems, truncate } from '@baton/core';
import type { z } from 'zod';
import { readYaml } from './yaml-source.ts';

const MOST_PROBLEMS = 8;
/** Of a value that is not as its schema wants it: finding each in the file takes time. */
const MAX_LOCATED = 200;
const LONGEST_MESSAGE = 500;

/** Whose text it is, and how what is wrong with it is told. */
export interface Origin {
  readonly file: string;
  /** What all of the YAML is called: `The file`. */
  readonly whole: string;
  /** The code of the error. */
  readonly code: string;
}

interface PlacedProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** YAML as its schema wants it. Every problem is told with its line and column, all in one go. */
export async function parseChecked<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  origin: Origin,
): Promise<z.output<Schema>> {
  const source = await readYaml(text, origin.whole);
  const { content } = source;
  const checked = content && schema.safeParse(content.value);
  if (checked?.success && source.problems.length === 0) return checked.data;
  const issues = checked?.error?.issues ?? [];
  const wrong = schemaProblems(schema, content?.value, issues, origin.whole);
  const problems = wrong.slice(0, MAX_LOCATED).map(({ path, isKey, message }) => ({
    offset: source.offsetOf(path, isKey),
    message,
  }));
  const inOrder = [...source.problems, ...problems].toSorted((a, b) => a.offset - b.offset);
  throw fileInvalid(
    origin,
    inOrder.map(({ offset, message }) => ({ ...source.positionOf(offset), message })),
    wrong.length - problems.length,
  );
}

export function fileInvalid(
  { file, code }: Pick<Origin, 'file' | 'code'>,
  problems: readonly PlacedProblem[],
  notLocated = 0,
): BatonError {
  const lines = problems
    .slice(0, MOST_PROBLEMS)
    .map(
      ({ line, column, message }) =>
        `${file}:${line}:${column}: ${escapeLine(truncate(message, LONGEST_MESSAGE))}`,
    );
  const more = problems.length - lines.length + notLocated;
  return new BatonError(
    code,
    [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    `Correct ${file} and try again.`,
  );
}
