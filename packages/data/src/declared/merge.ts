import type { DeclaredCategory, DeclaredField, DeclaredRelation } from './declared.ts';

const MOST_EXAMPLES = 5;

/** Several declarations as one. What an earlier one says counts; what more of them say is added. */
export function mergeDeclared(layers: readonly DeclaredCategory[]): DeclaredCategory {
  const merged: DeclaredCategory = Object.assign({}, ...layers.toReversed());
  const all = <Key extends 'aliases' | 'queries' | 'examples'>(key: Key) =>
    layers.flatMap((layer) => (layer[key] ?? []) as NonNullable<DeclaredCategory[Key]>[number][]);
  const fields = layers.flatMap((layer) => (layer.fields ? [layer.fields] : []));
  const relations = layers.flatMap((layer) => (layer.relations ? [layer.relations] : []));
  return {
    ...merged,
    ...(merged.aliases && { aliases: [...new Set(all('aliases'))] }),
    ...(merged.queries && { queries: all('queries') }),
    ...(merged.examples && { examples: all('examples').slice(0, MOST_EXAMPLES) }),
    ...(fields.length > 0 && { fields: mergeFields(fields) }),
    ...(relations.length > 0 && { relations: mergeRelations(relations) }),
  };
}

export function mergeFields(layers: readonly (readonly DeclaredField[])[]): DeclaredField[] {
  const merged = new Map<string, DeclaredField>();
  for (const field of layers.flat()) {
    const before = merged.get(field.name);
    const aliases = [...new Set([...(before?.aliases ?? []), ...(field.aliases ?? [])])];
    merged.set(field.name, { ...field, ...before, ...(aliases.length > 0 && { aliases }) });
  }
  return [...merged.values()];
}

function mergeRelations(layers: readonly (readonly DeclaredRelation[])[]): DeclaredRelation[] {
  const merged = new Map<string, DeclaredRelation>();
  for (const relation of layers.flat()) {
    if (!merged.has(relation.name)) merged.set(relation.name, relation);
  }
  return [...merged.values()];
}
