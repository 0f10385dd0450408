import { defineTool } from '@baton/core';
import * as z from 'zod';
import { renderInsights } from '../insights/render.ts';
import type { DataService } from '../service.ts';
import { SOURCE, shortText } from './schemas.ts';

export const dataInsights = defineTool({
  name: 'data_insights',
  title: 'Find what stands out in the team’s data',
  description:
    'Computes what stands out in a category: missing and dangling values, outliers, trends, strong associations, each with its numbers.',
  toolset: 'data',
  effect: 'read',
  input: () =>
    z.object({
      category: shortText(),
      field: shortText().optional().describe('only about this one'),
      limit: z.int().min(1).max(30).default(10),
    }),
  output: () =>
    z.object({
      category: z.string(),
      rows: z.number(),
      findings: z.array(
        z.object({
          kind: z.string(),
          fields: z.array(z.string()),
          what: z.string(),
          numbers: z.record(z.string(), z.unknown()),
          how: z.string(),
        }),
      ),
      truncated: z.boolean(),
      source: z.string(),
      version: z.string(),
      next: z.string().optional(),
    }),
  examples: [{ title: 'All of a category', input: { category: 'orders' } }],
  async run(service: DataService, { field, ...request }, { signal }) {
    const about = { ...request, ...(field !== undefined && { field }) };
    const answer = await service.insights(about, signal);
    return { ...answer, source: SOURCE } as never;
  },
  content: (data) => [{ type: 'text', text: renderInsights(data) }],
});
