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
}

export const SECTION = 'baton';

/** Whatever a settings file says, as long as it makes sense; what does not counts as not said. */
export function readSettings(): Settings {
  const config = vscode.workspace.getConfiguration(SECTION);
  return {
    autoRegister: config.get('mcp.autoRegister') !== false,
    transport: config.get('mcp.transport') === 'http' ? 'http' : 'stdio',
    inProcess: config.get('tools.inProcess') === 'all' ? 'all' : 'editor',
    httpEnabled: config.get('http.enabled') === true,
    httpPort: readPort(config.get('http.port') ?? null),
  };
}
