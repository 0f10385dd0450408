import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { testedBinding } from './sqlite-place.ts';

/** A process of its own that opens a store and adds one piece of work, once it is told to. */
export async function startOpener(file: string, id: string) {
  const script = fileURLToPath(new URL('./opener.ts', import.meta.url));
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', script, file, id, testedBinding ?? ''],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  let error = '';
  child.stderr.on('data', (chunk: Buffer) => {
    error += chunk;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, error }));
  await Promise.race([once(child.stdout, 'data'), ended]); // It is ready, or has failed.
  return { ended, go: () => child.stdin.end('go\n'), kill: () => child.kill('SIGKILL') };
}
