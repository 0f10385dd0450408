import { readYaml } from './yaml-source.ts';

/** A line that is neither blank nor a comment nor a mark between documents. */
const CONTENT = /^(?!(?:---|\.\.\.)\s*$)[ \t\ufeff]*[^\s#]/m;

export interface PlainYaml {
  readonly value: unknown;
  /** The line on which an entry of the whole begins. */
  lineOf(key: string): number;
}

/**
 * What a YAML text holds, nothing if it is empty. What is wrong with it is an error that says where.
 */
export async function parsePlainYaml(text: string): Promise<PlainYaml | undefined> {
  if (!CONTENT.test(text)) return undefined;
  const { content, problems, positionOf, offsetOf } = await readYaml(text, 'The file');
  const [first] = problems;
  if (!first) {
    return { value: content?.value, lineOf: (key) => positionOf(offsetOf([key], true)).line };
  }
  const { line, column } = positionOf(first.offset);
  throw new Error(`${first.message} (${line}:${column})`);
}
