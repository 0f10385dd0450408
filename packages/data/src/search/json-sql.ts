import { bound, plain, type Sql, sql } from './sql.ts';

/** Items of a list, or the thing itself; nulls are none. */
function itemsOf(json: Sql): Sql {
  const items = sql`list_filter(json_extract(${json}, '$[*]'), lambda i: json_type(i) <> 'NULL')`;
  return sql`CASE coalesce(json_type(${json}), 'NULL') WHEN 'ARRAY' THEN ${items} WHEN 'NULL' THEN []::JSON[] ELSE [${json}] END`;
}

/** What is under keys of objects. */
export function under(json: Sql, ...keys: readonly string[]): Sql {
  const pointer = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return keys.length === 0 ? json : sql`json_extract(${json}, ${bound(pointer.join(''))})`;
}

/** Everything that a path leads to, through all items of the lists on its way. */
export function leavesOf(json: Sql, keys: readonly string[], depth: number): Sql {
  return keys.reduce((list, key, index) => {
    const item = variable('k', depth, index);
    const items = itemsOf(under(item, key));
    return sql`flatten(list_transform(${list}, lambda ${item}: ${items}))`;
  }, itemsOf(json));
}

/** Whether a path leads to something: an empty list too is something. */
export function existsIn(json: Sql, keys: readonly string[], depth: number): Sql {
  const last = keys.at(-1);
  if (last === undefined) return sql`json_type(${json}) <> 'NULL'`;
  const parents = leavesOf(json, keys.slice(0, -1), depth);
  return some(parents, depth, (item) => sql`json_type(${under(item, last)}) <> 'NULL'`);
}

/** Whether one of the items of a list fulfils something. */
export function some(list: Sql, depth: number, of: (item: Sql) => Sql): Sql {
  const item = variable('x', depth);
  return sql`(len(list_filter(${list}, lambda ${item}: ${of(item)})) > 0)`;
}

function variable(letter: string, ...numbers: readonly number[]): Sql {
  return plain([letter, ...numbers].join('_'));
}
