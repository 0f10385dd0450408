import { join } from 'node:path';
import { type Figures, percentile } from '../figures.ts';
import { environment } from '../run.ts';
import { ToolClient } from '../tool-client.ts';
import { CALLS, type Call, type Name, type RowId, type SizeName } from './rows.ts';

interface Found {
  readonly ticket?: { readonly id: string };
  readonly tickets?: readonly object[];
  readonly token?: string;
}

/** A server on a store with so many tickets. */
export function startServer(baton: string, home: string, workspace: string, size: SizeName) {
  return new ToolClient(baton, workspace, environment(join(home, size)));
}

/** Makes one call again and again; the store is afterwards as it was before. */
export async function timeCall(
  figures: Figures<RowId, Name>,
  client: ToolClient,
  size: SizeName,
  call: Call,
  { warmUp, samples }: { readonly warmUp: number; readonly samples: number },
): Promise<void> {
  const times: number[] = [];
  for (let made = 0; made < warmUp + samples; made += 1) {
    const { tool, args } = CALLS[call];
    const { answer, ms } = await client.timed<Found>(tool, args);
    if (!answer.ticket && !answer.tickets?.length) throw new Error(`${call}: nothing was found`);
    if (made >= warmUp) times.push(ms);
    if (answer.token) await giveBack(client, answer);
  }
  figures.add(`${call}, p50`, size, percentile(times, 0.5));
  figures.add(`${call}, p95`, size, percentile(times, 0.95));
}

function giveBack(client: ToolClient, { ticket, token }: Found): Promise<unknown> {
  const report = { id: ticket?.id, token, outcome: 'partial', summary: 'Somebody else may go on.' };
  return client.call('ticket_report', report);
}
