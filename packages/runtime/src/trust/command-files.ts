import type { CommandFile } from '@baton/core';
import { planCommands } from '@baton/plans';

/** The kinds of files whose commands can be approved. */
export const commandFiles: readonly CommandFile[] = [planCommands];
