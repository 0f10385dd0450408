import type { Tool } from '@baton/core';
import * as z from 'zod';
import { type Bench, textTool } from './text-tool.ts';

/** The suite wants to see that messages arrive one by one while a tool runs. */
const PAUSE_MS = 50;

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}

/** Announces a change, so that the suite can watch who hears of it. */
function trigger(kind: 'tools' | 'prompts', name: string): Tool<Bench> {
  return textTool({
    name,
    description: `Announces that the list of ${kind} has changed.`,
    input: z.object({}),
    run({ ports }) {
      ports.changes.publish({ kind });
      return { text: 'announced' };
    },
  });
}

function logging(name: string): Tool<Bench> {
  return textTool({
    name,
    description: 'Logs while it runs.',
    input: z.object({}),
    async run(_bench, _input, { log }) {
      log.write('info', 'Tool execution started');
      await pause();
      log.write('info', 'Tool processing data');
      await pause();
      log.write('info', 'Tool execution completed');
      return { text: 'Logged three messages.' };
    },
  });
}

export const runningTools: readonly Tool<Bench>[] = [
  logging('test_logging_tool'),
  logging('test_tool_with_logging'),
  textTool({
    name: 'test_tool_with_progress',
    description: 'Reports progress while it runs.',
    input: z.object({}),
    async run(_bench, _input, { progress }) {
      for (const step of [0, 50, 100]) {
        progress({ progress: step, total: 100 });
        await pause();
      }
      return { text: 'Reported progress three times.' };
    },
  }),
  textTool({
    name: 'test_reconnection',
    description: 'Takes a moment, in which a stream could be cut.',
    input: z.object({}),
    async run() {
      await pause();
      return { text: 'Reconnection test completed.' };
    },
  }),
  trigger('prompts', 'test_trigger_prompt_change'),
  trigger('tools', 'test_trigger_tool_change'),
];
