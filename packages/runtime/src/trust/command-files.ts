import type { CommandFile } from '@baton/core';

/** The kinds of files whose commands can be approved. */
export const commandFiles: readonly CommandFile[] = [];
