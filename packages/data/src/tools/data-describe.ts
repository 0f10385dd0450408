import { defineTool } from '@baton/core';
import * as z from 'zod';
import { renderDescription } from '../describe/render.ts';
import type { DataService } from '../service.ts';
import { cell, shortText } from './schemas.ts';

export const dataDescribe = defineTool({
  name: 'data_describe',
  title: 'Describe the team’s data',
  description:
    'Lists the categories of records there are, or tells one category’s fields, values, relations and example queries.',
  toolset: 'data',
  effect: 'read',
  input: () =>
    z.object({
      category: shortText().optional().describe('id, name or alias'),
      fields: z.array(shortText()).max(200).optional(),
      text: z.string().max(500).optional().describe('words that categories are about'),
    }),
  output: () =>
    z.object({
      categories: z
        .array(
          z.object({
            id: z.string(),
            rows: z.number(),
            about: z.string().optional(),
            fields: z.string().optional(),
            leadsTo: z.string().optional(),
          }),
        )
        .optional(),
      others: z.string().optional(),
      category: z
        .object({
          id: z.string(),
          table: z.string().describe('its name in SQL'),
          name: z.string(),
          description: z.string(),
          aliases: z.array(z.string()).optional(),
          purpose: z.string().optional(),
          cadence: z.string().optional(),
          access: z.string().optional(),
          routing: z.array(z.string()).optional(),
          rows: z.number(),
          key: z.array(z.string()),
          labels: z.array(z.string()).optional(),
          fields: z.array(
            z.object({
              name: z.string(),
              type: z.string(),
              about: z.string().optional(),
              aliases: z.array(z.string()).optional(),
              required: z.literal(true).optional(),
              unique: z.literal(true).optional(),
              missing: z.number().optional(),
              distinct: z.number().optional(),
              range: z.array(cell()).optional(),
              values: z.string().optional(),
              notes: z.array(z.string()).optional(),
            }),
          ),
          relations: z.array(z.string()),
          quality: z.array(z.string()).optional(),
          queries: z.array(
            z.object({
              title: z.string(),
              sql: z.string().optional(),
              filters: z.string().optional(),
            }),
          ),
          examples: z.array(cell()).optional(),
          inferred: z.array(z.string()).optional(),
        })
        .optional(),
      source: z.string().optional(),
      version: z.string(),
      truncated: z.boolean(),
      next: z.string().optional(),
    }),
  examples: [
    { title: 'What is there?', input: {} },
    { title: 'One category', input: { category: 'people' } },
    { title: 'Categories about something', input: { text: 'remote work' } },
  ],
  async run(service: DataService, { category, fields, text }) {
    if (category === undefined) return (await service.overview(text)) as never;
    const { version, truncated, next, source, ...described } = await service.describe(
      category,
      fields,
    );
    const around = { source, version, truncated, ...(next !== undefined && { next }) };
    return { category: described, ...around } as never;
  },
  content: (data) => [{ type: 'text', text: renderDescription(data) }],
});
