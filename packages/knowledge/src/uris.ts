import { type Kind, kindOf } from './reading/piece.ts';

/** What a URI of knowledge asks for. */
export type Wanted =
  | { readonly type: 'overview' }
  | { readonly type: 'kind'; readonly kind: Kind }
  | { readonly type: 'piece'; readonly kind: Kind; readonly id: string }
  | {
      readonly type: 'match';
      readonly kind?: Kind;
      readonly parameters: ReadonlyMap<string, string>;
    };

// What follows a # in a query belongs to it: people ask for c# as they ask for c++.
const BATON = /^baton:\/\/knowledge(?:\/([^?#]*))?(?:\?(.*)|#.*)?$/s;
const ORCHESTR8 = /^@?orchestr8:\/\/([^?#]*)(?:\?(.*)|#.*)?$/s;

/** `baton://knowledge/…` */
export function readUri(uri: string): Wanted | undefined {
  const [whole, place = '', query] = BATON.exec(uri) ?? [];
  return whole === undefined ? undefined : wantedAt(place, query);
}

/** The URIs of orchestr8, which Baton replaces. */
export function readOldUri(uri: string): Wanted | undefined {
  const [whole, place = '', query] = ORCHESTR8.exec(uri) ?? [];
  if (whole === undefined) return undefined;
  return wantedAt(place === 'registry' ? '' : place.replace('/_fragments/', '/'), query);
}

function wantedAt(place: string, query: string | undefined): Wanted | undefined {
  const path = decoded(place.replace(/\/$/, ''));
  if (path === undefined) return undefined;
  const [first = '', ...rest] = path.split('/');
  const parameters = parametersOf(query ?? '');
  if (path === 'match') return { type: 'match', parameters };
  if (query !== undefined && rest.join('/') !== 'match') return undefined;
  if (path === '') return { type: 'overview' };
  const kind = kindOf(first);
  if (!kind) return undefined;
  if (rest.length === 0) return { type: 'kind', kind };
  if (rest.join('/') === 'match') return { type: 'match', kind, parameters };
  return { type: 'piece', kind, id: rest.join('/') };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text).normalize('NFC');
  } catch {
    return undefined; // A stray % is no URI of ours.
  }
}

/**
 * As people and models write them: a `%` that begins no character is one, and so is `c++`. What is
 * given more than once is a list.
 */
function parametersOf(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const part of query.split('&').filter(Boolean)) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(part) ?? [];
    const before = parameters.get(plain(name));
    parameters.set(plain(name), before === undefined ? plain(value) : `${before},${plain(value)}`);
  }
  return parameters;
}

function plain(text: string): string {
  const spaced = text.replace(/(?<!\+)\+(?!\+)/g, ' ');
  return (
    decoded(spaced) ?? spaced.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => decoded(bytes) ?? bytes)
  );
}
