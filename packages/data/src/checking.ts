import type { RecordSchema, Snapshot } from './catalogue/library.ts';
import { createValidator } from './declared/validate-schema.ts';
import { type Engine, quoteName } from './engine/engine.ts';
import type { Category, Cell, Problem, Relation } from './model.ts';
import { fold } from './names.ts';

export interface CheckReport {
  readonly version: string;
  readonly categories: number;
  readonly records: number;
  readonly problems: readonly Problem[];
}

/** Records of so many are checked against a schema at once. */
const PAGE = 2000;
/** Problems of one kind of one category; the rest is counted. */
const MOST_OF_A_KIND = 10;
const MOST_SHOWN = 5;

/** What is wrong with files, and with records by their schemas, keys and relations. */
export async function checkRecords(
  { catalogue, engine, schemas }: Snapshot,
  signal?: AbortSignal,
): Promise<CheckReport> {
  const problems: Problem[] = [...catalogue.problems];
  const stoppable: Engine = {
    run: (sql, options) => engine.run(sql, { ...(signal && { signal }), ...options }),
  };
  for (const category of catalogue.categories) {
    problems.push(
      ...missingValues(category),
      ...(await repeatedKeys(stoppable, category)),
      ...(await dangling(stoppable, catalogue.relations, category, catalogue.categories)),
      ...(await againstSchema(stoppable, category, schemas.get(category.id))),
    );
  }
  return {
    version: catalogue.version,
    categories: catalogue.categories.length,
    records: catalogue.categories.reduce((sum, { rows }) => sum + rows, 0),
    problems,
  };
}

function problem({ from }: Category, message: string): Problem {
  return { file: from, line: 1, severity: 'error', message };
}

function missingValues(category: Category): Problem[] {
  return category.fields
    .filter(({ isRequired, missing }) => isRequired && missing > 0)
    .map(({ name, missing }) =>
      problem(
        category,
        `${name} is required, and ${missing} of ${category.rows} records have none.`,
      ),
    );
}

async function repeatedKeys(engine: Engine, category: Category): Promise<Problem[]> {
  const { key, table, rows } = category;
  const isKnown =
    key.length === 1 &&
    category.fields.some(
      ({ name, isUnique, missing }) => name === key[0] && isUnique && missing === 0,
    );
  if (key.length === 0 || rows === 0 || isKnown) return [];
  const names = key.map(quoteName).join(', ');
  const { rows: found } = await engine.run(
    `SELECT ${names}, count(*) AS times FROM ${quoteName(table)} GROUP BY ${names} HAVING count(*) > 1 ORDER BY times DESC, ${names}`,
    { rows: MOST_OF_A_KIND },
  );
  return found.map((row) =>
    problem(
      category,
      `The key ${key.join(', ')} is ${shown(row.slice(0, -1))} in ${row.at(-1)} records.`,
    ),
  );
}

async function dangling(
  engine: Engine,
  relations: readonly Relation[],
  category: Category,
  categories: readonly Category[],
): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const relation of relations) {
    const target = categories.find(({ id }) => id === relation.to);
    if (relation.from !== category.id || relation.dangling === 0 || !target) continue;
    const field = category.fields.find(({ name }) => name === relation.field);
    const column = quoteName(relation.field);
    const value = field?.type === 'list' ? `unnest(${column})` : column;
    const { rows } = await engine.run(
      `SELECT DISTINCT CAST(v AS VARCHAR) AS v FROM (SELECT ${value} AS v FROM ${quoteName(category.table)})
       WHERE v IS NOT NULL AND CAST(v AS VARCHAR) NOT IN
         (SELECT CAST(${quoteName(relation.toField)} AS VARCHAR) FROM ${quoteName(target.table)} WHERE ${quoteName(relation.toField)} IS NOT NULL)
       ORDER BY v`,
      { rows: MOST_SHOWN },
    );
    const values = rows.map(([one]) => JSON.stringify(one)).join(', ');
    problems.push(
      problem(
        category,
        `${relation.dangling === 1 ? 'One value' : `${relation.dangling} values`} of ${relation.field} ${relation.dangling === 1 ? 'leads' : 'lead'} to no ${target.id}: ${values}${rows.length === MOST_SHOWN ? ' …' : ''}.`,
      ),
    );
  }
  return problems;
}

async function againstSchema(
  engine: Engine,
  category: Category,
  of: RecordSchema | undefined,
): Promise<Problem[]> {
  if (!of) return [];
  const validator = createValidator(of.schema);
  const messages: string[] = [];
  let count = 0;
  for (let offset = 0; offset < category.rows; offset += PAGE) {
    const { rows, columns } = await engine.run(
      `FROM ${quoteName(category.table)} LIMIT ${PAGE} OFFSET ${offset}`,
    );
    for (const [at, row] of rows.entries()) {
      const record = Object.fromEntries(columns.map(({ name }, column) => [name, row[column]]));
      const found = validator.checkRow(record).filter(({ path }) => !of.secret.has(fold(path)));
      count += found.length;
      const which = nameOf(category, record, offset + at);
      const room = MOST_OF_A_KIND - messages.length;
      messages.push(
        ...found
          .slice(0, room)
          .map(({ path, message }) => [which, path && `, ${path}`, `: ${message}`].join('')),
      );
    }
  }
  const more = count - messages.length;
  return [...messages, ...(more > 0 ? [`${more} more do not fit the schema.`] : [])].map(
    (message) => problem(category, message),
  );
}

function nameOf(
  { key }: Category,
  record: Readonly<Record<string, Cell | undefined>>,
  index: number,
): string {
  if (key.length === 0) return `Record ${index + 1}`;
  return shown(key.map((name) => record[name] ?? null));
}

function shown(values: readonly Cell[]): string {
  return values
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join(', ');
}
