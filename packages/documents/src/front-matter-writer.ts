import type { Plain } from '@baton/core';
import type { Document, YAMLSeq } from 'yaml';

type Yaml = typeof import('yaml');

/** The longest text in a list on one line, and the longest such list. */
const SHORT_TEXT = 40;
const SHORT_LIST = 80;

// What YAML 1.1 or 1.2 does not allow as it is, or takes for a line break, and what turns the
// direction of a text.
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/u;
const LEFT_BY_JSON = /[\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;

/** Markdown with data before it, as `parseFrontMatter` and every reader of YAML understand it. */
export async function writeFrontMatter(
  data: Readonly<Record<string, Plain | undefined>>,
  body: string,
): Promise<string> {
  const yaml = await import('yaml');
  const document = new yaml.Document(data, {
    schema: 'core',
    // A text that YAML 1.1 takes for something else is quoted too, such as `yes` or a date.
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  });
  style(yaml, document);
  const text = document.toString({
    lineWidth: 0,
    singleQuote: false,
    doubleQuotedAsJSON: true,
    flowCollectionPadding: false,
  });
  // They stand within double quotes only, where such an escape means the same character.
  const head = text.replace(LEFT_BY_JSON, escaped);
  return `---\n${head}---\n${body === '' ? '' : `\n${body}`}`;
}

function style(yaml: Yaml, document: Document): void {
  yaml.visit(document, {
    Scalar(_, scalar, path) {
      const parent = path.at(-1);
      const isInLine = yaml.isSeq(parent) && parent.flow === true;
      const { value } = scalar;
      if (typeof value === 'string' && needsQuotes(value, isInLine)) scalar.type = 'QUOTE_DOUBLE';
    },
    Seq(_, list) {
      if (isShort(yaml, list)) list.flow = true;
    },
  });
}

/** Beyond what the library quotes: what it would lose, and what readers of YAML 1.1 stumble over. */
function needsQuotes(value: string, isInLine: boolean): boolean {
  if (/^\s+$/.test(value)) return true;
  if (value === '=' || value === '<<') return true;
  if (value.includes('\t') && !value.includes('\n')) return true;
  if (isInLine && /[?:]/.test(value)) return true;
  return UNPRINTABLE.test(value.replace(/[\n\t]/g, ''));
}

function isShort({ isScalar }: Yaml, { items }: YAMLSeq): boolean {
  const texts = items.map((item) => (isScalar(item) ? item.value : undefined));
  const fits = (text: unknown) =>
    typeof text === 'string' && text.length <= SHORT_TEXT && !text.includes('\n');
  return texts.every(fits) && texts.join(', ').length <= SHORT_LIST;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
