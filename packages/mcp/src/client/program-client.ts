import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type CallToolResult, Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export type ToolResult = CallToolResult;

export interface ProgramClientOptions {
  /** Who calls, as the server sees it. */
  readonly client: { readonly name: string; readonly version: string };
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** What the program logs, line by line. */
  onLog(line: string): void;
  /** The program has ended, for whatever reason. */
  onClose(): void;
}

export interface ProgramClient {
  /** Rejects if the tool does not exist, the signal is aborted, or the program ends. */
  call(name: string, input: unknown, signal: AbortSignal): Promise<ToolResult>;
  close(): Promise<void>;
}

/** The server's own limit for a message. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** A tool may take its time; the caller has a signal, and a program that ends rejects at once. */
const CALL_MS = 24 * 60 * 60 * 1000;

/** Starts a Baton of our own and speaks MCP with it over stdio. */
export async function connectToProgram(options: ProgramClientOptions): Promise<ProgramClient> {
  const { command, args, cwd, env } = options;
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    cwd,
    env: env as Record<string, string>,
    stderr: 'pipe',
    maxBufferSize: MAX_MESSAGE_BYTES,
  });
  // In the new era the SDK starts the program twice, the first time to look at it.
  const client = new Client(options.client, { versionNegotiation: { mode: 'legacy' } });
  client.onclose = options.onClose;
  let lastLine = '';
  createInterface({ input: transport.stderr as Readable }).on('line', (line) => {
    lastLine = line;
    options.onLog(line);
  });
  await client.connect(transport).catch((cause: unknown) => {
    // A program that does not start says why in its last line.
    throw new Error(lastLine || String(cause), { cause });
  });
  return {
    call: (name, input, signal) =>
      client.callTool(
        { name, arguments: input as Record<string, unknown> },
        { signal, timeout: CALL_MS },
      ),
    close: () => client.close(),
  };
}
