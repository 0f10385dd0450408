import { type Aliases, BatonError, defineFeature } from '@baton/core';
import type { Fixtures } from './fixture-base.ts';
import { counter } from './fixture-counters.ts';
import { pixel } from './fixture-media.ts';
import { oldNote, query } from './fixture-queries.ts';
import { interview } from './fixture-questions.ts';
import { fixtureTools } from './fixture-tools.ts';

const names = Array.from({ length: 250 }, (_, index) => `note-${String(index).padStart(3, '0')}`);

/** A feature that does on purpose what real ones do by accident. For tests only. */
export const fixtureFeature = defineFeature<Fixtures>({
  id: 'fixtures',
  instructions: 'These tools exist for tests.',
  tools: fixtureTools,
  resources: [
    pixel,
    {
      uri: 'fixture://readme',
      name: 'readme',
      title: 'Read me',
      description: 'A fixed text.',
      mimeType: 'text/markdown',
      read: () => ({ mimeType: 'text/markdown', text: '# Hello' }),
    },
    {
      uri: 'fixture://broken',
      name: 'broken',
      title: 'Broken',
      description: 'Fails when read.',
      mimeType: 'text/plain',
      read() {
        throw new TypeError('the secret plan is in /home/alice');
      },
    },
    {
      uri: 'fixture://locked',
      name: 'locked',
      title: 'Locked',
      description: 'Refuses to be read.',
      mimeType: 'text/plain',
      read() {
        throw new BatonError('locked', 'This resource is locked.', 'Unlock it first.');
      },
    },
  ],
  resourceTemplates: [
    counter,
    oldNote,
    query,
    {
      uriTemplate: 'fixture://note/{id}',
      name: 'note',
      title: 'Note',
      description: 'A note by its id.',
      mimeType: 'text/plain',
      complete: (_fixtures, _variable, typed) => names.filter((name) => name.startsWith(typed)),
      read({ notes }, { id = '' }) {
        const text = notes.get(id);
        return text === undefined ? undefined : { mimeType: 'text/plain', text };
      },
    },
  ],
  prompts: [
    interview,
    {
      name: 'review',
      title: 'Review',
      description: 'Reviews a file.',
      arguments: [
        { name: 'file', description: 'the file to look at', required: true },
        { name: 'focus', description: 'what to look for', required: false },
      ],
      complete: (_fixtures, argument, typed) =>
        (argument === 'focus' ? ['safety', 'speed', 'style'] : []).filter((word) =>
          word.startsWith(typed),
        ),
      render: (_fixtures, { file, focus = 'everything' }) => `Review ${file} for ${focus}.`,
    },
  ],
  findPrompts: async ({ prompts }) => [...prompts.values()],
  create: (ports) => ({
    ports,
    notes: new Map([['first', 'The first note']]),
    counters: new Map(),
    prompts: new Map(),
  }),
});

/** Old names, as document 004 has them. */
export const fixtureAliases: Aliases = {
  askQuestion: 'answer',
  getNextTask: 'echo',
  reportTaskDone: 'fail',
  crashNow: 'crash',
  lookAtPrototypes: 'prototypes',
  slowTask: 'slow',
  sayOften: {
    tool: 'echo',
    input: ({ what, howOften, ...rest }) => ({ ...rest, text: what, times: howOften }),
    bare: ({ text }) => (text === '' ? null : { said: text }),
  },
  sayNothing: { tool: 'echo', bare: () => undefined },
  cannotAsk: {
    tool: 'echo',
    input() {
      throw new TypeError('the secret plan is in /home/alice');
    },
  },
  cannotAnswer: {
    tool: 'echo',
    bare() {
      throw new TypeError('the secret plan is in /home/alice');
    },
  },
};
