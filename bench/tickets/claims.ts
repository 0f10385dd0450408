import { copyFileSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type Figures, percentile } from '../figures.ts';
import { environment } from '../run.ts';
import { loadLibrary, openBare } from '../store/bare-database.ts';
import { type Claims, wallTime } from '../store/protocol.ts';
import { runWorkers, type StartWorker } from '../store/workers.ts';
import { ToolClient } from '../tool-client.ts';
import { SUMMARY } from './bare-claims.ts';
import type { ClaimName, Clients, Name, RowId } from './rows.ts';

export interface ClaimBench {
  readonly figures: Figures<RowId, Name>;
  readonly home: string;
  readonly workspace: string;
  readonly baton: string;
  readonly startBare: StartWorker;
  /** A store with tickets that are ready, which each measurement copies. */
  readonly template: string;
  readonly library: string;
  readonly tickets: number;
  /** So many of them each client does before. */
  readonly warmUp: number;
}

interface Next {
  readonly ticket?: { readonly id: string };
  readonly token?: string;
}

/** So many work through all tickets at the same time. */
export async function claims(bench: ClaimBench, name: ClaimName, clients: Clients): Promise<void> {
  const state = mkdtempSync(join(bench.home, 'claims-'));
  const file = join(state, 'baton.db');
  copyFileSync(bench.template, file);
  const results =
    name === 'bare'
      ? await bareClaims(bench, file, clients)
      : await toolClaims(bench, state, clients);
  await verify(bench, file);
  const begun = Math.min(...results.map((result) => result.begun));
  const ended = Math.max(...results.map((result) => result.ended));
  const eachMs = results.flatMap(({ claimMs }) => claimMs);
  const cpuMs = results.reduce((sum, result) => sum + result.cpuMs, 0);
  const { figures } = bench;
  figures.add(`claim-${clients}-rate`, name, eachMs.length / ((ended - begun) / 1e3));
  figures.add(`claim-${clients}-cpu`, name, (cpuMs * 1e3) / eachMs.length);
  figures.add(`claim-${clients}-p50`, name, percentile(eachMs, 0.5));
  figures.add(`claim-${clients}-p99`, name, percentile(eachMs, 0.99));
}

function bareClaims(
  { library, warmUp, startBare }: ClaimBench,
  file: string,
  count: number,
): Promise<Claims[]> {
  const options = { name: 'bare' as const, file, library, count: 0, warmUp, ms: 0 };
  const asked = Array.from({ length: count }, () => ({ role: 'tickets' as const, options }));
  return runWorkers(startBare, asked);
}

async function toolClaims(bench: ClaimBench, state: string, count: number): Promise<Claims[]> {
  const { baton, workspace, warmUp } = bench;
  const env = environment(state);
  const clients = Array.from({ length: count }, () => new ToolClient(baton, workspace, env));
  try {
    await Promise.all(clients.map((client) => work(client, warmUp)));
    return await Promise.all(clients.map((client) => work(client)));
  } finally {
    await Promise.all(clients.map((client) => client[Symbol.asyncDispose]()));
  }
}

/** Claims and reports, one ticket after the other, until nothing is left. */
async function work(client: ToolClient, most = Number.POSITIVE_INFINITY): Promise<Claims> {
  const begun = wallTime();
  const cpuBefore = client.cpu ?? 0;
  const claimMs: number[] = [];
  while (claimMs.length < most) {
    const next = await client.timed<Next>('ticket_next', {});
    const { ticket, token } = next.answer;
    if (!ticket) break;
    const report = { id: ticket.id, token, outcome: 'done', summary: SUMMARY };
    const { ms } = await client.timed('ticket_report', report);
    claimMs.push(next.ms + ms);
  }
  return { begun, ended: wallTime(), cpuMs: (client.cpu ?? 0) - cpuBefore, claimMs };
}

/** Faster is no use if a ticket was lost or done twice. */
async function verify({ library, tickets }: ClaimBench, file: string): Promise<void> {
  const database = openBare(await loadLibrary(library), file);
  const count = (from: string) =>
    Number(database.prepare(`select count(*) as count from ${from}`).get()?.['count']);
  const counts = {
    done: count("tickets where state = 'done' and version = 3 and claim_number = 1"),
    claimed: count("ticket_history where what = 'claimed'"),
    reported: count("ticket_history where what = 'reported'"),
  };
  const [check] = database.prepare('pragma integrity_check').all();
  database.close();
  const isRight =
    Object.values(counts).every((found) => found === tickets) &&
    check?.['integrity_check'] === 'ok';
  if (!isRight) throw new Error(`not each of ${tickets} is done once: ${JSON.stringify(counts)}`);
}
