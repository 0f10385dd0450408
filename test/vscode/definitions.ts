import type { Window } from './window.ts';

/** A server definition as the extension gives it to VS Code. */
export interface Definition {
  readonly kind: 'stdio' | 'http' | 'none';
  readonly label: string;
  readonly version?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly uri?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What the extension offers now. Works for the extension with fixtures only. */
export function definitions(window: Window): Promise<Definition[]> {
  return window.evaluate((vscode) => {
    const { batonDefinitions } = globalThis as never as { batonDefinitions(): never[] };
    return batonDefinitions().map((definition) => {
      const { label, version, env, command, args, cwd, uri, headers } = definition;
      const place = { cwd: (cwd as never as { fsPath?: string })?.fsPath, uri: uri && String(uri) };
      const kind =
        (definition as object) instanceof vscode.McpStdioServerDefinition
          ? 'stdio'
          : (definition as object) instanceof vscode.McpHttpServerDefinition
            ? 'http'
            : 'none';
      return { kind, label, version, env, command, args, headers, ...place } as never;
    });
  });
}
