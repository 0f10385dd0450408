import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/vscode/**/*.test.ts'],
    globalSetup: path.resolve(import.meta.dirname, '../e2e/build-programs.ts'),
    // A limit for what hangs, not a measure: tests wait on conditions.
    testTimeout: 120_000,
    // The first one may have to fetch VS Code.
    hookTimeout: 240_000,
    // One VS Code at a time.
    fileParallelism: false,
    expect: { requireAssertions: true },
  },
});
