import { type Engine, EngineError, quoteText } from '../engine/engine.ts';
import { columnNames } from './csv-head.ts';
import { assertColumns, type Staged, Unusable } from './staged.ts';

/** A small file may hold this many equal values; nobody could work with them. */
const MOST_ROWS = 100_000_000;

export async function stageParquet(engine: Engine, copy: string): Promise<Staged> {
  const file = `read_parquet(${quoteText(copy)})`;
  try {
    const { rows: counted } = await engine.run(`SELECT count(*) FROM ${file}`);
    if (Number(counted[0]?.[0]) > MOST_ROWS) {
      throw new Unusable(`This has more than ${MOST_ROWS} records.`);
    }
    const { rows } = await engine.run(
      `SELECT column_name, column_type FROM (DESCRIBE FROM ${file})`,
    );
    assertColumns(rows.length);
    const given = rows.map(([name]) => String(name));
    const names = columnNames(given);
    const renamed = names.map((name) => `"${name.replaceAll('"', '""')}"`).join(', ');
    return {
      columns: rows.map(([, sqlType], at) => ({
        name: names[at] as string,
        given: given[at] as string,
        kind: 'typed',
        sqlType: String(sqlType),
      })),
      from: `(FROM ${file} AS t(${renamed}))`,
      remarks: [],
    };
  } catch (error) {
    if (error instanceof EngineError && error.failure === 'statement') {
      throw new Unusable(`This is no Parquet that can be read: ${error.message.split('\n')[0]}`);
    }
    throw error;
  }
}
