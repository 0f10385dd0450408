import { escapeLine } from '@baton/core';
import type { Offer } from './server-definitions.ts';

export interface OfferFacts {
  readonly extension: string;
  readonly version: string;
  readonly isTrusted: boolean;
  readonly withoutTools: readonly string[];
  /** Folders of the window, in its order. */
  readonly folders: readonly { readonly name: string; readonly path: string }[];
}

/** What the window offers to its chats: Baton for each of its folders, by names that differ. */
export function offersOf(facts: OfferFacts): Offer[] {
  const { extension, isTrusted, withoutTools, folders } = facts;
  const version = toolListVersion(facts);
  return folders.map(({ name, path: folder }) => ({
    extension,
    folder,
    isTrusted,
    withoutTools,
    version,
    label: folders.length === 1 ? 'Baton' : `Baton (${escapeLine(nameOf(name, folder, folders))})`,
  }));
}

function nameOf(name: string, path: string, folders: OfferFacts['folders']): string {
  return folders.filter((other) => other.name === name).length === 1 ? name : path;
}

function toolListVersion({ version, isTrusted, withoutTools }: OfferFacts): string {
  return [version, ...(isTrusted ? [] : ['read-only']), ...withoutTools].join('+');
}
