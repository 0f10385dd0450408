import type * as z from 'zod';
import type { Asking } from './asking.ts';
import type { Caller } from './caller.ts';
import type { Content } from './content.ts';
import { lazily } from './lazily.ts';
import type { Log } from './ports.ts';

/**
 * The worst that a call can do; the MCP annotations follow from it, and clients decide by these
 * whether they ask a person first. `add` takes nothing away, `destroy` may. `run` can
 * lead to a command, at once or later, and a command can do anything.
 */
export type Effect = 'read' | 'add' | 'destroy' | 'run';

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** What a tool's `run` is given besides its service and its input. */
export interface ToolContext extends Asking {
  /** Aborted when the client cancels or the process ends. */
  readonly signal: AbortSignal;
  /** Aborted when the client will not wait any longer: a wait returns the current state. */
  readonly draining: AbortSignal;
  readonly caller: Caller;
  readonly log: Log;
  progress(update: Progress): void;
}

interface ToolFacts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly toolset: string;
  readonly effect: Effect;
  /** Names that arguments had in systems that Baton replaces: understood, never listed. */
  readonly olderNames?: Readonly<Record<string, string>>;
}

export interface ToolDefinition<Service, Input extends z.ZodObject, Output extends z.ZodObject>
  extends ToolFacts {
  /** A function makes it when it is first needed. */
  readonly input: Input | (() => Input);
  readonly output: Output | (() => Output);
  /** Shown in help and docs; a test validates each against `input`. */
  readonly examples: readonly { readonly title: string; readonly input: z.input<Input> }[];
  run(
    service: Service,
    input: z.output<Input>,
    context: ToolContext,
  ): z.input<Output> | Promise<z.input<Output>>;
  /** How the data is shown; without it, as text. Clients may show the data itself instead. */
  content?(data: z.output<Output>): readonly Content[];
}

/** A tool whose input and output types are known only to its own `run`. */
export interface Tool<Service = unknown> extends ToolFacts {
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly examples: readonly { readonly title: string; readonly input: object }[];
  run(service: Service, input: object, context: ToolContext): object | Promise<object>;
  content?(data: object): readonly Content[];
}

// VS Code refuses other characters, and `mcp_baton_` + name must stay within 64.
const NAME = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;
const NAME_LENGTH = 48;

export function defineTool<Service, Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Service, Input, Output>,
): Tool<Service> {
  if (!NAME.test(definition.name) || definition.name.length > NAME_LENGTH) {
    throw new TypeError(`Tool name ${JSON.stringify(definition.name)} is not short snake_case`);
  }
  const { input, output, ...rest } = definition;
  const inputOnce = lazily(() => strict(typeof input === 'function' ? input() : input));
  const outputOnce = lazily(() => (typeof output === 'function' ? output() : output));
  const tool = {
    ...rest,
    get input() {
      return inputOnce();
    },
    get output() {
      return outputOnce();
    },
  };
  // `run` is called by the executor only, which has parsed the input with this very schema.
  return Object.freeze(tool) as unknown as Tool<Service>;
}

/** Refuses unknown keys. What a schema says about itself, which Zod would drop, stays with it. */
function strict(schema: z.ZodObject): z.ZodObject {
  const about = schema.meta();
  return about ? schema.strict().meta(about) : schema.strict();
}
