import type { Tool } from '@baton/core';
import { describeTool } from '@baton/mcp';

/** The manifest of the extension with the tools that it can register with the editor. */
export function declareTools(manifest: string, tools: readonly Tool[]): string {
  const parsed = JSON.parse(manifest);
  parsed.contributes.languageModelTools = tools.map(declareTool);
  return `${JSON.stringify(parsed, null, 2)}\n`;
}

function declareTool(tool: Tool): object {
  const { title, description, inputSchema } = describeTool(tool);
  const isEditor = tool.toolset === 'editor';
  const conditions = [
    // What the MCP server has is not shown a second time.
    ...(isEditor ? [] : ['config.baton.tools.inProcess == all']),
    ...(tool.effect === 'read' ? [] : ['isWorkspaceTrusted']),
  ];
  return {
    // Names are shared by all extensions.
    name: `baton_${tool.name}`,
    displayName: title,
    userDescription: description,
    modelDescription: description,
    toolReferenceName: `baton_${tool.name}`,
    canBeReferencedInPrompt: true,
    tags: ['baton', tool.toolset, tool.effect],
    inputSchema,
    ...(conditions.length > 0 && { when: conditions.join(' && ') }),
  };
}
