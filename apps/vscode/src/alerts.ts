import * as vscode from 'vscode';
import type { Log } from './log.ts';
import { messageText } from './message-text.ts';
import { openSettings } from './settings.ts';
import type { Status, StatusBoard } from './status.ts';

/** Tells the person when a server fails, and the log that HTTP is on. */
export function createAlerts(board: StatusBoard, log: Log): vscode.Disposable {
  let before: Status | undefined;
  const look = (status: Status) => {
    const { http, window } = status;
    if (http.state === 'running' && http.endpoint !== before?.http.endpoint) {
      log.write(
        'warn',
        `HTTP is on: programs that have its token can use Baton's tools in this window's folders, at ${http.endpoint}.`,
      );
    }
    if (hasFailed(http, before?.http)) alertAbout('Baton over HTTP', http.reason);
    if (hasFailed(window, before?.window))
      alertAbout("Baton's server for this window", window.reason);
    before = status;
  };
  look(board.status);
  return board.onDidChange(look);
}

interface Way {
  readonly state: string;
  readonly reason?: string;
}

function hasFailed(now: Way, before: Way | undefined): boolean {
  const isNews = before?.state !== 'failed' || before.reason !== now.reason;
  return now.state === 'failed' && isNews;
}

function alertAbout(what: string, reason = 'The log has the details.'): void {
  const settings = 'Open Settings';
  const logs = 'Show Logs';
  void vscode.window
    .showErrorMessage(messageText(`${what}: ${reason}`), settings, logs)
    .then((chosen) => {
      if (chosen === settings) return openSettings('baton');
      if (chosen === logs) return vscode.commands.executeCommand('baton.showLogs');
    });
}
