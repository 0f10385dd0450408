import { escapeControls } from '@baton/core';
import * as vscode from 'vscode';

const SCHEME = 'baton-report';

/** What the doctor says, as a page that cannot be edited and asks for no saving. */
export class DoctorReport {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #page = vscode.Uri.from({ scheme: SCHEME, path: '/Baton Doctor' });
  readonly #registration: vscode.Disposable;
  #text = '';

  constructor() {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: () => this.#text,
    });
  }

  async show(text: string): Promise<void> {
    this.#text = `${escapeControls(text)}\n`;
    this.#changed.fire(this.#page);
    await vscode.window.showTextDocument(this.#page, { preview: true });
  }

  dispose(): void {
    this.#changed.dispose();
    this.#registration.dispose();
  }
}
