import type { Tool } from '@baton/core';
import { dataTools } from '@baton/data';
import { editorTools } from '@baton/editor';
import { knowledgeTools } from '@baton/knowledge';
import { planTools } from '@baton/plans';
import { ticketTools } from '@baton/tickets';
import { systemTools } from './system/tools/index.ts';

/** The tools of every built-in feature, for help and generated docs, without starting anything. */
export const builtInTools: readonly Tool[] = [
  ...systemTools,
  ...planTools,
  ...ticketTools,
  ...knowledgeTools,
  ...dataTools,
  ...editorTools,
] as readonly Tool[];
