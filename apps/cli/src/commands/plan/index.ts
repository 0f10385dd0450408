import type { Command } from '../../command.ts';
import { controlCommands } from './control.ts';
import { diff } from './diff.ts';
import { graph } from './graph.ts';
import { logs } from './logs.ts';
import { open } from './open.ts';
import { run } from './run.ts';
import { show } from './show.ts';
import { watch } from './watch.ts';

export const planCommands: readonly Command[] = [
  run,
  watch,
  show,
  logs,
  graph,
  diff,
  open,
  ...controlCommands,
];
