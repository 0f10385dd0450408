import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/vscode/**/*.test.ts'],
    globalSetup: path.resolve(import.meta.dirname, 'prepare.ts'),
    // A limit for what hangs, not a measure: tests wait on conditions.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A window keeps both cores busy: two at a time would gain nothing.
    fileParallelism: false,
    expect: { requireAssertions: true },
  },
});
