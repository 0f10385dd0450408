// First of all imports, so that nothing that loads later can print to stdout.
import { stdout } from './protect-stdout.ts';
import { runCli } from './run-cli.ts';

// Whoever reads our output may stop at any time (`baton tools | head -1`).
stdout.on('error', () => {});
const code = await runCli({
  argv: process.argv.slice(2),
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout,
  stderr: process.stderr,
});
// Not left to the event loop: no timer or socket of a dependency may keep a finished program.
process.exit(code);
