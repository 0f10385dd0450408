import * as vscode from 'vscode';
import type { HttpServer } from './http-server.ts';
import { type LaunchOptions, launchOf } from './launch.ts';

/** The id in package.json. */
export const PROVIDER = 'baton.servers';

/** Baton for one folder of the window. */
export interface Offer extends LaunchOptions {
  readonly label: string;
  /** VS Code keeps the list of tools until this changes. */
  readonly version: string;
}

/** A server that VS Code starts and stops. */
export function stdioDefinition(offer: Offer): vscode.McpStdioServerDefinition {
  const { command, args, env, cwd } = launchOf(offer, 'stdio');
  const { label, version } = offer;
  const all = [...args];
  const definition = new vscode.McpStdioServerDefinition(label, command, all, { ...env }, version);
  definition.cwd = vscode.Uri.file(cwd);
  return definition;
}

/** A server of this window's own that VS Code connects to; none until it is there. */
export function httpDefinitions(
  { label, version }: Offer,
  server: HttpServer | undefined,
): vscode.McpHttpServerDefinition[] {
  if (!server?.url) return [];
  const url = vscode.Uri.parse(server.url);
  const headers = { Authorization: `Bearer ${server.token}` };
  return [new vscode.McpHttpServerDefinition(label, url, headers, version)];
}
