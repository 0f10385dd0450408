import type { CommandFile, Environment } from '@baton/core';
import { planCommands } from '@baton/plans';
import { ticketCommands } from '@baton/tickets';
import { languageServerCommands } from './language-servers.ts';
import { repositoryCommands } from './repository-commands.ts';
import { typeScriptCommands } from './workspace-typescript.ts';

/** The kinds of files whose commands can be approved; those of one name before those of many. */
export function commandFiles(environment: Environment): readonly CommandFile[] {
  return [
    languageServerCommands,
    typeScriptCommands,
    repositoryCommands(environment),
    planCommands,
    ticketCommands,
  ];
}
