import { tmpdir } from 'node:os';
import path from 'node:path';
import { defaultExclude, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['apps/*/test/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'test/*/**/*.test.ts'],
    // They need VS Code and a browser, or sources of others: npm run test:vscode, test:editor.
    exclude: [...defaultExclude, 'test/vscode/**', 'test/editor/**'],
    globalSetup: 'test/e2e/build-programs.ts',
    // No test may leave anything in the state of whoever runs it.
    env: { BATON_STATE: path.join(tmpdir(), 'baton-test-state') },
    // A limit for what hangs, not a measure: tests wait on conditions.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    // A process of its own for each file would cost more than most files take: programs that tests
    // spawn are fresh anyway. So no file may leave anything in its process.
    isolate: false,
    restoreMocks: true,
    expect: { requireAssertions: true },
  },
});
