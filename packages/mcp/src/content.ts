import type { Content } from '@baton/core';

/** Content as MCP writes it. */
export function toMcpContent(content: Content) {
  if (content.type !== 'resource') return content;
  const { type, ...resource } = content;
  return { type, resource };
}
