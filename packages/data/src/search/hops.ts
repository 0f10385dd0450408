import type { Catalogue, Category, Field, Relation } from '../model.ts';
import { fold, foldSingular, namesOf, wordsOf } from '../names.ts';

/** Records of two categories belong together if these fields have a value in common. */
export interface Step {
  readonly from: Side;
  readonly to: Side;
}

export interface Side {
  readonly category: Category;
  readonly field: Field;
}

/** From records of a category to those of another: along a relation, against it, or over a link. */
export interface Hop {
  readonly steps: readonly Step[];
  readonly target: Category;
  /** Whether a record may lead to several. */
  readonly isMany: boolean;
  /** The field it begins at, if it goes along a relation. */
  readonly field?: Field;
  /** The field of its target that it leads to, if that is what tells records apart there. */
  readonly pointsTo?: Field;
  /** Whether it leads to a category that only connects others. */
  readonly isIntoLink: boolean;
  /** Kinds of names, the nearest first. */
  readonly names: readonly NameKind[];
}

interface NameKind {
  readonly names: readonly string[];
  readonly same: (name: string) => string;
}

const ID_WORDS = new Set(['id', 'ids', 'key', 'keys', 'code', 'ref', 'uuid']);
/** The number of kinds of names. */
const KINDS = 5;

interface Joint {
  readonly relation: Relation;
  readonly from: Side;
  readonly to: Side;
}

const known = new WeakMap<Catalogue, Map<string, readonly Hop[]>>();

/** All hops from records of a category; of the same catalogue, always the same. */
export function hopsFrom(catalogue: Catalogue, category: Category): readonly Hop[] {
  const ofAll = known.get(catalogue) ?? new Map<string, readonly Hop[]>();
  known.set(catalogue, ofAll);
  const hops = ofAll.get(category.id) ?? findHops(catalogue, category);
  ofAll.set(category.id, hops);
  return hops;
}

function findHops(catalogue: Catalogue, category: Category): readonly Hop[] {
  const joints = catalogue.relations.flatMap((relation) => jointOf(catalogue, relation));
  const leaving = joints.filter(({ relation }) => relation.from === category.id);
  const coming = joints.filter(({ relation }) => relation.to === category.id);
  const linked = coming
    .filter(({ from }) => from.category.isLink)
    .flatMap((near) =>
      joints
        .filter(({ relation }) => relation.from === near.relation.from)
        .filter(({ relation }) => relation !== near.relation)
        .map((far) => over(near, far)),
    );
  return [...leaving.map(along), ...coming.map(against), ...linked];
}

/**
 * Those of the nearest kind of name that is theirs. Where one leads to a record and another to many
 * by the same name, `person` means the one and `people` the many.
 */
export function hopsNamed(hops: readonly Hop[], wanted: string): readonly Hop[] {
  for (let kind = 0; kind < KINDS; kind++) {
    const found = hops.filter(({ names }) => isNamed(names[kind], wanted));
    const isPlural = fold(wanted) !== foldSingular(wanted);
    const meant = found.filter(({ isMany }) => isMany === isPlural);
    if (found.length > 0) return meant.length > 0 ? meant : found;
  }
  return [];
}

/** The same way back. */
export function reversed({ steps }: Hop): readonly Step[] {
  return steps.map(({ from, to }) => ({ from: to, to: from })).reverse();
}

function isNamed(kind: NameKind | undefined, wanted: string): boolean {
  if (!kind) return false;
  const same = kind.same(wanted);
  return same !== '' && kind.names.some((name) => kind.same(name) === same);
}

function jointOf(catalogue: Catalogue, relation: Relation): Joint[] {
  const from = sideOf(catalogue, relation.from, relation.field);
  const to = sideOf(catalogue, relation.to, relation.toField);
  return from && to ? [{ relation, from, to }] : [];
}

function sideOf(catalogue: Catalogue, id: string, name: string): Side | undefined {
  const category = catalogue.categories.find((one) => one.id === id);
  const field = category?.fields.find((one) => one.name === name);
  return category && field && { category, field };
}

const NO_NAMES: NameKind = { names: [], same: fold };

function along({ relation, from, to }: Joint): Hop {
  const words = wordsOf(relation.field);
  const isId = words.length > 1 && ID_WORDS.has(words.at(-1) ?? '');
  const names = [relation.name, ...(isId ? [words.slice(0, -1).join('_')] : [])];
  return {
    steps: [{ from, to }],
    target: to.category,
    isMany: relation.cardinality === 'many' || !isSingle(from.field),
    field: from.field,
    pointsTo: to.field,
    isIntoLink: false,
    names: [
      { names: [relation.name], same: (name) => name },
      { names: [relation.name], same: fold },
      { names, same: foldSingular },
      { names: namesOf(to.category), same: foldSingular },
      NO_NAMES,
    ],
  };
}

function against({ relation, from, to }: Joint): Hop {
  return {
    steps: [{ from: to, to: from }],
    target: from.category,
    isMany: true,
    isIntoLink: from.category.isLink === true,
    names: [
      NO_NAMES,
      NO_NAMES,
      NO_NAMES,
      { names: namesOf(from.category), same: foldSingular },
      { names: [`${from.category.id} via ${relation.name}`], same: fold },
    ],
  };
}

function over(near: Joint, far: Joint): Hop {
  return {
    steps: [
      { from: near.to, to: near.from },
      { from: far.from, to: far.to },
    ],
    target: far.to.category,
    isMany: true,
    pointsTo: far.to.field,
    isIntoLink: false,
    names: [
      NO_NAMES,
      NO_NAMES,
      NO_NAMES,
      { names: [...namesOf(far.to.category), far.relation.name], same: foldSingular },
      { names: [`${far.relation.name} via ${near.from.category.id}`], same: fold },
    ],
  };
}

function isSingle({ type }: Field): boolean {
  return type !== 'list' && type !== 'json';
}
