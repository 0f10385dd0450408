import type { DenyRule } from './deny-rule.ts';

/**
 * Formatters and code actions run what the repository brings along (plugins of Prettier, rules of
 * ESLint) whenever a person saves. To switch them off runs nothing; to switch them on is for a
 * person, who may allow it for good.
 */
export const RUNS_FORMATTERS: DenyRule = {
  name: 'runs-formatters',
  why: 'it lets code that the repository brings along run whenever a person saves or types',
  families: [
    ...['editor.codeActions', 'editor.codeActionsOnSave', 'editor.defaultFormatter'],
    ...['editor.formatOnPaste', 'editor.formatOnSave', 'editor.formatOnType'],
    ...['notebook.codeActionsOnSave', 'notebook.defaultFormatter', 'notebook.formatOnSave'],
  ],
};
