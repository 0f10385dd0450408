import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killServers } from './server-process.ts';

export function progress(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}

/** A folder that is gone with this process, as are the processes that it has started. */
export function makeHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'baton-bench-'));
  process.once('exit', () => {
    killServers();
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  });
  return home;
}

/**
 * A home of its own, and nothing that changes Node or Baton: NODE_EXTRA_CA_CERTS alone can double
 * the start of every Node program, and the ratios would look better than they are.
 */
export function environment(home: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([key]) => !/^(NODE|BATON)_/.test(key));
  return { ...Object.fromEntries(inherited), HOME: home, USERPROFILE: home, BATON_STATE: home };
}

export function describeMachine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim();
  return `node ${process.version}, ${process.platform} ${process.arch}, ${processors.length} × ${model}`;
}

/** A busy machine spoils wall figures first: whoever reads them should know. */
export function readLoad(): string {
  return loadavg()[0]?.toFixed(2) ?? '-';
}

/** Runs a bench to its end and ends the process with 1 if it fails, with 2 if it was asked wrongly. */
export async function runBench(bench: (isQuick: boolean) => Promise<void>): Promise<void> {
  // Without a listener a signal ends the process before anything is tidied up.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  await bench(readIsQuick()).catch((error: unknown) => fail(error, 1));
}

function readIsQuick(): boolean {
  try {
    return parseArgs({ options: { quick: { type: 'boolean' } } }).values.quick === true;
  } catch (error) {
    return fail(error, 2);
  }
}

function fail(error: unknown, code: number): never {
  progress(error instanceof Error ? error.message : String(error));
  process.exit(code);
}
