import type { ProgramClient, ToolResult } from '@baton/mcp/client';
import { childEnvironment, type Launch } from './launch.ts';

export interface ToolClientsOptions {
  readonly version: string;
  onLog(line: string): void;
}

/** A Baton of our own for each folder that somebody calls a tool in, started by the first call. */
export class ToolClients {
  readonly #options: ToolClientsOptions;
  readonly #clients = new Map<string, Promise<ProgramClient>>();

  constructor(options: ToolClientsOptions) {
    this.#options = options;
  }

  async call(
    launch: Launch,
    name: string,
    input: unknown,
    signal: AbortSignal,
  ): Promise<ToolResult> {
    const client = await this.#clientFor(launch);
    return client.call(name, input, signal);
  }

  /** Ends the programs for which there is no reason any more, and their calls with them. */
  async retain(launches: readonly Launch[]): Promise<void> {
    const kept = new Set(launches.map(keyOf));
    const surplus = [...this.#clients].filter(([key]) => !kept.has(key));
    await Promise.all(
      surplus.map(async ([key, connecting]) => {
        this.#clients.delete(key);
        const client = await connecting.catch(() => undefined);
        await client?.close();
      }),
    );
  }

  #clientFor(launch: Launch): Promise<ProgramClient> {
    const key = keyOf(launch);
    const known = this.#clients.get(key);
    if (known) return known;
    const forget = () => {
      if (this.#clients.get(key) === connecting) this.#clients.delete(key);
    };
    const connecting = this.#connect(launch, forget);
    this.#clients.set(key, connecting);
    connecting.catch(forget); // The next call tries again.
    return connecting;
  }

  async #connect(launch: Launch, onClose: () => void): Promise<ProgramClient> {
    // The client of the SDK takes 90 ms to load: not before it is needed.
    const { connectToProgram } = await import('@baton/mcp/client');
    return connectToProgram({
      client: { name: 'baton-vscode', version: this.#options.version },
      command: launch.command,
      args: launch.args,
      env: childEnvironment(launch),
      cwd: launch.cwd,
      onLog: this.#options.onLog,
      onClose,
    });
  }
}

function keyOf(launch: Launch): string {
  return JSON.stringify(launch);
}
