import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../scripts/bundle.mjs';
import { type Figures, percentile } from '../figures.ts';
import * as messages from '../messages.ts';
import { root } from '../programs.ts';
import { environment } from '../run.ts';
import { ServerProcess } from '../server-process.ts';
import { ToolClient } from '../tool-client.ts';
import type { Document, Request } from './material.ts';
import type { Name, RowId } from './rows.ts';

/** `small` has fewer documents. */
export const WORKSPACES = ['empty', 'small', 'baton'] as const;
export type WorkspaceName = (typeof WORKSPACES)[number];

export interface StartBench {
  readonly figures: Figures<RowId, Name>;
  readonly baton: string;
  readonly worker: string;
  readonly home: string;
  readonly workspaces: Readonly<Record<WorkspaceName, string>>;
}

export interface StartOptions {
  readonly folder: string;
  readonly cacheFolder: string;
  readonly query: string;
}

export interface StartTimes {
  readonly readyMs: number;
  readonly lookMs: number;
  readonly firstMs: number;
  readonly cpuMs: number;
  readonly againMs: number;
  readonly found: number;
}

interface Found {
  readonly pieces: readonly { readonly id: string }[];
}

const QUERY = 'the page jumps while images load';
const SEARCH = 'knowledge_search';
/** Whoever is not found by then was not found by being slow. */
const MOST_ASKS = 1000;

export async function buildStartWorker(): Promise<string> {
  const entry = fileURLToPath(new URL('./start-worker.ts', import.meta.url));
  const outfile = path.join(root, 'node_modules/.cache/baton/bench/knowledge/program.mjs');
  mkdirSync(path.dirname(outfile), { recursive: true });
  await bundle(entry, outfile);
  return outfile;
}

/** A workspace whose knowledge is these documents, or none. */
export function makeWorkspace(folder: string, documents: readonly Document[]): string {
  mkdirSync(knowledgeOf(folder), { recursive: true });
  for (const { file, text } of documents) {
    const full = path.join(knowledgeOf(folder), file);
    mkdirSync(path.dirname(full), { recursive: true });
    writeFileSync(full, text);
  }
  return folder;
}

function knowledgeOf(workspace: string): string {
  return path.join(workspace, '.baton', 'knowledge');
}

export async function toolsList(bench: StartBench, name: WorkspaceName): Promise<void> {
  const { figures, baton, workspaces, home } = bench;
  await using server = new ServerProcess([baton, 'stdio'], workspaces[name], environment(home));
  await server.send(messages.HANDSHAKE);
  await server.received(2);
  figures.add('list wall', name, performance.now() - server.startedAt);
  figures.add('list cpu', name, server.cpu);
  messages.checkAnswers(server.takeLines(), 2, messages.isHandshake);
}

/** `state` is where the server keeps its index. */
export async function firstSearch(
  { figures, baton, workspaces }: StartBench,
  name: WorkspaceName,
  row: 'warm' | 'cold',
  state: string,
): Promise<void> {
  const begun = performance.now();
  await using client = new ToolClient(baton, workspaces[name], environment(state));
  const { pieces } = await client.call<Found>(SEARCH, { query: QUERY });
  figures.add(`${row} wall`, name, performance.now() - begun);
  figures.add(`${row} cpu`, name, client.cpu);
  if (name === 'baton') assertFound(pieces.length, row);
}

/** The first time of all makes the index, and is not counted. */
export async function openLibrary(
  bench: StartBench,
  name: WorkspaceName,
  isCounted: boolean,
): Promise<void> {
  const { figures, worker, workspaces, home } = bench;
  const options: StartOptions = {
    folder: knowledgeOf(workspaces[name]),
    cacheFolder: path.join(home, 'library'),
    query: QUERY,
  };
  await using child = new ServerProcess([worker, JSON.stringify(options)], root, environment(home));
  await child.received(1);
  const times: StartTimes = JSON.parse(child.takeLines()[0] ?? '');
  assertFound(times.found, 'library');
  if (!isCounted) return;
  figures.add('library ready', name, times.readyMs);
  figures.add('library look', name, times.lookMs);
  figures.add('library first', name, times.firstMs);
  figures.add('library again', name, times.againMs);
}

/** From the moment that a file has a new word until a search for the word has found it. */
export async function edits(
  { figures, workspaces }: StartBench,
  client: ToolClient,
  documents: readonly Document[],
): Promise<void> {
  for (const [index, { file, piece }] of documents.entries()) {
    const word = `quillfeather${String.fromCharCode(97 + index)}`;
    appendFileSync(path.join(knowledgeOf(workspaces.baton), file), `\n\n## ${word}\n\n${word}.\n`);
    const written = performance.now();
    await foundBy(client, word, piece.id);
    figures.add('edited', 'baton', performance.now() - written);
  }
}

async function foundBy(client: ToolClient, query: string, id: string): Promise<void> {
  for (let asked = 0; asked < MOST_ASKS; asked += 1) {
    const { pieces } = await client.call<Found>(SEARCH, { query });
    if (pieces.some((piece) => piece.id.endsWith(`/${id}`))) return;
  }
  throw new Error(`${id} was not found by a word that it has`);
}

/** The whole of a call, with its answer counted in tokens. */
export async function calls(
  { figures }: StartBench,
  client: ToolClient,
  requests: readonly Request[],
): Promise<void> {
  const time = async ({ request }: Request) =>
    (await client.timed<Found>(SEARCH, { query: request })).ms;
  for (const request of requests) await time(request);
  const times: number[] = [];
  for (const request of requests) times.push(await time(request));
  figures.add('call p50', 'baton', percentile(times, 0.5));
  figures.add('call p95', 'baton', percentile(times, 0.95));
}

function assertFound(count: number, what: string): void {
  if (count === 0) throw new Error(`${what}: nothing was found`);
}
