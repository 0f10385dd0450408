import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { annotations, description, status, title } from './status.mjs';

// Made once: over HTTP the new era has a server per request.
const inputSchema = z.strictObject({});

export function createServer() {
  const server = new McpServer({ name: 'sdk-2', version: '0.1.0' });
  server.registerTool('status', { title, description, inputSchema, annotations }, () => status());
  return server;
}
