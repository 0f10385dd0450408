import { defineTool, type Effect } from '@baton/core';
import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { describeTool } from '../src/index.ts';

function toolWith(input: z.ZodObject, effect: Effect = 'read') {
  return defineTool({
    name: 'try_it',
    title: 'Try it',
    description: 'Tries it.',
    toolset: 'tests',
    effect,
    input,
    output: z.object({}),
    examples: [],
    run: () => ({}),
  });
}

function schemaOf(input: z.ZodObject) {
  return describeTool(toolWith(input)).inputSchema;
}

test(`${cites('TOOLS-LIST')} a plain schema does not spend words on its dialect`, () => {
  expect(schemaOf(z.object({ a: z.string() }))).toEqual({
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
  });
});

test(`${cites('TOOLS-LIST')} definitions and keywords beyond Zod's arrive as they were written`, () => {
  const point = z.object({ x: z.number() }).meta({ id: 'describe-tool-point' });
  const either = [{ required: ['from'] }, { required: ['to'] }];
  const input = z.object({ from: point.optional(), to: point.optional() }).meta({ anyOf: either });
  expect(schemaOf(input)).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    properties: { from: { $ref: '#/$defs/describe-tool-point' } },
    anyOf: either,
    additionalProperties: false,
    $defs: { 'describe-tool-point': { type: 'object', properties: { x: { type: 'number' } } } },
  });
});

test(`${cites('T47')} the hints follow from the worst that a call can do`, () => {
  const hintsOf = (effect: Effect) => {
    const { annotations } = describeTool(toolWith(z.object({}), effect));
    return Object.entries(annotations).flatMap(([hint, isSet]) => (isSet ? [hint] : []));
  };
  expect(hintsOf('read')).toEqual(['readOnlyHint', 'idempotentHint']);
  expect(hintsOf('add')).toEqual([]);
  expect(hintsOf('destroy')).toEqual(['destructiveHint']);
  expect(hintsOf('run')).toEqual(['destructiveHint', 'openWorldHint']);
});
