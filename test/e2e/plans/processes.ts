import { readdirSync, readFileSync } from 'node:fs';

/** A process that is neither dead nor a zombie, with what was given to it at its start. */
export interface Living {
  readonly pid: number;
  readonly command: readonly string[];
  readonly env: ReadonlyMap<string, string>;
}

/** All living processes that were given a text, in their arguments or their environment. */
export function processesWith(text: string): Living[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const command = read(name, 'cmdline');
      const environ = read(name, 'environ');
      if (!command.includes(text) && !environ.includes(text)) return [];
      if (Number(name) === process.pid || isZombie(name)) return [];
      return [{ pid: Number(name), command: command.split('\0'), env: variables(environ) }];
    });
}

export function describeProcess({ pid, command }: Living): string {
  return `${pid}: ${command.join(' ').slice(0, 200)}`;
}

export function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(read(String(pid), 'status')) ?? [];
  return Number(kilobytes) * 1024;
}

function isZombie(pid: string): boolean {
  const stat = read(pid, 'stat');
  return stat === '' || /^[ZX]$/.test(stat.charAt(stat.lastIndexOf(')') + 2));
}

function variables(environ: string): Map<string, string> {
  return new Map(
    environ.split('\0').map((entry) => {
      const end = entry.indexOf('=');
      return [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // Gone meanwhile.
  }
}
