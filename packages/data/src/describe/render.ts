import { cellText } from '../cell-text.ts';
import type { Cell } from '../model.ts';

interface RenderedField {
  readonly name: string;
  readonly type: string;
  readonly about?: string | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly required?: true | undefined;
  readonly unique?: true | undefined;
  readonly missing?: number | undefined;
  readonly distinct?: number | undefined;
  readonly range?: readonly unknown[] | undefined;
  readonly values?: string | undefined;
  readonly notes?: readonly string[] | undefined;
}

interface RenderedCategory {
  readonly id: string;
  readonly table: string;
  readonly name: string;
  readonly description: string;
  readonly aliases?: readonly string[] | undefined;
  readonly purpose?: string | undefined;
  readonly cadence?: string | undefined;
  readonly access?: string | undefined;
  readonly routing?: readonly string[] | undefined;
  readonly rows: number;
  readonly key: readonly string[];
  readonly labels?: readonly string[] | undefined;
  readonly fields: readonly RenderedField[];
  readonly relations: readonly string[];
  readonly quality?: readonly string[] | undefined;
  readonly queries: readonly {
    readonly title: string;
    readonly sql?: string | undefined;
    readonly filters?: string | undefined;
  }[];
  readonly examples?: readonly unknown[] | undefined;
  readonly inferred?: readonly string[] | undefined;
}

export interface RenderedDescription {
  readonly categories?:
    | readonly {
        readonly id: string;
        readonly rows: number;
        readonly about?: string | undefined;
        readonly fields?: string | undefined;
        readonly leadsTo?: string | undefined;
      }[]
    | undefined;
  readonly others?: string | undefined;
  readonly category?: RenderedCategory | undefined;
  readonly source?: string | undefined;
  readonly version: string;
  readonly next?: string | undefined;
}

/** A catalogue or a category as Markdown. */
export function renderDescription(data: RenderedDescription): string {
  const { categories = [], others, category, source, version, next } = data;
  const list = categories.map(({ id, rows, about, fields, leadsTo }) => {
    const more = fields ?? (leadsTo && `→ ${leadsTo}`);
    const told = [about, more].filter(Boolean).join(' ');
    return [`- ${id} (${rows})`, told].filter(Boolean).join(': ');
  });
  const end = category ? `(${source}; version ${version})` : `(version ${version})`;
  return [...list, others, category && renderCategory(category), end, next]
    .filter(Boolean)
    .join('\n');
}

function renderCategory(category: RenderedCategory): string {
  const { name, id, table, rows, key, description, fields, relations, queries } = category;
  const named = [
    id !== table && `in SQL ${table}`,
    `${rows} records`,
    key.length > 0 && `key ${key.join(', ')}`,
  ];
  const about = [
    line('Also called', category.aliases),
    line('Purpose', category.purpose),
    line('Look here for', category.routing),
    line('Updated', category.cadence),
    line('Access', category.access),
    line('Named by', category.labels),
  ];
  return [
    `# ${name} (${[id, ...named].filter(Boolean).join('; ')})`,
    description,
    ...about,
    '## Fields',
    ...fields.map(renderField),
    ...section('Relations', relations),
    ...section('Quality', category.quality),
    ...section(
      'Queries',
      queries.map(({ title, sql, filters }) => {
        const what = sql ?? (filters && `data_search filters ${filters}`);
        return what ? `${title}: ${cellText(what)}` : title;
      }),
    ),
    ...section(
      'Examples',
      category.examples?.map((one) => cellText(one as Cell)),
    ),
    ...section('Inferred', category.inferred),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join('\n');
}

function renderField(field: RenderedField): string {
  const { name, type, about, aliases, required, unique, missing, distinct, range, values } = field;
  const facts = [
    unique && 'unique',
    required && 'required',
    missing !== undefined && `${missing} missing`,
    distinct !== undefined && `${distinct} different`,
    range && `${cellText(range[0] as Cell)} to ${cellText(range[1] as Cell)}`,
    values && cellText(values),
    aliases && `also ${aliases.join(', ')}`,
    ...(field.notes ?? []),
  ].filter(Boolean);
  const tail = facts.length > 0 ? `; ${facts.join('; ')}` : '';
  return `- ${cellText(name)} ${type}${about ? `: ${cellText(about)}` : ''}${tail}`;
}

function line(title: string, value: string | readonly string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  return `${title}: ${typeof value === 'string' ? value : value.join(', ')}`;
}

function section(title: string, lines: readonly string[] | undefined): string[] {
  return lines && lines.length > 0 ? [`## ${title}`, ...lines.map((one) => `- ${one}`)] : [];
}
