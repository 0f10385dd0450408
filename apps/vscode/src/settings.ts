import * as vscode from 'vscode';
import { type Port, readPort } from './port.ts';

/** How the chats of this window reach Baton. */
export type Transport = 'stdio' | 'http';

export interface Settings {
  readonly autoRegister: boolean;
  readonly transport: Transport;
  /** Which tools are registered with the editor itself: those that need it, or all. */
  readonly inProcess: 'editor' | 'all';
  readonly httpEnabled: boolean;
  readonly httpPort: Port;
  /** What a settings file says and means nothing. */
  readonly problems: readonly string[];
}

export const SECTION = 'baton';

/** A settings file can say anything: what makes no sense counts as not said, and is reported. */
export function readSettings(): Settings {
  const config = vscode.workspace.getConfiguration(SECTION);
  const problems: string[] = [];
  const oneOf = <Value>(key: string, [first, ...others]: readonly [Value, ...Value[]]): Value => {
    const said = config.get(key);
    const found = [first, ...others].find((value) => value === said);
    if (found !== undefined) return found;
    problems.push(`baton.${key} is ${JSON.stringify(said)}: taken as ${first}.`);
    return first;
  };
  return {
    autoRegister: oneOf('mcp.autoRegister', [true, false]),
    transport: oneOf<Transport>('mcp.transport', ['stdio', 'http']),
    inProcess: oneOf<Settings['inProcess']>('tools.inProcess', ['editor', 'all']),
    httpEnabled: oneOf('http.enabled', [false, true]),
    httpPort: readPort(config.get('http.port') ?? null),
    problems,
  };
}

/** Shows the settings page, with those that the words find. */
export function openSettings(query: string): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.openSettings', query);
}
