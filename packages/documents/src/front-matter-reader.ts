import type { z } from 'zod';
import { fileInvalid, parseChecked } from './checked-yaml.ts';

/** Markdown with data before it. */
interface FrontMatter<Data> {
  readonly data: Data;
  /** All that follows, to the byte, without the one blank line that sets it off. */
  readonly body: string;
}

// Not with the flag m: it takes more for a line break than YAML does.
const OPENING = /^---[ \t]*(?:\r?\n|$)/;
const CLOSING = /(?<=\n)---[ \t]*(?:\r?\n|$)/;
const BLANK_LINE = /^\r?\n/;

const MISSING = 'The front matter is missing: the file must begin with a line ---.';
const UNCLOSED = 'The front matter has no end: a line --- must follow it.';

/** A file with front matter, checked. What is wrong with it is a BatonError with this code. */
export async function parseFrontMatter<Schema extends z.ZodType>(
  text: string,
  file: string,
  schema: Schema,
  code: string,
): Promise<FrontMatter<z.output<Schema>>> {
  const source = text.replace(/^\ufeff/, '');
  const closing = CLOSING.exec(source);
  if (!OPENING.test(source) || !closing) {
    const message = OPENING.test(source) ? UNCLOSED : MISSING;
    throw fileInvalid({ file, code }, [{ line: 1, column: 1, message }]);
  }
  // With the opening line, which YAML knows too: so positions are those of the file.
  const yaml = source.slice(0, closing.index);
  const data = await parseChecked(yaml, schema, { file, code, whole: 'The front matter' });
  const body = source.slice(closing.index + closing[0].length).replace(BLANK_LINE, '');
  return { data, body };
}
