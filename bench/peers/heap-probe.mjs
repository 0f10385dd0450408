import { writeSync } from 'node:fs';

// Loaded before a server (with --expose-gc) whose stdin has no other use: a line asks for the heap.
process.stdin.on('data', () => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  // Baton sends what others write to process.stdout to stderr.
  writeSync(1, `heap ${heapUsed + external}\n`);
});
