import { describeError } from '@baton/core';
import * as vscode from 'vscode';
import { createAlerts } from './alerts.ts';
import { BatonWindow, takesServers } from './baton-window.ts';
import { registerCommands } from './commands.ts';
import { Log } from './log.ts';
import { showNotices } from './notices.ts';
import { PROVIDER } from './server-definitions.ts';
import { SECTION } from './settings.ts';
import { createStatusBar } from './status-bar.ts';

let window: BatonWindow | undefined;

/** Nothing here waits: servers start beside it, and a failure of one of them is told later. */
export function activate(context: vscode.ExtensionContext): void {
  const started = performance.now();
  const channel = vscode.window.createOutputChannel('Baton', { log: true });
  const log = new Log(channel);
  const baton = new BatonWindow(context.extension, log);
  window = baton;
  const update = () => {
    baton.update().catch((error: unknown) => log.write('error', describeError(error)));
  };
  context.subscriptions.push(
    channel,
    createStatusBar(baton.board),
    createAlerts(baton.board, log),
    registerCommands(context, baton, log),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SECTION)) update();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(update),
    vscode.workspace.onDidGrantWorkspaceTrust(update),
  );
  if (takesServers()) {
    const provider = vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: baton.onDidChangeDefinitions,
      provideMcpServerDefinitions: () => baton.provideDefinitions(),
    });
    context.subscriptions.push(provider);
  }
  update();
  showNotices(context, baton).catch((error: unknown) => log.write('error', describeError(error)));
  log.write('info', `activated in ${(performance.now() - started).toFixed(1)} ms`);
}

/** VS Code waits for this: what the window has started ends with it. */
export async function deactivate(): Promise<void> {
  await window?.dispose();
}
