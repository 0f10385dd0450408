import { createHash } from 'node:crypto';
import path from 'node:path';
import { nearest } from '@baton/core';
import type { DeclaredCategory, DeclaredField } from '../declared/declared.ts';
import type { Inference, TableFacts } from '../inference/facts.ts';
import type { Catalogue, Category, Cell, Field, Problem } from '../model.ts';
import { fold, wordsOf } from '../names.ts';
import type { Declaration } from './declaring.ts';
import type { Place } from './places.ts';
import type { Records } from './records.ts';
import { freeName, tableNameOf } from './table-name.ts';

/** A category whose records are there. */
export interface Part extends Declaration {
  readonly place: Place;
  /** The name of its source. */
  readonly source: string;
  readonly records: Records;
}

/** A part with names that no other has. */
export interface NamedPart extends Part {
  readonly facts: TableFacts;
}

const MOST_QUERIES = 5;

/** Gives every part its names, and its fields what people have said about them. */
export function nameParts(parts: readonly Part[]): { named: NamedPart[]; problems: Problem[] } {
  const ids = new Set<string>();
  const tables = new Set<string>();
  const problems: Problem[] = [];
  const named = parts.map((part) => {
    const { place, source, declared, records } = part;
    const wanted = declared.id ?? place.name;
    const folder = path.posix.basename(path.posix.dirname(place.records));
    const id = freeName([wanted, `${folder}-${wanted}`, wanted], ids);
    const from = `${source}/${place.records}`;
    if (id !== wanted) {
      const message = `Another category is called ${wanted}: this one is ${id}. Give it an id of its own.`;
      problems.push({ file: from, line: 1, severity: 'warning', message });
    }
    const fields = declareFields(records.fields, declared.fields ?? [], from, problems);
    const { description, key, labels, relations } = declared;
    const facts: TableFacts = {
      id,
      table: freeName([tableNameOf(id)], tables),
      name: declared.name ?? titleOf(wanted),
      aliases: declared.aliases ?? [],
      from,
      fields,
      rows: records.rows,
      declared: {
        ...(description !== undefined && { description }),
        ...(key && { key }),
        ...(labels && { labels }),
        ...(relations && { relations }),
      },
    };
    return { ...part, facts };
  });
  return { named, problems };
}

function titleOf(name: string): string {
  const words = wordsOf(name).join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function declareFields(
  fields: readonly Field[],
  declared: readonly DeclaredField[],
  file: string,
  problems: Problem[],
): Field[] {
  const byName = new Map(declared.map((one) => [fold(one.name), one]));
  const names = new Set(fields.map(({ name }) => fold(name)));
  // Nothing is kept of secret fields, not even their names.
  for (const { name, isSecret } of declared) if (isSecret) names.add(fold(name));
  for (const { name } of declared) {
    if (names.has(fold(name))) continue;
    const near = nearest(
      name,
      fields.map((field) => field.name),
    );
    const hint = near ? ` Is it ${near}?` : '';
    const message = `No record has a field ${name}, which is described.${hint}`;
    problems.push({ file, line: 1, severity: 'warning', message });
  }
  return fields.map((field) => {
    const said = byName.get(fold(field.name));
    if (!said) return field;
    const { description, aliases, isRequired } = said;
    return {
      ...field,
      ...(description !== undefined && { description }),
      ...(aliases && { aliases }),
      ...(isRequired && { isRequired }),
    };
  });
}

/** The catalogue of named parts, with what was inferred about them. */
export function assemble(
  parts: readonly NamedPart[],
  inference: Inference,
  problems: readonly Problem[],
): Catalogue {
  const categories = parts
    .map((part) => categoryOf(part, inference))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const misfits = inference.misfits.map(({ category, message }): Problem => {
    const file = parts.find(({ facts }) => facts.id === category)?.facts.from ?? category;
    return { file, line: 1, severity: 'error', message };
  });
  const remarks = parts.flatMap(({ records, facts }) =>
    records.remarks.map((remark): Problem => ({ file: facts.from, ...remark })),
  );
  const { relations } = inference;
  return {
    version: versionOf([categories, relations]),
    categories,
    relations,
    problems: [...problems, ...remarks, ...misfits],
  };
}

function categoryOf({ declared, facts, records }: NamedPart, inference: Inference): Category {
  const { purpose, cadence, access } = declared;
  const inferred = inference.tables.get(facts.id);
  return {
    id: facts.id,
    table: facts.table,
    name: facts.name,
    description: declared.description ?? inferred?.description ?? '',
    ...(declared.description === undefined && { isUndescribed: true as const }),
    aliases: facts.aliases,
    ...(purpose !== undefined && { purpose }),
    ...(cadence !== undefined && { cadence }),
    ...(access !== undefined && { access }),
    routing: declared.routing ?? [],
    key: inferred?.key ?? [],
    labels: inferred?.labels ?? [],
    fields: facts.fields,
    rows: facts.rows,
    version: versionOf([records.key]),
    from: facts.from,
    queries: (declared.queries ?? []).slice(0, MOST_QUERIES),
    examples: (declared.examples ?? []).map((example) => withoutSecrets(example, declared)),
    inferred: inferred?.inferred ?? [],
    ...(inferred?.isLink && { isLink: true as const }),
  };
}

/** Whoever has chosen a record as an example need not have thought of its secrets. */
function withoutSecrets(value: Cell, { fields = [] }: DeclaredCategory): Cell {
  const secret = new Set(fields.filter((one) => one.isSecret).map(({ name }) => fold(name)));
  const without = (cell: Cell): Cell => {
    if (Array.isArray(cell)) return cell.map(without);
    if (typeof cell !== 'object' || cell === null) return cell;
    const kept = Object.entries(cell).filter(([name]) => !secret.has(fold(name)));
    return Object.fromEntries(kept.map(([name, inside]) => [name, without(inside)]));
  };
  return secret.size === 0 ? value : without(value);
}

export function versionOf(parts: unknown): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}
