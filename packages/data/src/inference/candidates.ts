import type { Field } from '../model.ts';
import { singular } from '../names.ts';
import { type Domain, domainOf, isApart } from './domains.ts';
import type { TableFacts } from './facts.ts';
import { type FieldName, isIdNamed, isMeasure, partOfPersonName, readName } from './field-names.ts';
import { OWN, ownness } from './keys.ts';
import type { Forms } from './table-names.ts';

/** A table with what is needed to compare it with all others. */
export interface KnownTable {
  readonly facts: TableFacts;
  readonly forms: Forms;
  readonly key: readonly string[];
  /** Whether two fields together would be a better key. */
  readonly isKeyWeak: boolean;
  readonly labels: readonly string[];
}

/** A field that may lead somewhere. */
export interface Source {
  readonly table: KnownTable;
  readonly field: Field;
  readonly name: FieldName;
  readonly domain: Domain;
  /** Whether its values alone may say where it leads. */
  readonly isOpen: boolean;
}

/** A field that others may lead to. */
export interface Target {
  readonly table: KnownTable;
  readonly field: Field;
  readonly name: FieldName;
  readonly domain: Domain;
  readonly isKey: boolean;
  /** From 0 to 1: whether its name is the one of its table. */
  readonly ownness: number;
}

export interface Pair {
  readonly source: Source;
  readonly target: Target;
  /** From 0 to 1: what names say. */
  readonly hint: number;
  /** The same, with which field of the table is meant. */
  readonly rank: number;
}

export function sourcesOf(tables: readonly KnownTable[]): Source[] {
  return tables.flatMap((table) =>
    table.facts.fields.flatMap((field) => {
      const domain = domainOf(field);
      const name = readName(field.name);
      const isEmpty = field.missing >= table.facts.rows;
      if (!domain || isEmpty || isOwnKey(table, field, name)) return [];
      if (domain.kind === 'integer' && isCount(name, domain)) return [];
      return [{ table, field, name, domain, isOpen: isOpen(table, field, name) }];
    }),
  );
}

/** What a record is called by itself leads nowhere. */
function isOwnKey({ key, forms }: KnownTable, field: Field, name: FieldName): boolean {
  if (key.length !== 1 || key[0] !== field.name) return false;
  return name.isGeneric === true || ownness(name, forms) >= OWN;
}

/** `quantity`, and `employees` of departments: how many there are. */
function isCount(name: FieldName, { isList }: Domain): boolean {
  if (isMeasure(name)) return true;
  const last = name.words.at(-1) ?? '';
  return !isList && name.mark === undefined && singular(last) !== last;
}

function isOpen({ labels, key }: KnownTable, { name, type }: Field, words: FieldName): boolean {
  if (words.isContact || words.isSequence || partOfPersonName(words)) return false;
  if (type !== 'list' && isMeasure(words)) return false;
  const isOwnName = words.mark === 'name' && words.stem.length === 0;
  return !isOwnName && !labels.includes(name) && !(key.length === 1 && key[0] === name);
}

export function targetsOf(tables: readonly KnownTable[]): Target[] {
  return tables.flatMap((table) =>
    table.facts.fields.flatMap((field) => {
      const domain = domainOf(field);
      if (!domain || domain.isList || !field.isUnique || field.distinct === 0) return [];
      const name = readName(field.name);
      const isKey = table.key.length === 1 && table.key[0] === field.name;
      if (!isKey && !isNaming(table, field, name)) return [];
      const own = name.isGeneric === true ? 1 : ownness(name, table.forms);
      return [{ table, field, name, domain, isKey, ownness: own }];
    }),
  );
}

/** Whether people may mean a record by it. */
function isNaming({ labels, forms }: KnownTable, field: Field, name: FieldName): boolean {
  if (name.isContact || (name.isSequence && ownness(name, forms) < OWN)) return false;
  return isIdNamed(name) || name.mark === 'login' || labels.includes(field.name);
}

export function canBe(source: Source, target: Target): boolean {
  return source.domain.kind === target.domain.kind && source.field !== target.field;
}

/** From what is known of their values without asking. */
export function cannotLead(source: Source, target: Target): boolean {
  if (source.domain.isList) return false;
  if (isApart(source.field, target.field)) return true;
  // Numbers of different values may be estimates, and of few values one may be wrong.
  const most = Math.max(target.field.distinct / 0.8, target.field.distinct + 1);
  return source.field.distinct > most;
}
