import { escapeLine } from '@baton/core';

/**
 * Text for a message of VS Code, which makes `[label](command:…)` a link that runs something. The
 * names of folders, servers and programs come from outside, and must not bring links of their own.
 */
export function messageText(text: string): string {
  return escapeLine(text).replaceAll('](', '] (');
}
