import { BatonError, type ResourceTemplate, type TemplateVariables } from '@baton/core';
import type { Fixtures } from './fixture-base.ts';

const PREFIX = 'fixture://query?';

/** Its parameters come in any order and number, which a template alone cannot read. */
export const query: ResourceTemplate<Fixtures> = {
  uriTemplate: 'fixture://query{?words,limit}',
  name: 'query',
  title: 'Query',
  description: 'Shows its parameters; without words it refuses.',
  mimeType: 'application/json',
  match(uri): TemplateVariables | undefined {
    if (!uri.startsWith(PREFIX)) return undefined;
    const pairs = uri.slice(PREFIX.length).split('&');
    return Object.fromEntries(
      pairs.map((pair) => {
        const [name = '', value = ''] = pair.split('=');
        return [name, decodeURIComponent(value.replaceAll('+', ' '))];
      }),
    );
  },
  complete: (_fixtures, variable, typed) => [`${variable} ${typed}`],
  read(_fixtures, variables) {
    if (variables.words === 'full') throw new BatonError('store_full', 'No room.', 'Make room.');
    if (!variables.words) {
      throw new BatonError('words_missing', 'There are no \u001b words.', 'Add ?words=….');
    }
    return { mimeType: 'application/json', text: JSON.stringify(variables) };
  },
};

/** As it was called once. */
export const oldNote: ResourceTemplate<Fixtures> = {
  uriTemplate: 'fixture://old-note/{id}',
  name: 'old-note',
  title: 'Old note',
  description: 'A note under its old address.',
  mimeType: 'text/plain',
  isHidden: true,
  complete: ({ notes }, _variable, typed) => [...notes.keys()].filter((id) => id.startsWith(typed)),
  read({ notes }, { id = '' }) {
    const text = notes.get(id);
    return text === undefined ? undefined : { mimeType: 'text/plain', text };
  },
};
