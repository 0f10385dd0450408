import { until } from './until.ts';
import type { Window } from './window.ts';

/** What VS Code gives a chat for a call: the texts of the result, or why there is none. */
export function invoke(window: Window, name: string, input: unknown): Promise<string> {
  return window.evaluate(
    async (vscode, call) => {
      try {
        const result = await vscode.lm.invokeTool(call.name, {
          input: call.input as object,
          toolInvocationToken: undefined,
        });
        return result.content.map((part) => (part as { value?: unknown }).value ?? '').join('\n');
      } catch (error) {
        return `thrown: ${error}`;
      }
    },
    { name, input },
  );
}

/** Has VS Code start a server of Baton, as the first message to an agent does. */
export function startServer(window: Window, label = 'Baton', tool = 'mcp_baton_status') {
  return until(`${tool} answers`, async () => {
    // Does nothing as long as VS Code has not heard of the server.
    await window.evaluate(
      (vscode, id) => vscode.commands.executeCommand('workbench.mcp.startServer', id),
      `baton.baton/${label}`,
    );
    return !isThrown(await invoke(window, tool, {}));
  });
}

/** Waits until a chat cannot have a tool any more. `lm.tools` may still name it, in 1.105. */
export function untilGone(window: Window, tool: string) {
  return until(`${tool} has gone`, async () => isThrown(await invoke(window, tool, {})));
}

function isThrown(result: string): boolean {
  return result.startsWith('thrown: ');
}

/** Changes settings of the user; `undefined` takes one back. */
export function configure(window: Window, settings: Readonly<Record<string, unknown>>) {
  return window.evaluate(async (vscode, entries) => {
    for (const [key, value] of entries) {
      const config = vscode.workspace.getConfiguration();
      await config.update(key, value ?? undefined, vscode.ConfigurationTarget.Global);
    }
  }, Object.entries(settings));
}
