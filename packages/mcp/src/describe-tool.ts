import type { Effect, Tool } from '@baton/core';
import * as z from 'zod';

/** A tool as `tools/list` shows it. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown };
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
}

function annotations(effect: Effect): ToolDescription['annotations'] {
  return {
    readOnlyHint: effect === 'read',
    destructiveHint: effect === 'destroy' || effect === 'run',
    idempotentHint: effect === 'read',
    // Baton itself works on this machine only; a command may reach anything.
    openWorldHint: effect === 'run',
  };
}

/** Limits that nobody plans for: they are checked, and the error names them. */
const UNLISTED = ['minLength', 'maxLength', 'minItems', 'maxItems', 'propertyNames'];

/** Every list costs tokens. A part with `listAs` in its meta stands in full somewhere else. */
function abridge(schema: z.core.JSONSchema.BaseSchema): void {
  const { listAs, description } = schema as { listAs?: object; description?: string };
  for (const key of listAs ? Object.keys(schema) : UNLISTED) delete schema[key];
  // A flag is off unless it is set.
  if (schema.type === 'boolean' && schema.default === false) delete schema.default;
  // That a number is safe goes without saying, and so it does that there are no fewer than none.
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if ([Number.MIN_SAFE_INTEGER, 0, 1].includes(schema.minimum ?? 2)) delete schema.minimum;
  if (listAs) Object.assign(schema, listAs, description && { description });
}

/** `made`: its input as JSON Schema, if that is known already. */
export function describeTool(tool: Tool, made?: object): ToolDescription {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: { ...(made ?? inputSchema(tool)), type: 'object' },
    annotations: annotations(tool.effect),
  };
}

export function inputSchema(tool: Tool): object {
  const { $schema, additionalProperties, ...schema } = z.toJSONSchema(tool.input, {
    io: 'input',
    override: ({ jsonSchema }) => abridge(jsonSchema),
  });
  // Simple schemas mean the same in every dialect, and naming it costs tokens in every list. That
  // other keys are refused goes without saying: every tool does so, and tells which ones it knows.
  return schema.$defs ? { $schema, ...schema, additionalProperties } : schema;
}
