import { writeFileSync } from 'node:fs';
import { watchEngine } from '../engine-under-test.ts';

/**
 * The engine at its worst: once it has something to do, its main thread never comes back. It is told
 * how much memory it may take (0: nothing watches it), whether it takes more and more, and where it
 * writes its process id when it is busy.
 */
const [maxBytes, isGreedy, file] = process.argv.slice(2);
const watch = Number(maxBytes) > 0 ? watchEngine(Number(maxBytes)) : undefined;
/** Of 4 MiB: a test that fails must not harm the machine. */
const MAX_TAKEN = 400;
const taken: Buffer[] = [];

process.on('message', () => {
  watch?.started();
  if (file) writeFileSync(file, String(process.pid));
  for (;;)
    if (isGreedy === 'greedy' && taken.length < MAX_TAKEN)
      taken.push(Buffer.alloc(4 * 1024 * 1024, 1));
});
process.send?.({ type: 'ready' });
