import type { CommandFile } from '@baton/core';
import { planCommands } from '@baton/plans';
import { ticketCommands } from '@baton/tickets';

/** The kinds of files whose commands can be approved. */
export const commandFiles: readonly CommandFile[] = [planCommands, ticketCommands];
