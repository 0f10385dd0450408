import { BatonError, escapeLine, schemaProblems, truncate } from '@baton/core';
import type { z } from 'zod';
import { readYaml, type YamlSource } from './yaml-source.ts';

const MOST_PROBLEMS = 8;
const LONGEST_MESSAGE = 500;

/** A YAML or JSON file, checked. Every problem is told with its line and column, all in one go. */
export async function parseYamlFile<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const source = await readYaml(text);
  const { content } = source;
  const checked = content && schema.safeParse(content.value);
  if (checked?.success && source.problems.length === 0) return checked.data;
  const wrong = checked?.error ? schemaProblems(schema, content?.value, checked.error.issues) : [];
  const problems = wrong.map(({ path, isKey, message }) => ({
    offset: source.offsetOf(path, isKey),
    message,
  }));
  throw invalid(file, source, [...source.problems, ...problems]);
}

function invalid(
  file: string,
  { positionOf }: YamlSource,
  problems: YamlSource['problems'],
): BatonError {
  const lines = problems
    .toSorted((a, b) => a.offset - b.offset)
    .slice(0, MOST_PROBLEMS)
    .map(({ offset, message }) => {
      const { line, column } = positionOf(offset);
      return `${file}:${line}:${column}: ${escapeLine(truncate(message, LONGEST_MESSAGE))}`;
    });
  const more = problems.length - lines.length;
  return new BatonError(
    'plan_file_invalid',
    [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    `Correct ${file} and try again.`,
  );
}
