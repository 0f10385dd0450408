import { annotations, description, status, title } from './status.mjs';

const inputSchema = { type: 'object', properties: {}, additionalProperties: false };
const tools = [{ name: 'status', title, description, inputSchema, annotations }];

function callStatus(args) {
  const [unknown] = Object.keys(args);
  if (unknown === undefined) return status();
  return { content: [{ type: 'text', text: `Unknown key ${unknown}` }], isError: true };
}

const methods = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'plain-loop', version: '0.1.0' },
  }),
  'tools/list': () => ({ tools }),
  'tools/call': (params) => callStatus(params.arguments),
};

function answer(line) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = methods[method](params);
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
}

let parts = [];
process.stdin.on('data', (chunk) => {
  let start = 0;
  for (;;) {
    const end = chunk.indexOf(10, start);
    if (end < 0) break;
    parts.push(chunk.subarray(start, end));
    // Joined once per line: joining per chunk would cost the square of the length.
    const line = Buffer.concat(parts).toString();
    parts = [];
    answer(line);
    start = end + 1;
  }
  if (start < chunk.length) parts.push(chunk.subarray(start));
});
