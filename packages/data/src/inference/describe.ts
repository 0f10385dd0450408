import { escapeLine } from '@baton/core';
import type { FoundRelation, TableFacts } from './facts.ts';

const MOST_FIELDS = 8;

interface Found {
  readonly key: readonly string[];
  readonly labels: readonly string[];
  readonly isLink: boolean;
  /** Of this table. */
  readonly relations: readonly FoundRelation[];
}

/** What a table holds, if nobody has said it. */
export function describeTable({ from, rows, fields }: TableFacts, found: Found): string {
  const file = from.split(/[\\/]/).at(-1) ?? from;
  const records = `${rows} ${rows === 1 ? 'record' : 'records'} of ${escapeLine(file)}`;
  const [one, two] = found.relations;
  if (found.isLink && one && two) return `Links ${one.to} and ${two.to}: ${records}.`;
  if (fields.length === 0) return `${records}.`;
  const shown = new Set(
    telling(
      fields.map(({ name }) => name),
      found,
    ),
  );
  const texts = fields
    .filter(({ name }) => shown.has(name))
    .map(({ name }) => {
      const relation = found.relations.find(({ field }) => field === name);
      return relation ? `${escapeLine(name)} → ${relation.to}` : escapeLine(name);
    });
  const more = fields.length - shown.size;
  return `${records}: ${texts.join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

function telling(names: readonly string[], { key, labels, relations }: Found): string[] {
  const first = [...key, ...relations.map(({ field }) => field), ...labels];
  return [...new Set([...first, ...names])].slice(0, MOST_FIELDS);
}

/** What was inferred, and why. */
export function inferredRemarks({ declared }: TableFacts, found: Found): string[] {
  const { key, labels, relations, isLink } = found;
  const remarks: string[] = [];
  if (!declared.key && key.length > 0) {
    const why = key.length === 1 ? 'unique' : 'unique together';
    remarks.push(`key ${key.map(escapeLine).join(' + ')}: ${why}`);
  }
  if (!declared.labels && labels.length > 0)
    remarks.push(`labels ${labels.map(escapeLine).join(', ')}: by name`);
  for (const relation of relations) if (relation.isInferred) remarks.push(remark(relation));
  const [one, two] = relations;
  if (isLink && one && two) remarks.push(`links ${one.to} and ${two.to}: each pair occurs once`);
  return remarks;
}

function remark({
  field,
  to,
  toField,
  values,
  valuesFound,
  dangling,
  isHinted,
}: FoundRelation): string {
  const lost = dangling > 0 ? `, ${dangling} ${dangling === 1 ? 'leads' : 'lead'} nowhere` : '';
  const why = isHinted ? '' : ', not by name';
  return `${escapeLine(field)} → ${to}.${escapeLine(toField)}: ${valuesFound} of ${values} values found${lost}${why}`;
}
