let line = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  line += chunk;
  if (!chunk.includes('\n')) return;
  const { id } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: {} })}\n`);
});
