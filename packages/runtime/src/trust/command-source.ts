import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { BatonError, type CommandFile, type CommandSource } from '@baton/core';

const MAX_BYTES = 1024 * 1024;
// A pipe would be waited for, and a link that has just been put there followed. Windows has neither.
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * The commands in a file of the workspace. The file is read once: what is returned here is what
 * has to be shown, approved and run.
 */
export async function readCommandSource(
  workspace: string,
  file: string,
  known: readonly CommandFile[],
): Promise<CommandSource> {
  const source = sourceName(workspace, realFile(file));
  if (source === undefined) {
    throw unusable(file, 'is outside of the workspace', `Name a file in ${workspace}.`);
  }
  const kind = known.find((candidate) => candidate.reads(source));
  if (!kind) {
    throw unusable(
      file,
      'is of no kind whose commands Baton runs',
      'There is nothing to approve in it; name another file.',
    );
  }
  const commands = await kind.commands(readText(file, path.join(workspace, source)), source);
  return { workspace, source, commands };
}

/** A path as it stands in approvals, unless it leads out of the workspace. */
export function sourceName(workspace: string, file: string): string | undefined {
  const relative = path.relative(workspace, file);
  const isOutside =
    relative === '' || relative.split(path.sep)[0] === '..' || path.isAbsolute(relative);
  return isOutside ? undefined : relative.split(path.sep).join('/');
}

function realFile(file: string): string {
  try {
    return realpathSync(file);
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function readText(file: string, real: string): string {
  const bytes = readBytes(file, real);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw unusable(file, 'is not a text in UTF-8', 'Write it in UTF-8.', cause);
  }
}

function readBytes(file: string, real: string): Buffer {
  let opened: number | undefined;
  try {
    opened = openSync(real, OPEN_FLAGS);
    if (!fstatSync(opened).isFile()) {
      throw unusable(file, 'is not a regular file', 'Name a file with commands.');
    }
    // One byte more than is allowed, whatever size the file claims to have.
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    for (;;) {
      const read = readSync(opened, buffer, length, buffer.length - length, null);
      length += read;
      if (length > MAX_BYTES) {
        throw unusable(file, 'is larger than 1 MiB', 'Split it into smaller files.');
      }
      if (read === 0) return buffer.subarray(0, length);
    }
  } catch (cause) {
    throw cause instanceof BatonError ? cause : unreadable(file, cause);
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}

function unreadable(file: string, cause: unknown): BatonError {
  const { code } = cause as NodeJS.ErrnoException;
  const isMissing = code === 'ENOENT' || code === 'ENOTDIR';
  return unusable(
    file,
    isMissing ? 'does not exist' : `cannot be read (${code})`,
    isMissing ? 'Name a file that exists.' : 'Make it readable, or name another file.',
    cause,
  );
}

function unusable(file: string, what: string, next: string, cause?: unknown): BatonError {
  return new BatonError('file_unusable', `${file} ${what}.`, next, { cause });
}
