import type { Plain } from '@baton/core';

export type Scope = 'workspace' | 'user';

/** Settings where they are kept: in files, or in an editor. */
export interface SettingsPort {
  /** What is set there; `undefined` if nothing is. */
  get(key: string, scope: Scope): Promise<Plain | undefined>;
  /** `undefined` removes it. */
  set(key: string, value: Plain | undefined, scope: Scope): Promise<void>;
  /** What counts where nothing is set, if that is known. */
  fallback?(key: string): Promise<Plain | undefined>;
}
