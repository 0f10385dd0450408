import { BatonError } from '@baton/core';
import type { EditorHost, Scope } from '@baton/editor/link';
import * as vscode from 'vscode';
import { isOfMachine } from './setting-scopes.ts';
import type { WindowFiles } from './window-files.ts';

type Asked<Method extends keyof EditorHost> = Parameters<EditorHost[Method]>[0];

/** Settings as VS Code has them; which of them an agent may change is decided before it comes here. */
export class WindowSettings {
  readonly #files: WindowFiles;

  constructor(files: WindowFiles) {
    this.#files = files;
  }

  get({ key, scope }: Asked<'settingGet'>) {
    const found = this.#configuration.inspect(key);
    const { defaultValue, globalValue, workspaceValue, workspaceFolderValue } = found ?? {};
    if (scope === 'default') return plain(defaultValue);
    if (scope === 'user') return plain(globalValue);
    return plain(isSeveral() ? workspaceFolderValue : workspaceValue);
  }

  async set({ key, value, scope }: Asked<'settingSet'>): Promise<void> {
    if (await isOfMachine(key)) throw ofMachine(key);
    try {
      await this.#configuration.update(key, value, targetOf(scope));
    } catch (cause) {
      throw failed(key, cause);
    }
  }

  get #configuration(): vscode.WorkspaceConfiguration {
    return vscode.workspace.getConfiguration(undefined, this.#files.folder ?? null);
  }
}

/** With several folders, "the workspace" is the folder that the process works in. */
function isSeveral(): boolean {
  return vscode.workspace.workspaceFile !== undefined;
}

function targetOf(scope: Scope): vscode.ConfigurationTarget {
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  if (scope === 'user') return Global;
  return isSeveral() ? WorkspaceFolder : Workspace;
}

/** What VS Code gives is a proxy, which says no to some looks. */
function plain(value: unknown) {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

function ofMachine(key: string): BatonError {
  return new BatonError(
    'setting_refused',
    `${JSON.stringify(key.slice(0, 200))} must not be changed by an agent: VS Code counts it to the machine or to the application (rule machine-scope). Nothing was changed.`,
    'A person can do it by hand in the settings of VS Code.',
  );
}

function failed(key: string, cause: unknown): BatonError {
  return new BatonError(
    'setting_failed',
    `VS Code has not changed ${key}: ${cause instanceof Error ? cause.message : cause}`,
    'Check the key and the scope; if settings.json is unsaved or broken, a person has to put it right first.',
    { cause },
  );
}
