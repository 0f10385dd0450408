import { defineTool, type Ports, type Tool, type ToolDefinition } from '@baton/core';
import * as z from 'zod';

/** What the tools of the suite work with. */
export interface Bench {
  readonly ports: Ports;
}

export const base = { toolset: 'conformance', effect: 'read', examples: [] } as const;

const output = z.object({ text: z.string() });

export type TextTool<Input extends z.ZodObject> = Pick<
  ToolDefinition<Bench, Input, typeof output>,
  'name' | 'description' | 'input' | 'run'
>;

/** A tool that answers with one text as it is, which is what the suite mostly asks for. */
export function textTool<Input extends z.ZodObject>(tool: TextTool<Input>): Tool<Bench> {
  return defineTool({
    ...base,
    ...tool,
    title: tool.name,
    output,
    content: ({ text }) => [{ type: 'text', text }],
  });
}
