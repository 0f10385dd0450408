import type { Command } from '../../command.ts';
import { answer } from './answer.ts';
import { decide, done } from './decide.ts';
import { inbox } from './list.ts';

export const inboxCommands: readonly Command[] = [inbox, answer, done, decide];
