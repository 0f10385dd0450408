import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundle } from '../scripts/bundle.mjs';

export const SERVERS = ['loop', 'sdk-1', 'sdk-2', 'baton'] as const;
/** `bare` only starts and answers one line: what Node itself costs. */
export const EVERYONE = ['bare', ...SERVERS] as const;

export const HTTP_SERVERS = ['sdk-2', 'baton'] as const;

export type Name = (typeof EVERYONE)[number];
export type HttpName = (typeof HTTP_SERVERS)[number];
/** The arguments that Node starts a program with. */
type Arguments = readonly string[];

export interface Programs {
  readonly stdio: Readonly<Record<Name, Arguments>>;
  readonly http: Readonly<Record<HttpName, Arguments>>;
  /** What comes before the arguments of a server to have it tell its heap. */
  readonly heapProbe: Arguments;
}

export const root = fileURLToPath(new URL('..', import.meta.url));
const folder = `${root}node_modules/.cache/baton/bench`;

/**
 * Everything becomes one minified file, as Baton ships: an SDK that Node resolves and reads from
 * hundreds of files would lose the start-up comparison for a reason that is not its own.
 */
export async function buildPrograms(): Promise<Programs> {
  const baton = await buildBaton();
  const [bare, loop, sdk1, sdk2, sdk2Http] = await Promise.all([
    buildPeer(new URL('./peers/bare.mjs', import.meta.url)),
    buildPeer(new URL('./peers/plain-loop.mjs', import.meta.url)),
    buildPeer(new URL('./peers/sdk-1.mjs', import.meta.url)),
    buildPeer(new URL('./peers/sdk-2.mjs', import.meta.url)),
    buildPeer(new URL('./peers/sdk-2-http.mjs', import.meta.url)),
  ]);
  return {
    stdio: {
      bare: [bare],
      loop: [loop],
      'sdk-1': [sdk1],
      'sdk-2': [sdk2],
      baton: [baton, 'stdio'],
    },
    http: { 'sdk-2': [sdk2Http], baton: [baton, 'serve', '--port', '0'] },
    heapProbe: ['--expose-gc', '--import', new URL('./peers/heap-probe.mjs', import.meta.url).href],
  };
}

/** Not where tests build the program too: half of a run could measure another version. */
export function buildBaton(): Promise<string> {
  return buildLikeShipped(`${root}apps/cli/src/main.ts`, 'baton');
}

export function buildSpawnLoop(): Promise<string> {
  return buildPeer(new URL('./peers/spawn-loop.mjs', import.meta.url));
}

export function buildGitLoop(): Promise<string> {
  return buildPeer(new URL('./peers/git-loop.mjs', import.meta.url));
}

/** The worker of the store's benchmark. */
export function buildStoreWorker(): Promise<string> {
  return buildLikeShipped(fileURLToPath(new URL('./store/worker.ts', import.meta.url)), 'store');
}

/** With SQLite beside it. */
async function buildLikeShipped(entry: string, name: string): Promise<string> {
  const outfile = join(folder, name, 'program.mjs');
  await mkdir(dirname(outfile), { recursive: true });
  await bundle(entry, outfile);
  return outfile;
}

async function buildPeer(source: URL): Promise<string> {
  const entry = fileURLToPath(source);
  const outfile = join(folder, basename(entry));
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });
  return outfile;
}
