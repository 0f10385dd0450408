import { type FSWatcher, watch } from 'node:fs';
import path from 'node:path';
import type { Watch } from '../../driver.ts';
import type { Connection } from './connection.ts';
import { isSqliteError } from './failure.ts';

const POLL_MS = 250;
/** A file moves while a transaction is written, which is a moment before others can see it. */
const QUICK_POLL_MS = 8;
const QUICK_FOR_MS = 120;

/** Looks every now and then whether somebody has committed, and more often while the file moves. */
export function watchFile(
  file: string,
  connection: () => Connection | undefined,
  listener: () => void,
): Watch {
  let version: unknown;
  let quickUntil = 0;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;

  const look = (isOurs: boolean) => {
    const now = versionOf(connection());
    const isNew = now === undefined || now !== version;
    version = now;
    schedule();
    if (isNew || isOurs) listener();
  };
  const schedule = () => {
    clearTimeout(timer);
    if (isEnded) return;
    const isQuick = performance.now() < quickUntil;
    timer = setTimeout(() => look(false), isQuick ? QUICK_POLL_MS : POLL_MS).unref();
  };
  const watcher = watchFolder(path.dirname(file), (name) => {
    if (name !== null && !name.startsWith(path.basename(file))) return;
    const wasQuick = performance.now() < quickUntil;
    quickUntil = performance.now() + QUICK_FOR_MS;
    if (!wasQuick) schedule();
  });
  version = versionOf(connection());
  schedule();
  return {
    committed: () => look(true),
    end: () => {
      isEnded = true;
      clearTimeout(timer);
      watcher?.close();
    },
  };
}

/** Changes whenever another connection has committed, of this process or of any other. */
function versionOf(connection: Connection | undefined): unknown {
  try {
    return connection?.value('pragma data_version');
  } catch (error) {
    // Busy for a moment, or broken: whoever reads next will be told.
    if (isSqliteError(error)) return undefined;
    throw error;
  }
}

function watchFolder(
  folder: string,
  onChange: (name: string | null) => void,
): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => onChange(name));
    watcher.on('error', () => watcher.close()); // Polling goes on.
    return watcher;
  } catch {
    return undefined; // Out of watches, or a folder that cannot be watched: polling is enough.
  }
}
