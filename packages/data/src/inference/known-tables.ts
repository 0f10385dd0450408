import { nearest } from '@baton/core';
import { fold } from '../names.ts';
import type { KnownTable } from './candidates.ts';
import type { Misfit, TableFacts } from './facts.ts';
import { singleKey } from './keys.ts';
import { inferLabels } from './labels.ts';
import { formsOf } from './table-names.ts';

/** The tables with their keys and labels, declared or inferred. */
export function knownTables(tables: readonly TableFacts[], misfits: Misfit[]): KnownTable[] {
  const forms = formsOf(tables);
  return tables.map((facts) => {
    const own = forms.get(facts.id) ?? [];
    const declared = existing(facts, 'key', misfits);
    const single = declared ? undefined : singleKey(facts, own);
    const key = declared ?? (single ? [single.name] : []);
    const isKeyWeak = single ? single.isName : declared === undefined;
    const labels = existing(facts, 'labels', misfits) ?? inferLabels(facts, own);
    return { facts, forms: own, key, isKeyWeak, labels };
  });
}

/** What is declared, without fields that are not there. */
function existing(
  facts: TableFacts,
  of: 'key' | 'labels',
  misfits: Misfit[],
): string[] | undefined {
  const declared = facts.declared[of];
  if (!declared) return undefined;
  const names = facts.fields.map(({ name }) => name);
  return declared.flatMap((said) => {
    const name = names.includes(said) ? said : names.find((other) => fold(other) === fold(said));
    if (name !== undefined) return [name];
    const like = nearest(said, names);
    const hint = like === undefined ? '' : ` Did you mean "${like}"?`;
    const it = of === 'key' ? `The key of ${facts.id} has` : `A label of ${facts.id} is`;
    const message = `${it} "${said}", which is not there.${hint}`;
    misfits.push({ category: facts.id, of, message });
    return [];
  });
}
