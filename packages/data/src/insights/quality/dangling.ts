import { quoteName } from '../../engine/engine.ts';
import type { Relation } from '../../model.ts';
import { count, type Found, quoted } from '../finding.ts';
import type { Subject } from '../subject.ts';

const MOST_EXAMPLES = 3;

/** References that lead nowhere. */
export async function danglingReferences(subject: Subject): Promise<readonly Found[]> {
  const { catalogue, category, own } = subject;
  const dangling = catalogue.relations.filter(
    ({ from, field, dangling: lost }) =>
      from === category.id &&
      lost > 0 &&
      own.some((column) => column.name === field && subject.isWanted(column)),
  );
  return Promise.all(dangling.map((relation) => danglingOf(subject, relation)));
}

async function danglingOf(subject: Subject, relation: Relation): Promise<Found> {
  const { catalogue, category, ask } = subject;
  const { field, to, toField, found, dangling } = relation;
  const target = catalogue.categories.find(({ id }) => id === to);
  const isList = category.fields.some(({ name, type }) => name === field && type === 'list');
  const value = isList ? `unnest(${quoteName(field)})` : quoteName(field);
  const examples = await ask(
    `SELECT v, count(*) FROM (SELECT (${value})::VARCHAR AS v FROM ${quoteName(category.table)})
     WHERE v IS NOT NULL AND NOT EXISTS (
       SELECT 1 FROM ${quoteName(target?.table ?? to)} WHERE ${quoteName(toField)}::VARCHAR = v)
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST_EXAMPLES}`,
  );
  const values = examples.map(([one]) => one ?? null);
  return {
    finding: {
      kind: 'quality',
      fields: [field],
      what: `${count(dangling, 'value')} of ${field} ${dangling === 1 ? 'leads' : 'lead'} to no record of ${target?.table ?? to}: ${values.map(quoted).join(', ')}.`,
      numbers: { dangling, found, examples: values },
      how: `looked up in ${target?.table ?? to}.${toField}`,
    },
    strength: 0.9,
  };
}
