import type { Field } from '../model.ts';
import { compare } from './compare.ts';
import type { Condition, JsonSpot, Spot, Test } from './condition.ts';
import type { Step } from './hops.ts';
import { existsIn, leavesOf, some } from './json-sql.ts';
import { comparedAs } from './operand.ts';
import { allOf, anyOf, bound, joined, named, plain, type Sql, sql } from './sql.ts';
import { belongTo, tableOf } from './step-sql.ts';
import { folded, inJson, textOf, wordsOf } from './text-of.ts';

/** Where a condition stands: the record's alias, and how deep it is within others. */
interface Setting {
  readonly depth: number;
  readonly record: Sql;
  /** The thing within JSON that is looked at. */
  readonly item?: Sql;
}

export const RECORD = plain('t0');

/** Whether a record, known as `t0`, fulfils it. It may be unknown, which is not true. */
export function conditionSql(condition: Condition): Sql {
  return build(condition, { depth: 0, record: RECORD });
}

export function columnOf(record: Sql, { name }: Field): Sql {
  return sql`${record}.${named(name)}`;
}

function build(condition: Condition, setting: Setting): Sql {
  switch (condition.type) {
    case 'all':
      return allOf(condition.of.map((one) => build(one, setting)));
    case 'any':
      return anyOf(condition.of.map((one) => build(one, setting)));
    case 'not':
      // What is unknown is not true either; elsewhere it makes no difference.
      return sql`((${build(condition.of, setting)}) IS NOT TRUE)`;
    case 'test':
      return testSql(condition.at, condition.test, setting);
    case 'inside':
      return insideSql(condition.at, condition.of, setting);
    case 'hop':
      return stepsSql(condition.hop.steps, condition.of, setting);
    case 'words':
      return allOf(
        condition.words.map((word) => wordSql(condition.category.fields, word, setting)),
      );
    case 'id':
      return sql`${idText(condition.fields, setting.record)} = ${bound(condition.id)}`;
  }
}

export function idText(fields: readonly Field[], record: Sql): Sql {
  const texts = fields.map((field) => textOf(columnOf(record, field), field.type, field.sqlType));
  const [only, ...more] = texts;
  return only && more.length === 0 ? only : sql`concat_ws('/', ${joined(texts, ', ')})`;
}

function testSql(at: Spot, test: Test, setting: Setting): Sql {
  const { depth, record } = setting;
  if (at.keys) {
    const json = jsonAt(at, setting);
    if (test.type === 'exists') return existsIn(json, at.keys, depth);
    const leaves = leavesOf(json, at.keys, depth);
    return some(leaves, depth, (value) => compare({ value, type: 'json', sqlType: 'JSON' }, test));
  }
  const { field } = at;
  const value = columnOf(record, field);
  if (field.type !== 'list' || test.type === 'exists') return compare({ ...field, value }, test);
  const type = comparedAs(field);
  const sqlType = field.sqlType.replace(/\[\]$/, '');
  return some(value, depth, (item) => compare({ value: item, type, sqlType }, test));
}

function insideSql(at: JsonSpot, of: Condition, setting: Setting): Sql {
  const { depth } = setting;
  const leaves = leavesOf(jsonAt(at, setting), at.keys, depth);
  return some(leaves, depth, (item) => build(of, { ...setting, depth: depth + 1, item }));
}

function jsonAt({ field }: JsonSpot, { record, item }: Setting): Sql {
  if (field) return columnOf(record, field);
  return item ?? plain('NULL');
}

function stepsSql(steps: readonly Step[], of: Condition, { depth, record }: Setting): Sql {
  const [step, ...rest] = steps;
  if (!step) return build(of, { depth, record });
  const there = plain(`t${depth + 1}`);
  const inner = stepsSql(rest, of, { depth: depth + 1, record: there });
  const found = sql`FROM ${tableOf(step.to.category)} AS ${there} WHERE ${inner}`;
  return belongTo(step, record, there, found);
}

function wordSql(fields: readonly Field[], word: string, { record }: Setting): Sql {
  return anyOf(
    fields.flatMap((field) => {
      const within = wordsOf(columnOf(record, field), field, word);
      const text = bound(field.type === 'json' ? inJson(word) : word);
      return within ? [sql`contains(${folded(within)}, ${folded(text)})`] : [];
    }),
  );
}
