import type { Repositories } from '../src/ports.ts';

function refuse(): never {
  throw new Error('there are no repositories here');
}

/** For plans that do not work with git. */
export const noRepositories: Repositories = {
  examine: async () => refuse(),
  stat: async () => refuse(),
  patch: async () => refuse(),
  saveWork: async () => refuse(),
  requireTarget: async () => refuse(),
};
