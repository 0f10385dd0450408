import type { Catalogue, Category, Relation } from '../model.ts';
import { fold } from '../names.ts';

/** A category in a list. What is left out does not fit. */
interface ListedCategory {
  readonly id: string;
  readonly rows: number;
  readonly about?: string;
  /** `id*, name, departmentId → departments` */
  readonly fields?: string;
  readonly leadsTo?: string;
}

export interface Overview {
  readonly categories: readonly ListedCategory[];
  /** Too many for a list: `orders (120), products (18)`. */
  readonly others?: string;
  readonly version: string;
  readonly truncated: boolean;
  readonly next: string;
}

/** Of an overview as JSON: it is asked for first, and often. */
const MOST_CHARACTERS = 6000;
const MOST_FIELDS = 12;
const SHORT = 70;

/** All categories, or those that words are about, as fully as fits. */
export function overview(
  { categories, relations, version, problems }: Catalogue,
  text = '',
): Overview {
  const meant = categories.filter((category) => isAbout(category, text));
  const wrong = problems.filter(({ severity }) => severity === 'error').length;
  const remarks =
    wrong > 0
      ? ` ${wrong === 1 ? 'One problem' : `${wrong} problems`} with files: \`baton data check\` tells more.`
      : '';
  const ways: readonly ((category: Category) => ListedCategory)[] = [
    (category) => ({
      ...named(category),
      ...about(category, 160),
      fields: fieldsOf(category, relations),
    }),
    (category) => ({
      ...named(category),
      ...about(category, SHORT),
      ...leadsTo(category, relations),
    }),
    (category) => ({ ...named(category), ...leadsTo(category, relations) }),
  ];
  const answer = (listed: readonly ListedCategory[], others?: string): Overview => {
    const isCut = others?.endsWith('…') === true;
    return {
      categories: listed,
      ...(others !== undefined && { others }),
      version,
      truncated: isCut,
      next: nextStep(categories, meant, text, isCut, wrong) + remarks,
    };
  };
  for (const way of ways) {
    const full = answer(meant.map(way));
    if (JSON.stringify(full).length <= MOST_CHARACTERS) return full;
  }
  const names = meant.map(({ id, rows }) => `${id} (${rows})`).join(', ');
  return answer([], cut(names, MOST_CHARACTERS));
}

function nextStep(
  all: readonly Category[],
  meant: readonly Category[],
  text: string,
  isCut: boolean,
  wrong: number,
): string {
  if (all.length === 0) {
    if (wrong > 0) return 'None of the files can be used.';
    return 'There are no records yet: put CSV, TSV, JSON, NDJSON or Parquet files into .baton/data.';
  }
  if (meant.length === 0)
    return `No category is about ${JSON.stringify(text)}: leave \`text\` out.`;
  if (isCut) return 'There are more: `text` finds categories by words.';
  return 'Name a `category` for its fields, relations and example queries.';
}

/** Whether all words are in its names, its description or the names of its fields. */
function isAbout(category: Category, text: string): boolean {
  const { id, name, description, aliases, purpose = '', routing, fields } = category;
  const said = [id, name, description, purpose, ...aliases, ...routing];
  const all = fold(
    [...said, ...fields.flatMap((field) => [field.name, ...field.aliases])].join(' '),
  );
  return text.split(/\s+/).every((word) => all.includes(fold(word)));
}

function named({ id, rows }: Category): ListedCategory {
  return { id, rows };
}

/** What somebody has said; what was inferred only repeats the fields. */
function about({ description, isUndescribed }: Category, most: number): { about?: string } {
  return isUndescribed || description === '' ? {} : { about: cut(description, most) };
}

function fieldsOf({ id, key, fields }: Category, relations: readonly Relation[]): string {
  const shown = fields.slice(0, MOST_FIELDS).map(({ name, type }) => {
    const relation = relations.find(({ from, field }) => from === id && field === name);
    const mark = key.includes(name) ? '*' : '';
    const list = type === 'list' ? '[]' : '';
    return `${name}${mark}${list}${relation ? ` → ${relation.to}` : ''}`;
  });
  const more = fields.length - shown.length;
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function leadsTo({ id }: Category, relations: readonly Relation[]): { leadsTo?: string } {
  const targets = new Set(relations.filter(({ from }) => from === id).map(({ to }) => to));
  return targets.size > 0 ? { leadsTo: [...targets].join(', ') } : {};
}

export function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text;
}
