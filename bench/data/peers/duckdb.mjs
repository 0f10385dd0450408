import { createInterface } from 'node:readline';
import { DuckDBInstance } from '@duckdb/node-api';

// DuckDB by hand, in a process of its own. It keeps records in tables, or reads their files every time.
const { sales, customers, isTable } = JSON.parse(process.argv[2]);
const kind = isTable ? 'TABLE' : 'VIEW';
// It is told what it would get wrong: a code is no number.
const source = sales.endsWith('.csv')
  ? `read_csv('${sales}', types = {'code': 'VARCHAR'})`
  : `read_json('${sales}')`;

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
await connection.run(`CREATE ${kind} sales AS FROM ${source}`);
await connection.run(`CREATE ${kind} customers AS FROM read_csv('${customers}')`);

for await (const line of createInterface({ input: process.stdin })) {
  const { sql } = JSON.parse(line);
  const begun = performance.now();
  const rows = [];
  for (const statement of sql) {
    const result = await connection.runAndReadAll(statement);
    rows.push(result.getRowsJson());
  }
  const ms = performance.now() - begun;
  process.stdout.write(`${JSON.stringify({ pid: process.pid, ms, rows })}\n`);
}
