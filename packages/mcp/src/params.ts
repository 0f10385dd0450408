import { truncate } from '@baton/core';
import * as z from 'zod';
import { LOG_LEVELS } from './log-levels.ts';
import { invalidParams } from './protocol-error.ts';

// The SDK answers malformed params with -32603 and a Zod dump. They are the client's fault,
// so they are checked here first and answered with -32602 and the name of the field.
// Each schema is made on first use: a client needs three or four of them.
const params = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.looseObject({
    _meta: z
      .looseObject({ progressToken: z.union([z.string(), z.number().int()]).optional() })
      .optional(),
    ...shape,
  });
const any = () => params({});
const list = () => params({ cursor: z.string().optional() });
const resource = () => params({ uri: z.string() });

const SCHEMAS = {
  initialize: () =>
    params({
      protocolVersion: z.string(),
      capabilities: z.looseObject({}),
      clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
    }),
  'tools/list': list,
  'tools/call': () =>
    params({
      name: z.string(),
      // Not a record: that would look at every key, and a client may send a million of them.
      arguments: z
        .custom<Record<string, unknown>>(
          (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
          'expected an object',
        )
        .optional(),
    }),
  'resources/list': list,
  'resources/templates/list': list,
  'resources/read': resource,
  'resources/subscribe': resource,
  'resources/unsubscribe': resource,
  'prompts/list': list,
  'prompts/get': () =>
    params({
      name: z.string(),
      arguments: z.record(z.string(), z.string()).optional(),
    }),
  'completion/complete': () =>
    params({
      ref: z.union([
        z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
        z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
      ]),
      argument: z.looseObject({ name: z.string(), value: z.string() }),
    }),
  'logging/setLevel': () => params({ level: z.enum(LOG_LEVELS) }),
} satisfies Record<string, () => z.ZodType>;

export type CheckedMethod = keyof typeof SCHEMAS;
export type Params<Method extends CheckedMethod> = z.output<ReturnType<(typeof SCHEMAS)[Method]>>;

const made = new Map<() => z.ZodType, z.ZodType>();

function schemaFor(method: string): z.ZodType {
  const make = Object.hasOwn(SCHEMAS, method) ? SCHEMAS[method as CheckedMethod] : any;
  const schema = made.get(make) ?? make();
  made.set(make, schema);
  return schema;
}

export function checkParams(method: string, params: unknown): void {
  // Compiling a checker for each schema would cost more at start-up than it ever saves here.
  const checked = schemaFor(method).safeParse(params ?? {}, { jitless: true });
  if (checked.success) return;
  const problems = checked.error.issues
    .slice(0, 5)
    .map((issue) => `${['params', ...issue.path.map(String)].join('.')}: ${issue.message}`);
  throw invalidParams(truncate(`Invalid ${method} request: ${problems.join('; ')}`, 1000));
}
