import { randomUUID } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** What the probe says of the extension host that it runs in. */
interface Announcement {
  readonly pid: number;
  readonly version: string;
  readonly folders: readonly string[];
}

export interface ExtensionHost extends Announcement {
  readonly isGone: boolean;
  evaluate(source: string, arg: unknown): Promise<unknown>;
}

export interface Control {
  readonly port: number;
  readonly secret: string;
  /** Those that have called, by their process. */
  readonly extensionHosts: ReadonlyMap<number, ExtensionHost>;
  close(): void;
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: { readonly message: string; readonly stack?: string };
}

/** Listens for the probes of a host. */
export async function startControl(): Promise<Control> {
  const secret = randomUUID();
  const extensionHosts = new Map<number, ExtensionHost>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    const lines = createInterface(socket);
    lines.once('line', (line) => {
      const { secret: given, ...announcement } = JSON.parse(line);
      if (given !== secret) socket.destroy();
      else extensionHosts.set(announcement.pid, attach(announcement, socket, lines));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    secret,
    extensionHosts,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function attach(
  announcement: Announcement,
  socket: Socket,
  lines: NodeJS.EventEmitter,
): ExtensionHost {
  const waiting = new Map<number, (answer: Answer) => void>();
  let calls = 0;
  const gone = { message: `The extension host ${announcement.pid} has gone` };
  lines.on('line', (line: string) => {
    const answer: Answer = JSON.parse(line);
    waiting.get(answer.id)?.(answer);
    waiting.delete(answer.id);
  });
  socket.on('error', () => {}); // Reported by what follows it, which is "close".
  socket.on('close', () => {
    for (const [id, settle] of waiting) settle({ id, error: gone });
    waiting.clear();
  });
  return {
    ...announcement,
    get isGone() {
      return socket.destroyed;
    },
    evaluate: (source, arg) =>
      new Promise((resolve, reject) => {
        calls += 1;
        if (socket.destroyed) return reject(new Error(gone.message));
        waiting.set(calls, ({ value, error }) => {
          if (error) reject(new Error(error.message, { cause: error.stack }));
          else resolve(value);
        });
        socket.write(`${JSON.stringify({ id: calls, source, arg })}\n`);
      }),
  };
}
