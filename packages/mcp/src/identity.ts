import { type Ids, lazily } from '@baton/core';

/** Whose requests a server answers. */
export interface Identity {
  /** Only who has the same may answer the questions of a call. */
  readonly id: string;
  /** Whether others have it, too, because each request stands alone. */
  readonly isShared: boolean;
}

/** Of a connection that is one client's. Most calls never need the id, so it is made late. */
export function ownIdentity(ids: Ids): Identity {
  const id = lazily(() => ids.next());
  return {
    isShared: false,
    get id() {
      return id();
    },
  };
}
