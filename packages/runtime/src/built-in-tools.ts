import type { Tool } from '@baton/core';
import { status } from './system/tools/status.ts';

/** The tools of every built-in feature, for help and generated docs, without starting anything. */
export const builtInTools: readonly Tool[] = [status as Tool];
