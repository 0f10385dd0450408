import { writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { MEMORY_WORDS } from './messages.ts';

/** Statements have been seen to take 3 GB per second: 60 MB between two looks. */
const CHECK_MS = 20;

/**
 * Runs in a thread of its own, because rows are converted in the main one, which may take long, and
 * sleeps while there is nothing to watch. Its source is a text: the program is a single file.
 */
const WATCH = `
const { writeSync } = require('node:fs');
const { statements, parent, maxBytes, checkMs, memoryWords } = require('node:worker_threads').workerData;
const never = new Int32Array(new SharedArrayBuffer(4));
const isOrphan = () => {
  if (process.ppid !== parent) return true;
  try {
    process.kill(parent, 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH'; // Windows keeps the id of a parent that has ended.
  }
};
for (;;) {
  Atomics.wait(statements, 0, 0);
  if (isOrphan()) process.kill(process.pid, 'SIGKILL');
  if (process.memoryUsage.rss() > maxBytes) {
    writeSync(2, memoryWords);
    process.kill(process.pid, 'SIGKILL');
  }
  Atomics.wait(never, 0, 0, checkMs);
}
`;

/** The statements that run in this process, while it is watched. */
export interface EngineWatch {
  started(): void;
  ended(): void;
}

/**
 * Ends this process when its parent has ended or it has taken more memory than it may, whatever it
 * is busy with. SIGKILL, because `process.exit` waits for the threads that run statements.
 */
export function watchEngine(maxBytes: number): EngineWatch {
  process.on('disconnect', endAtOnce);
  killFirstWhenMemoryIsShort();
  const statements = new Int32Array(new SharedArrayBuffer(4));
  const workerData = {
    statements,
    parent: process.ppid,
    maxBytes,
    checkMs: CHECK_MS,
    memoryWords: MEMORY_WORDS,
  };
  // An error in it is not caught: there is no engine without a watch.
  new Worker(WATCH, { eval: true, env: {}, workerData }).unref();
  return {
    started: () => {
      Atomics.add(statements, 0, 1);
      Atomics.notify(statements, 0);
    },
    ended: () => {
      Atomics.sub(statements, 0, 1);
    },
  };
}

function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Linux can be told whom to end first: what is computed here can be computed again. */
function killFirstWhenMemoryIsShort(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '1000');
  } catch {
    // Not Linux, or not allowed here.
  }
}
