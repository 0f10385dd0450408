import type { CommandFile } from '@baton/core';
import { planCommands } from '@baton/plans';
import { ticketCommands } from '@baton/tickets';
import { languageServerCommands } from './language-servers.ts';
import { typeScriptCommands } from './workspace-typescript.ts';

/** The kinds of files whose commands can be approved; those of one name before those of many. */
export const commandFiles: readonly CommandFile[] = [
  languageServerCommands,
  typeScriptCommands,
  planCommands,
  ticketCommands,
];
