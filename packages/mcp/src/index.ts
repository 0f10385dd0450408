export { describeTool, type ToolDescription } from './describe-tool.ts';
export { serveInMemory } from './transports/in-memory.ts';
export { type StdioServer, serveStdio } from './transports/stdio.ts';
