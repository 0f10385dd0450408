import { truncate } from '@baton/core';
import * as z from 'zod';
import { invalidParams } from './protocol-error.ts';

// The SDK answers malformed params with -32603 and a Zod dump. They are the client's fault,
// so they are checked here first and answered with -32602 and the name of the field.
const meta = z
  .looseObject({ progressToken: z.union([z.string(), z.number().int()]).optional() })
  .optional();
const base = { _meta: meta };
// Not a record: that would look at every key, and a client may send a million of them.
const anyObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'expected an object',
);
const list = z.looseObject({ ...base, cursor: z.string().optional() });
const resource = z.looseObject({ ...base, uri: z.string() });

const SCHEMAS = {
  initialize: z.looseObject({
    ...base,
    protocolVersion: z.string(),
    capabilities: z.looseObject({}),
    clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
  }),
  'tools/list': list,
  'tools/call': z.looseObject({
    ...base,
    name: z.string(),
    arguments: anyObject.optional(),
  }),
  'resources/list': list,
  'resources/templates/list': list,
  'resources/read': resource,
  'resources/subscribe': resource,
  'resources/unsubscribe': resource,
  'prompts/list': list,
  'prompts/get': z.looseObject({
    ...base,
    name: z.string(),
    arguments: z.record(z.string(), z.string()).optional(),
  }),
  'completion/complete': z.looseObject({
    ...base,
    ref: z.union([
      z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
      z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
    ]),
    argument: z.looseObject({ name: z.string(), value: z.string() }),
  }),
  'logging/setLevel': z.looseObject({
    ...base,
    level: z.enum([
      'debug',
      'info',
      'notice',
      'warning',
      'error',
      'critical',
      'alert',
      'emergency',
    ]),
  }),
} satisfies Record<string, z.ZodType>;
const ANY = z.looseObject(base);

export type CheckedMethod = keyof typeof SCHEMAS;
export type Params<Method extends CheckedMethod> = z.output<(typeof SCHEMAS)[Method]>;

export function checkParams(method: string, params: unknown): void {
  const schema = Object.hasOwn(SCHEMAS, method) ? SCHEMAS[method as CheckedMethod] : ANY;
  // Compiling a checker for each schema would cost more at start-up than it ever saves here.
  const checked = schema.safeParse(params ?? {}, { jitless: true });
  if (checked.success) return;
  const problems = checked.error.issues
    .slice(0, 5)
    .map((issue) => `${['params', ...issue.path.map(String)].join('.')}: ${issue.message}`);
  throw invalidParams(truncate(`Invalid ${method} request: ${problems.join('; ')}`, 1000));
}
