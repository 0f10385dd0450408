import { type ChildProcess, spawn } from 'node:child_process';
import type { InstalledHost } from './install.ts';
import { until } from './until.ts';

export interface Server {
  readonly address: string;
  /** What it has written so far. */
  readonly log: string;
  /** Asks it and its children to end. */
  terminate(): void;
}

/** Starts the VS Code server with a process group of its own. */
export async function startServer(
  { node, server }: InstalledHost,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Server> {
  const options = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token'];
  const consent = ['--accept-server-license-terms', '--disable-telemetry'];
  const child = spawn(node, [server, ...options, ...consent, ...args], {
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const terminate = () => killGroup(child);
  process.once('exit', terminate);
  child.once('exit', () => process.off('exit', terminate));
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      log += text;
    });
  }
  try {
    const address = await until('VS Code listens', () => {
      if (child.exitCode !== null) throw new Error(`VS Code has ended with ${child.exitCode}`);
      const port = /Extension host agent listening on (\d+)/.exec(log)?.[1];
      return port && `http://127.0.0.1:${port}`;
    });
    await until('VS Code answers', async () => (await fetch(`${address}/version`)).ok);
    return {
      address,
      get log() {
        return log;
      },
      terminate,
    };
  } catch (error) {
    terminate();
    throw new Error(`VS Code did not start:\n${log}`, { cause: error });
  }
}

function killGroup({ pid }: ChildProcess): void {
  if (!pid) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {} // All of it has ended.
}
