import path from 'node:path';
import * as vscode from 'vscode';
import { type BatonWindow, takesServers } from './baton-window.ts';
import { messageText } from './message-text.ts';
import { oldEntriesIn } from './old-entries.ts';
import { localFolders } from './workspace-folders.ts';

/** What a person is told once. */
export async function showNotices(
  context: vscode.ExtensionContext,
  window: BatonWindow,
): Promise<void> {
  if (takesServers()) await tellAboutStdio(context, window);
  else await offerHttp(context, window);
  await tellAboutOldEntries(context);
}

/** Runs at most once for each key, in whatever window comes first. */
async function once(memory: vscode.Memento, key: string, run: () => unknown): Promise<void> {
  if (memory.get(key)) return;
  await memory.update(key, true);
  await run();
}

function tellAboutStdio({ globalState }: vscode.ExtensionContext, window: BatonWindow) {
  const { state, transport } = window.board.status.window;
  if (state !== 'registered' || transport !== 'stdio') return;
  const showStatus = 'Show Status';
  return once(globalState, 'notice.stdio', () => {
    // Not awaited: the message may stay for as long as it likes.
    void vscode.window
      .showInformationMessage(
        'Baton is ready: agents in this window have its tools. VS Code starts its server over stdio by itself, without a port.',
        showStatus,
      )
      .then((chosen) => chosen && vscode.commands.executeCommand('baton.showStatus'));
  });
}

function offerHttp({ globalState }: vscode.ExtensionContext, window: BatonWindow) {
  if (window.settings.httpEnabled) return;
  const always = 'Enable HTTP';
  return once(globalState, 'notice.http', () => {
    void vscode.window
      .showInformationMessage(
        'This editor takes no MCP servers from extensions. Baton can serve its tools over HTTP on this machine instead (setting baton.http.enabled).',
        always,
      )
      .then((chosen) => {
        if (chosen !== always) return;
        const config = vscode.workspace.getConfiguration('baton');
        return config.update('http.enabled', true, vscode.ConfigurationTarget.Global);
      });
  });
}

async function tellAboutOldEntries(context: vscode.ExtensionContext): Promise<void> {
  // The user's own file lies beside the folder in which extensions keep theirs.
  const user = path.join(context.globalStorageUri.fsPath, '..', '..', 'mcp.json');
  const ofFolders = localFolders().map(({ path: folder }) =>
    path.join(folder, '.vscode', 'mcp.json'),
  );
  for (const file of [user, ...ofFolders]) await tellAboutOldEntriesIn(file, context);
}

async function tellAboutOldEntriesIn(file: string, context: vscode.ExtensionContext) {
  const [entry] = await oldEntriesIn(file);
  if (entry === undefined) return;
  const open = 'Open File';
  await once(context.globalState, `notice.old-entry.${file}`, () => {
    void vscode.window
      .showWarningMessage(
        messageText(
          `The server "${entry}" in ${file} points at port 39219 and has no token: Baton refuses it. Agents in this window have Baton's tools without it, so remove the entry; for another client, "Baton: Copy Client Configuration" makes one with a token.`,
        ),
        open,
      )
      .then((chosen) => chosen && vscode.window.showTextDocument(vscode.Uri.file(file)));
  });
}
