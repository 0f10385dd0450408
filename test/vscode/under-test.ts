import path from 'node:path';
import { cache } from './install.ts';

const folder = path.join(cache, 'extension');

/** The extension as users get it. */
export const packaged = path.join(folder, 'packaged.vsix');

/**
 * The extension with the tests' own tools. It leaves its provider of server definitions where a
 * test can find it, and one of its tools cannot be registered.
 */
export const withFixtures = path.join(folder, 'fixtures');

/** Its registration throws, as in an editor that does not like its name. */
export const UNREGISTRABLE = 'baton_answer';

/** The extension in an editor whose API has neither MCP servers nor tools. */
export const inFork = path.join(folder, 'fork');
