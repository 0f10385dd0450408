import type { Extras } from './io.ts';
import { stdout } from './protect-stdout.ts';
import { runCli } from './run-cli.ts';

/** Runs the command line of this process to its end. */
export async function runProcess(extras?: Extras): Promise<never> {
  // Whoever reads our output may stop at any time (`baton tools | head -1`).
  stdout.on('error', () => {});
  const code = await runCli(
    {
      argv: process.argv.slice(2),
      env: process.env,
      cwd: process.cwd(),
      stdin: process.stdin,
      stdout,
      stderr: process.stderr,
    },
    extras,
  );
  // Not left to the event loop: no timer or socket of a dependency may keep a finished program.
  process.exit(code);
}
