import type { z } from 'zod';
import type { Log } from './ports.ts';

/**
 * What a call does to the world; the MCP annotations follow from it.
 * `add` may be repeated with a new effect each time, `set` may be repeated without one.
 */
export type Effect = 'read' | 'add' | 'set' | 'destroy';

export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface Question<Schema extends z.ZodObject = z.ZodObject> {
  /** Names the question within the tool, so that its answer finds its way back. */
  readonly key: string;
  readonly message: string;
  readonly schema: Schema;
}

/** What a tool's `run` is given besides its service and its input. */
export interface ToolContext {
  /** Aborted when the client cancels or the process ends. */
  readonly signal: AbortSignal;
  /** Aborted when the client will not wait any longer: a wait returns the current state. */
  readonly draining: AbortSignal;
  readonly log: Log;
  progress(update: Progress): void;
  readonly canAsk: boolean;
  /**
   * Asks the person behind the client. The tool is run again from the start once the
   * answer is there, so nothing may be written before. `undefined` means: declined.
   */
  ask<Schema extends z.ZodObject>(question: Question<Schema>): z.output<Schema> | undefined;
}

interface ToolFacts {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly toolset: string;
  readonly effect: Effect;
}

export interface ToolDefinition<Service, Input extends z.ZodObject, Output extends z.ZodObject>
  extends ToolFacts {
  readonly input: Input;
  readonly output: Output;
  /** Shown in help and docs; a test validates each against `input`. */
  readonly examples: readonly { readonly title: string; readonly input: z.input<Input> }[];
  run(
    service: Service,
    input: z.output<Input>,
    context: ToolContext,
  ): z.input<Output> | Promise<z.input<Output>>;
}

/** A tool whose input and output types are known only to its own `run`. */
export interface Tool<Service = unknown> extends ToolFacts {
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly examples: readonly { readonly title: string; readonly input: object }[];
  run(service: Service, input: object, context: ToolContext): object | Promise<object>;
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
  // `run` is called by the executor only, which has parsed the input with this very schema.
  const tool = { ...definition, input: definition.input.strict() };
  return Object.freeze(tool) as unknown as Tool<Service>;
}
