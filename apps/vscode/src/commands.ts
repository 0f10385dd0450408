import * as vscode from 'vscode';
import type { BatonWindow } from './baton-window.ts';
import { runDoctor } from './doctor.ts';
import { DoctorReport } from './doctor-report.ts';
import { copyConfiguration, showHttpMenu } from './http-menu.ts';
import { launchOf } from './launch.ts';
import type { Log } from './log.ts';
import { messageText } from './message-text.ts';
import { describe, type Status } from './status.ts';
import { folderOnScreen } from './workspace-folders.ts';

export function registerCommands(
  { extension }: vscode.ExtensionContext,
  window: BatonWindow,
  log: Log,
): vscode.Disposable {
  const report = new DoctorReport();
  const commands: Readonly<Record<string, () => unknown>> = {
    'baton.showStatus': () => showStatus(window),
    'baton.showLogs': () => log.show(),
    'baton.restartServer': () => restart(extension, window),
    'baton.startHttp': () => startHttp(window),
    'baton.stopHttp': () => window.askHttp(false),
    'baton.copyConfiguration': () => copyConfiguration(window),
    'baton.httpMenu': () => showHttpMenu(window, () => log.show()),
    'baton.runDoctor': () => doctor(extension, report),
  };
  return vscode.Disposable.from(
    report,
    ...Object.entries(commands).map(([id, run]) => vscode.commands.registerCommand(id, run)),
  );
}

/** Says it to the person, and gives it to whoever has called the command. */
function showStatus({ board }: BatonWindow): Status {
  const logs = 'Show Logs';
  const doctor = 'Run Doctor';
  const text = messageText(describe(board.status));
  void vscode.window.showInformationMessage(text, logs, doctor).then((chosen) => {
    if (chosen === logs) return vscode.commands.executeCommand('baton.showLogs');
    if (chosen === doctor) return vscode.commands.executeCommand('baton.runDoctor');
  });
  return board.status;
}

async function restart(extension: vscode.Extension<unknown>, window: BatonWindow): Promise<void> {
  await window.restart();
  if (window.board.status.window.transport !== 'stdio') return;
  // These are VS Code's own processes: it knows them by the extension and the label.
  for (const { label } of window.provideDefinitions()) {
    const id = `${extension.id.toLowerCase()}/${label}`;
    await vscode.commands.executeCommand('workbench.mcp.restartServer', id);
  }
}

async function startHttp(window: BatonWindow): Promise<void> {
  if (window.settings.httpPort.kind === 'off') {
    void vscode.window.showWarningMessage(
      'The setting baton.http.port is null, which means no HTTP server. Set it to a port, or to 0 for any that is free.',
    );
    return;
  }
  if (!folderOnScreen()) {
    void vscode.window.showWarningMessage('Open a folder first: Baton serves a folder.');
    return;
  }
  await window.askHttp(true);
}

async function doctor(extension: vscode.Extension<unknown>, report: DoctorReport): Promise<void> {
  const folder = folderOnScreen();
  if (!folder) {
    void vscode.window.showWarningMessage('Open a folder first: the doctor looks at a folder.');
    return;
  }
  const { isTrusted } = vscode.workspace;
  const location = vscode.ProgressLocation.Window;
  const title = 'Baton: the doctor is looking';
  const found = await vscode.window.withProgress({ location, title }, () =>
    runDoctor(launchOf({ extension: extension.extensionPath, folder, isTrusted })),
  );
  await report.show(found);
}
