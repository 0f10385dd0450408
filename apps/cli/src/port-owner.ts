import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const LISTEN = '0A';

/** Who listens on a port of this machine, as far as this system tells without asking a program. */
export function portOwner(port: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const socket = listeningSocket(port);
    return socket && (processWith(socket.inode) ?? `a process of user ${socket.uid}`);
  } catch {
    return undefined;
  }
}

function listeningSocket(port: number): { inode: string; uid: string } | undefined {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8').split('\n').slice(1),
  );
  for (const row of rows) {
    const [, local, , state, , , , uid, , inode] = row.trim().split(/\s+/);
    if (state === LISTEN && local?.endsWith(`:${hex}`) && inode && uid) return { inode, uid };
  }
  return undefined;
}

function processWith(inode: string): string | undefined {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const pid = pids.find((candidate) => holds(candidate, inode));
  if (!pid) return undefined;
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  return `process ${pid} (${command.slice(0, 100)})`;
}

function holds(pid: string, inode: string): boolean {
  try {
    const folder = `/proc/${pid}/fd`;
    return readdirSync(folder).some(
      (fd) => readlinkSync(`${folder}/${fd}`) === `socket:[${inode}]`,
    );
  } catch {
    return false; // Another user's, or gone meanwhile.
  }
}
