import { truncate } from '@baton/core';
import { RELATED_TASK_META_KEY } from '@modelcontextprotocol/server';
import { LOG_LEVELS } from './log-levels.ts';
import { invalidParams } from './protocol-error.ts';
import {
  anyObject,
  type Check,
  either,
  fields,
  mapOf,
  oneOf,
  optional,
  text,
  textOrWholeNumber,
} from './shape.ts';

// The SDK answers malformed params with -32603 and a Zod dump. They are the client's fault,
// so they are checked here first and answered with -32602 and the name of the field.
export const _meta = optional(
  fields({
    progressToken: optional(textOrWholeNumber),
    [RELATED_TASK_META_KEY]: optional(fields({ taskId: text })),
  }),
);
const list = fields({ _meta, cursor: optional(text) });
const resource = fields({ _meta, uri: text });
const any = fields({ _meta });

const CHECKS = {
  initialize: fields({
    _meta,
    protocolVersion: text,
    capabilities: anyObject,
    clientInfo: fields({ name: text, version: text }),
  }),
  'tools/list': list,
  'tools/call': fields({ _meta, name: text, arguments: optional(anyObject) }),
  'resources/list': list,
  'resources/templates/list': list,
  'resources/read': resource,
  'resources/subscribe': resource,
  'resources/unsubscribe': resource,
  'prompts/list': list,
  'prompts/get': fields({ _meta, name: text, arguments: optional(mapOf(text)) }),
  'completion/complete': fields({
    _meta,
    ref: either(
      fields({ type: oneOf(['ref/prompt']), name: text }),
      fields({ type: oneOf(['ref/resource']), uri: text }),
    ),
    argument: fields({ name: text, value: text }),
  }),
  'logging/setLevel': fields({ _meta, level: oneOf(LOG_LEVELS) }),
};

export type CheckedMethod = keyof typeof CHECKS;
export type Params<Method extends CheckedMethod> =
  (typeof CHECKS)[Method] extends Check<infer T> ? T : never;

export function checkParams(method: string, params: unknown): void {
  const check = Object.hasOwn(CHECKS, method) ? CHECKS[method as CheckedMethod] : any;
  const wrong = check(params ?? {}, 'params');
  if (wrong) throw invalidParams(truncate(`Invalid ${method} request: ${wrong}`, 500));
}
