import type { Command } from '../../command.ts';
import { check } from './check.ts';
import { search } from './search.ts';
import { show } from './show.ts';
import { stats } from './stats.ts';

export const knowledgeCommands: readonly Command[] = [search, show, check, stats];
