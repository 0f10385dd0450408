import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

export const program = path.join(root, 'apps/cli/dist/baton.mjs');
export const fixtureProgram = path.join(root, 'node_modules/.cache/baton/fixture-program.mjs');
