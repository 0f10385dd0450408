import * as vscode from 'vscode';
import type { HttpStatus, Status, StatusBoard } from './status.ts';

/** Shown while HTTP is on; a window that works over stdio needs no item. */
export function createStatusBar(board: StatusBoard): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('baton.http', vscode.StatusBarAlignment.Right);
  item.name = 'Baton HTTP';
  item.command = 'baton.httpMenu';
  const show = ({ http }: Status) => {
    const text = textOf(http);
    if (!text) return item.hide();
    item.text = text;
    item.tooltip = http.endpoint ? `Baton serves MCP at ${http.endpoint}` : http.reason;
    const isFailed = http.state === 'failed';
    item.backgroundColor = isFailed
      ? new vscode.ThemeColor('statusBarItem.warningBackground')
      : undefined;
    item.show();
  };
  show(board.status);
  return vscode.Disposable.from(item, board.onDidChange(show));
}

function textOf({ state, port }: HttpStatus): string | undefined {
  if (state === 'running') return `$(server) MCP: localhost:${port}`;
  if (state === 'starting') return '$(sync~spin) MCP: starting';
  return state === 'failed' ? '$(warning) MCP: failed' : undefined;
}
