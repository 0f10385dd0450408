import { defineTool } from '@baton/core';
import * as z from 'zod';
import { LONGEST_SQL, MOST_ROWS, USUAL_ROWS } from '../query/limits.ts';
import { renderRows } from '../query/render.ts';
import type { DataService } from '../service.ts';
import { cell, SOURCE } from './schemas.ts';

export const dataQuery = defineTool({
  name: 'data_query',
  title: 'Query the team’s data with SQL',
  description:
    'Runs one read-only SELECT (DuckDB’s SQL) over the categories, by the names that data_describe tells.',
  toolset: 'data',
  effect: 'read',
  input: () =>
    z.object({
      sql: z.string().min(1).max(LONGEST_SQL),
      limit: z.int().min(1).max(MOST_ROWS).default(USUAL_ROWS).describe('rows'),
    }),
  output: () =>
    z.object({
      columns: z.array(z.object({ name: z.string(), type: z.string() })),
      rows: z.array(z.array(cell())),
      truncated: z.boolean(),
      source: z.string(),
      version: z.string(),
      next: z.string().optional(),
    }),
  examples: [
    {
      title: 'People by department',
      input: {
        sql: 'SELECT d.name, count(*) AS people FROM people p JOIN departments d ON p.departmentId = d.id GROUP BY ALL ORDER BY people DESC',
      },
    },
  ],
  async run(service: DataService, { sql, limit }, { signal }) {
    const answer = await service.query({ sql, rows: limit, signal });
    return { ...answer, source: SOURCE } as never;
  },
  content: (data) => [{ type: 'text', text: renderRows(data) }],
});
