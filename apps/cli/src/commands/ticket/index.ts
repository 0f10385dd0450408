import type { Command } from '../../command.ts';
import { add } from './add.ts';
import { changeCommands } from './change.ts';
import { list } from './list.ts';
import { show } from './show.ts';

export const ticketCommands: readonly Command[] = [list, show, add, ...changeCommands];
