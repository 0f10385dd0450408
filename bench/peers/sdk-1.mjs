import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { z } from 'zod';
import { annotations, description, status, title } from './status.mjs';

const server = new McpServer({ name: 'sdk-1', version: '0.1.0' });
const inputSchema = z.strictObject({});
server.registerTool('status', { title, description, inputSchema, annotations }, () => status());
await server.connect(new StdioServerTransport());
