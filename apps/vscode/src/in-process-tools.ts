import { describeError, readableBlock } from '@baton/core';
import * as vscode from 'vscode';
import { type DeclaredTool, isWriting, ownName } from './declared-tools.ts';
import type { Launch } from './launch.ts';
import type { Log } from './log.ts';
import type { ToolClients } from './tool-clients.ts';
import { failure, toEditorResult } from './tool-result.ts';

export interface InProcessOptions {
  readonly clients: ToolClients;
  readonly log: Log;
  /** Where a call runs: in the folder that the person is looking at. */
  launch(): Launch | undefined;
}

/** Tools that are registered with the editor itself, for the chats of this window. */
export class InProcessTools {
  readonly #options: InProcessOptions;
  readonly #registered = new Map<string, vscode.Disposable>();

  constructor(options: InProcessOptions) {
    this.#options = options;
  }

  /** The own names of those that are there. */
  get names(): string[] {
    return [...this.#registered.keys()].sort();
  }

  set(tools: readonly DeclaredTool[]): void {
    const wanted = new Set(tools.map(ownName));
    for (const [name, registration] of this.#registered) {
      if (wanted.has(name)) continue;
      registration.dispose();
      this.#registered.delete(name);
    }
    for (const tool of tools) if (!this.#registered.has(ownName(tool))) this.#register(tool);
  }

  dispose(): void {
    this.set([]);
  }

  /** One that cannot be registered stays with the MCP server and keeps no other from it. */
  #register(tool: DeclaredTool): void {
    try {
      const registration = vscode.lm.registerTool(tool.name, {
        prepareInvocation: ({ input }) => preparation(tool, input),
        invoke: ({ input }, token) => this.#invoke(ownName(tool), input, token),
      });
      this.#registered.set(ownName(tool), registration);
    } catch (error) {
      this.#options.log.write('error', `${tool.name} was not registered: ${describeError(error)}`);
    }
  }

  async #invoke(
    name: string,
    input: unknown,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const { clients, log } = this.#options;
    const launch = this.#options.launch();
    if (!launch) return failure('No folder is open.', 'Open a folder and call again.');
    const abort = new AbortController();
    const subscription = token.onCancellationRequested(() => abort.abort());
    try {
      return toEditorResult(await clients.call(launch, name, input, abort.signal));
    } catch (error) {
      if (token.isCancellationRequested) throw new vscode.CancellationError();
      log.write('error', `${name}: ${describeError(error)}`);
      const message = error instanceof Error ? error.message : String(error);
      return failure(message, 'Try once more; the log of Baton has the details.');
    } finally {
      subscription.dispose();
    }
  }
}

function preparation(tool: DeclaredTool, input: unknown): vscode.PreparedToolInvocation {
  const invocationMessage = `Baton: ${tool.displayName}`;
  if (!isWriting(tool)) return { invocationMessage };
  const message = new vscode.MarkdownString();
  message.appendCodeblock(readableBlock(JSON.stringify(input, null, 2) ?? ''), 'json');
  return {
    invocationMessage,
    confirmationMessages: { title: `Baton: ${tool.displayName}?`, message },
  };
}
