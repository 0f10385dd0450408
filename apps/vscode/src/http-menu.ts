import * as vscode from 'vscode';
import type { BatonWindow } from './baton-window.ts';
import type { HttpServer } from './http-server.ts';
import { openSettings } from './settings.ts';
import type { HttpStatus } from './status.ts';

type Choice = vscode.QuickPickItem & { run(): unknown };

/** What can be done about the HTTP server: shown by its item in the status bar. */
export async function showHttpMenu(window: BatonWindow, showLogs: () => void): Promise<void> {
  const { http } = window.board.status;
  const item = (label: string, run: () => unknown): Choice => ({ label, run });
  const start = item('$(play) Start Server', () =>
    vscode.commands.executeCommand('baton.startHttp'),
  );
  const stop = item('$(debug-stop) Stop Server', () => window.askHttp(false));
  const settings = item('$(settings-gear) Open Settings', () => openSettings('baton.http'));
  const logs = item('$(output) Show Logs', showLogs);
  const choices: Record<HttpStatus['state'], Choice[]> = {
    running: [
      item('$(link) Copy URL', () => copyUrl(window)),
      item('$(copy) Copy Client Configuration', () => copyConfiguration(window)),
      stop,
      logs,
    ],
    starting: [stop, logs],
    failed: [item('$(refresh) Try Again', () => window.askHttp(true)), settings, stop, logs],
    stopped: [start, settings, logs],
  };
  const title = `Baton over HTTP: ${http.endpoint ?? http.reason ?? http.state}`;
  const choice = await vscode.window.showQuickPick(choices[http.state], { title });
  await choice?.run();
}

async function copyUrl(window: BatonWindow): Promise<void> {
  const server = await chooseServer(window);
  if (server?.state.kind !== 'running') return;
  await vscode.env.clipboard.writeText(server.state.url);
  vscode.window.setStatusBarMessage('$(check) URL copied', 3000);
}

/** With the token: who asks for it sits in front of this window. */
export async function copyConfiguration(window: BatonWindow): Promise<void> {
  const server = await chooseServer(window);
  if (server?.state.kind !== 'running') return offerHttp(window);
  const choices = server.state.clients.map((config) => ({
    label: config.client,
    description: config.where,
    config,
  }));
  const title = 'For which client? The configuration holds the token: keep it to yourself.';
  const choice = await vscode.window.showQuickPick(choices, { title });
  if (!choice) return;
  await vscode.env.clipboard.writeText(choice.config.text.replaceAll('<token>', server.token));
  vscode.window.setStatusBarMessage(`$(check) Copied: put it in ${choice.config.where}`, 5000);
}

async function offerHttp(window: BatonWindow): Promise<void> {
  const start = 'Start HTTP Server';
  const chosen = await vscode.window.showInformationMessage(
    'Other clients reach Baton over HTTP, and its server does not run in this window.',
    start,
  );
  if (chosen !== start) return;
  await vscode.commands.executeCommand('baton.startHttp');
  if (window.board.status.http.state === 'running') await copyConfiguration(window);
}

/** There is one for each folder of the window. */
async function chooseServer(window: BatonWindow): Promise<HttpServer | undefined> {
  const servers = [...window.others.servers];
  if (servers.length <= 1) return servers[0]?.[1];
  const choices = servers.map(([folder, server]) => ({ label: folder, server }));
  const choice = await vscode.window.showQuickPick(choices, { title: 'For which folder?' });
  return choice?.server;
}
