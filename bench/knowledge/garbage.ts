import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

// A flag on the command line would have to be given by everybody who runs this.
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Otherwise one engine would pay for what another has left behind. */
export function collectGarbage(): void {
  collect();
}

/** Bytes that JavaScript holds on to, buffers included. What SQLite allocates is not among them. */
export function usedMemory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
