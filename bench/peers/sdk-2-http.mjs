import { randomUUID } from 'node:crypto';
import http from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createServer } from './sdk-2-server.mjs';

const isHostAllowed = localhostHostValidation();
const isOriginAllowed = localhostOriginValidation();
const modern = toNodeHandler(createMcpHandler(createServer, { legacy: 'reject' }));
const sessions = new Map();

async function openSession() {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    // Plain JSON, as Baton and the new era's handler answer: an event stream would cost more.
    enableJsonResponse: true,
    onsessioninitialized: (id) => sessions.set(id, transport),
  });
  await createServer().connect(transport);
  return transport;
}

// The SDK's own way to tell the eras apart parses each body a second time; a header does as well.
async function serve(request, response) {
  if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
  if (request.headers['mcp-protocol-version'] === '2026-07-28') return modern(request, response);
  const transport = sessions.get(request.headers['mcp-session-id']) ?? (await openSession());
  await transport.handleRequest(request, response);
}

const server = http.createServer(serve);
server.listen({ host: '127.0.0.1', port: 0 }, () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}\n`);
});
