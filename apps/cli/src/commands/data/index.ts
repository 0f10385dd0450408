import type { Command } from '../../command.ts';
import { check } from './check.ts';
import { describe } from './describe.ts';
import { insights } from './insights.ts';
import { query } from './query.ts';
import { search } from './search.ts';

export const dataCommands: readonly Command[] = [describe, search, query, insights, check];
