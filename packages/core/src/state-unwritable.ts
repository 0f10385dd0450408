import { BatonError } from './errors.ts';

/**
 * What a person can do about a file or folder of Baton's own, `place`, that cannot be written or
 * not even read. Errors that do not come from the file system stay what they are.
 */
export function stateUnwritable(place: string, cause: unknown): unknown {
  const { code, message, syscall } = cause as NodeJS.ErrnoException;
  if (syscall === undefined) return cause;
  // Node.js says of a folder on a read-only file system that it does not exist.
  const why = code === 'ENOENT' && syscall === 'mkdir' ? 'its disk is read-only' : message;
  return new BatonError(
    'state_unwritable',
    `Baton cannot use ${place}, which belongs to its state (${why}); nothing was changed.`,
    'Make the state folder writable and see that its disk has room, or name another folder with BATON_STATE; `baton doctor` tells which it is.',
    { cause },
  );
}
