import { escapeLine } from '@baton/core';
import * as vscode from 'vscode';
import type { Log } from './log.ts';
import { openSettings } from './notices.ts';
import type { HttpStatus, Status, StatusBoard } from './status.ts';

/** Tells the person when HTTP fails, and the log that it is on. */
export function createHttpAlerts(board: StatusBoard, log: Log): vscode.Disposable {
  let told: HttpStatus = { state: 'stopped' };
  const look = ({ http }: Status) => {
    const before = told;
    told = http;
    if (http.state === before.state && http.reason === before.reason) return;
    if (http.state === 'running') {
      log.write(
        'warn',
        `HTTP is on: programs that have its token can use Baton's tools in this window's folders, at ${http.endpoint}.`,
      );
    }
    if (http.state === 'failed') alertAbout(http.reason ?? 'unknown');
  };
  look(board.status);
  return board.onDidChange(look);
}

function alertAbout(reason: string): void {
  const settings = 'Open Settings';
  const logs = 'Show Logs';
  void vscode.window
    .showErrorMessage(`Baton over HTTP: ${escapeLine(reason)}`, settings, logs)
    .then((chosen) => {
      if (chosen === settings) return openSettings('baton.http');
      if (chosen === logs) return vscode.commands.executeCommand('baton.showLogs');
    });
}
