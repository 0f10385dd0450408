import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { annotations, description, status, title } from './status.mjs';

serveStdio(() => {
  const server = new McpServer({ name: 'sdk-2', version: '0.1.0' });
  const inputSchema = z.strictObject({});
  server.registerTool('status', { title, description, inputSchema, annotations }, () => status());
  return server;
});
