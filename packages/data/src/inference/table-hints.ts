import type { KnownTable, Source } from './candidates.ts';
import { kindHint, tableHint, withinHint } from './name-hints.ts';

/** A hint below this is none. */
export const LEAST_HINT = 0.4;

/** What the name of a field says about tables, for those that it says something about. */
export function tableHints(
  tables: readonly KnownTable[],
): (source: Source) => ReadonlyMap<KnownTable, number> {
  // Many tables have fields of the same name.
  const remembered = new Map<string, ReadonlyMap<KnownTable, number>>();
  const byName = new Map<string, KnownTable[]>();
  for (const table of tables) {
    for (const { folded } of table.forms)
      byName.set(folded, [...(byName.get(folded) ?? []), table]);
  }
  const general = ({ name }: Source) => {
    const said = `${name.stem.join(' ')}|${name.folded}`;
    const before = remembered.get(said);
    if (before) return before;
    const hints = new Map<KnownTable, number>();
    for (const table of tables) {
      const hint = tableHint(name, table.forms);
      if (hint >= LEAST_HINT) hints.set(table, hint);
    }
    remembered.set(said, hints);
    return hints;
  };
  return (source) => {
    const { name, table: own } = source;
    const hints = new Map(general(source));
    const raise = (table: KnownTable, hint: number) => {
      if (hint > (hints.get(table) ?? 0)) hints.set(table, hint);
    };
    raise(own, withinHint(name, own.forms));
    for (const { folded } of own.forms) {
      const kinds = name.stemFolded ? byName.get(folded + name.stemFolded) : undefined;
      for (const table of kinds ?? []) raise(table, kindHint(name, table.forms));
    }
    return hints;
  };
}
