import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/editor/**/*.test.ts'],
    globalSetup: path.resolve(import.meta.dirname, 'prepare.ts'),
    // A limit for what hangs, not a measure: tests wait on conditions.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 2,
    expect: { requireAssertions: true },
  },
});
