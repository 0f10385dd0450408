import type { Command } from '../../command.ts';
import { add } from './add.ts';
import { changeCommands } from './change.ts';
import { exportCommand } from './export.ts';
import { importCommand } from './import.ts';
import { list } from './list.ts';
import { show } from './show.ts';

export const ticketCommands: readonly Command[] = [
  list,
  show,
  add,
  ...changeCommands,
  exportCommand,
  importCommand,
];
