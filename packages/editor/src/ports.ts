import type { Clock, Log } from '@baton/core';
import type { Changing } from './edits/changing.ts';
import type { Questions } from './headless/headless-language.ts';
import type { Language } from './language/language.ts';
import type { SettingsPort } from './settings/settings-port.ts';
import type { WorkspaceTree } from './tree/workspace-tree.ts';

/** What the editor's tools are connected with: language servers and the disk, or an editor. */
export interface EditorPorts {
  readonly tree: WorkspaceTree;
  readonly changing: Changing;
  readonly settings: SettingsPort;
  /** Settings that the user lets agents change besides those that are known to be harmless. */
  readonly allowedSettings: readonly string[];
  readonly clock: Clock;
  readonly log: Log;
  /** What is known about programs, for one call. */
  language(questions: Questions): Language;
}
