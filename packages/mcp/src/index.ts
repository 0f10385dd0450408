export { describeTool, type ToolDescription } from './describe-tool.ts';
export { serveInMemory } from './transports/in-memory.ts';
export { serveStdio, type StdioServer } from './transports/stdio.ts';
