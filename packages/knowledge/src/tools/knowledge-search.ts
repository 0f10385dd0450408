import { defineTool } from '@baton/core';
import * as z from 'zod';
import type { SearchAnswer } from '../answer.ts';
import { renderMarkdown } from '../markdown.ts';
import { KINDS } from '../reading/piece.ts';
import { LIMITS, MODES } from '../request.ts';
import type { KnowledgeService } from '../service.ts';

const { maxTokens, maxResults, minScore } = LIMITS;

export const knowledgeSearch = defineTool({
  name: 'knowledge_search',
  title: 'Search the team’s knowledge',
  description:
    'Finds the team’s instructions, skills, patterns, guides, examples and workflows for what you are about to do, or for what goes wrong.',
  toolset: 'knowledge',
  effect: 'read',
  input: () =>
    z.object({
      query: z.string().min(1).max(10_000).describe('in your own words, or an id'),
      mode: z
        .enum(MODES)
        .default('catalog')
        .describe('index: ids; catalog: with descriptions; full: contents'),
      maxTokens: z
        .int()
        .min(maxTokens.least)
        .max(maxTokens.most)
        .default(maxTokens.usual)
        .describe('never exceeded'),
      kinds: z
        .array(z.enum(KINDS))
        .max(KINDS.length)
        .optional()
        .meta({ listAs: { type: 'array', items: { type: 'string' } } }),
      tags: z.array(z.string().max(100)).max(20).optional().describe('all of them'),
      minScore: z.number().min(minScore.least).max(minScore.most).optional(),
      maxResults: z.int().min(maxResults.least).max(maxResults.most).default(maxResults.usual),
      cursor: z.string().max(200).optional(),
    }),
  output: () =>
    z.object({
      pieces: z.array(
        z.object({
          id: z.string(),
          title: z.string(),
          tokens: z.number().describe('of the whole piece'),
          score: z.number(),
          description: z.string().optional(),
          why: z.string().optional(),
          from: z.string().optional(),
          isPart: z.literal(true).optional(),
          text: z.string().optional(),
        }),
      ),
      tokens: z.number().describe('of this answer'),
      cursor: z.string().optional(),
      source: z.string().optional(),
      next: z.string().optional(),
    }),
  examples: [
    { title: 'What is there for this?', input: { query: 'the page jumps while images load' } },
    {
      title: 'The contents, within a budget',
      input: { query: 'add cursor paging to an endpoint', mode: 'full', maxTokens: 1500 },
    },
    {
      title: 'Only skills with a tag',
      input: { query: 'slow queries', kinds: ['skill'], tags: ['postgresql'] },
    },
    {
      title: 'One piece by its id',
      input: { query: 'skill/lock-contention', mode: 'full', maxResults: 1 },
    },
  ],
  async run(service: KnowledgeService, request) {
    const { pieces, ...answer } = await service.search(request);
    return { pieces: [...pieces], ...answer };
  },
  content: (answer) => [{ type: 'text', text: renderMarkdown(answer as SearchAnswer) }],
});
