import { createHash } from 'node:crypto';

/** A name for what is kept about a folder: whoever works in one sees nothing of another. */
export function keyOf(folder: string): string {
  return createHash('sha256').update(folder).digest('hex').slice(0, 32);
}
