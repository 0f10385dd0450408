import { defineTool } from '@baton/core';
import * as z from 'zod';
import { renderRecords } from '../search/render.ts';
import { SEARCH_LIMITS } from '../search/request.ts';
import type { DataService } from '../service.ts';
import { cell, SOURCE, shortText } from './schemas.ts';

const { usual, most } = SEARCH_LIMITS.limit;

export const dataSearch = defineTool({
  name: 'data_search',
  title: 'Search the team’s records',
  description:
    'Finds records by filters, by words or by id, in one category or all; filters can name related records (department: "Engineering").',
  toolset: 'data',
  effect: 'read',
  input: () =>
    z.object({
      category: shortText().optional(),
      id: shortText().optional().describe('of one record'),
      text: z.string().max(1000).optional().describe('words, ignoring case and accents'),
      filters: z
        .record(z.string(), z.unknown())
        .optional()
        .describe(
          '{field: value or {$eq $ne $gt $gte $lt $lte $in $nin $contains $regex $exists}}, $and, $or, $not, paths such as department.city',
        ),
      fields: z.array(shortText()).max(SEARCH_LIMITS.fields).optional(),
      sort: z
        .array(shortText())
        .max(SEARCH_LIMITS.sorts)
        .optional()
        .describe('-field for descending'),
      limit: z.int().min(1).max(most).default(usual),
      cursor: z.string().max(500).optional(),
      connections: z.boolean().optional().describe('of the record with this id'),
    }),
  output: () =>
    z.object({
      records: z.array(
        z.object({
          category: z.string().optional(),
          values: z.record(z.string(), cell()),
        }),
      ),
      total: z.number(),
      counts: z.record(z.string(), z.number()).optional(),
      truncated: z.boolean(),
      cursor: z.string().optional(),
      connections: z
        .array(
          z.object({
            name: z.string(),
            category: z.string(),
            count: z.number(),
            records: z.array(z.object({ id: z.string().optional(), label: z.string().optional() })),
          }),
        )
        .optional(),
      source: z.string(),
      version: z.string(),
      next: z.string().optional(),
    }),
  examples: [
    {
      title: 'By a related record',
      input: { category: 'people', filters: { department: 'Engineering' } },
    },
    {
      title: 'Several conditions, sorted',
      input: {
        category: 'orders',
        filters: { total: { $gte: 100 }, $or: [{ status: 'open' }, { status: 'paid' }] },
        sort: ['-total'],
        fields: ['order_no', 'total'],
      },
    },
    { title: 'Words, in all categories', input: { text: 'remote work' } },
    {
      title: 'What one record is connected with',
      input: { category: 'departments', id: 'dept-eng', connections: true },
    },
  ],
  async run(service: DataService, request, { signal }) {
    const answer = await service.search(request, { signal });
    return { ...answer, source: SOURCE } as never;
  },
  content: (data) => [{ type: 'text', text: renderRecords(data) }],
});
