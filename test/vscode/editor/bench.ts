import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { configure, invoke } from '../chat-tools.ts';
import type { Host } from '../host.ts';
import type { Window } from '../window.ts';

/** A window with a workspace in which every test has a project of its own. */
export class EditorBench {
  readonly host: Host;
  readonly window: Window;
  readonly folder: string;

  constructor(host: Host, window: Window, folder: string) {
    this.host = host;
    this.window = window;
    this.folder = folder;
  }

  at(file: string): string {
    return path.join(this.folder, file);
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(path.dirname(this.at(file)), { recursive: true });
      writeFileSync(this.at(file), text);
    }
  }

  read(file: string): string {
    return readFileSync(this.at(file), 'utf8');
  }

  /** A project of TypeScript with these files. */
  project(name: string, files: Readonly<Record<string, string>>): void {
    const compilerOptions = { strict: true, module: 'esnext', moduleResolution: 'bundler' };
    const all = {
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
      ...files,
    };
    const named = Object.entries(all).map(([file, text]) => [`${name}/${file}`, text]);
    this.write(Object.fromEntries(named));
  }

  /** Calls a tool as a chat does, and lets it write when VS Code asks. */
  async call(name: string, input: object): Promise<string> {
    const result = invoke(this.window, `baton_${name}`, input);
    if (name !== 'setting_get') await this.#allow();
    return result;
  }

  async #allow(): Promise<void> {
    const dialog = this.window.page.locator('.monaco-dialog-box', { hasText: 'Baton: ' });
    await dialog.getByRole('button', { name: 'Yes' }).click();
  }

  /** What the person would see instead of going on. */
  dialogs(): Promise<string[]> {
    return this.window.page.locator('.monaco-dialog-box').allTextContents();
  }

  /** What stands in documents and not in their files, by path. */
  unsaved(): Promise<Record<string, string>> {
    return this.window.evaluate((vscode, folder) => {
      const dirty = vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty);
      return Object.fromEntries(
        dirty.map((one) => [one.uri.fsPath.slice(folder.length + 1), one.getText()]),
      );
    }, this.folder);
  }

  /** As a person types it, at the beginning of a document. */
  type(file: string, text: string): Promise<unknown> {
    return this.window.evaluate(
      async (vscode, { full, typed }) => {
        const uri = vscode.Uri.file(full);
        await vscode.window.showTextDocument(uri, { preview: false });
        const edit = new vscode.WorkspaceEdit();
        edit.insert(uri, new vscode.Position(0, 0), typed);
        await vscode.workspace.applyEdit(edit);
      },
      { full: this.at(file), typed: text },
    );
  }

  /** What is unsaved is given up. */
  async closeAll(): Promise<void> {
    await this.window.evaluate(async (vscode) => {
      for (const { uri, isDirty } of [...vscode.workspace.textDocuments]) {
        if (!isDirty) continue;
        await vscode.window.showTextDocument(uri);
        await vscode.commands.executeCommand('workbench.action.files.revert');
      }
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  }

  /** What VS Code itself does with imports when a file moves. */
  setImports(value: 'always' | 'prompt' | 'never'): Promise<unknown> {
    const languages = this.host.version === '1.105' ? ['typescript', 'javascript'] : ['js/ts'];
    const keys = languages.map((one) => `${one}.updateImportsOnFileMove.enabled`);
    return configure(this.window, Object.fromEntries(keys.map((key) => [key, value])));
  }

  userSettings(): string {
    return readFileSync(path.join(this.host.home, 'data/data/User/settings.json'), 'utf8');
  }
}

export function undoIn(result: string): string {
  return /^undo: (\S+)$/m.exec(result)?.[1] ?? '';
}
