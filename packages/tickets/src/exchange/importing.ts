import type { Asking } from '@baton/core';
import type { Act } from '../act.ts';
import { actOn } from '../acting.ts';
import { refOf } from '../definition.ts';
import { checkCommands } from '../documents/ticket-commands.ts';
import type { CheckRuns, TicketPorts } from '../ports.ts';
import { ticketById } from '../ticket-repository.ts';
import { type Judged, judge } from './judging.ts';
import { linkAll, settleParents } from './linking.ts';
import { References } from './references.ts';
import {
  type FileToRead,
  readTicketFiles,
  type TicketFile,
  unusableFiles,
} from './ticket-files.ts';
import { insertImported, settleImported, updateImported } from './writing.ts';

export interface ImportOptions {
  /** Take the file where it and the ticket here have both changed. */
  readonly force: boolean;
  /** Only say what would be done. */
  readonly dryRun: boolean;
}

export interface ImportedFile {
  readonly file: string;
  readonly outcome: Judged['verdict'] | 'ignored';
  readonly ticket?: string;
  /** The number in the file, if the ticket has another one here. */
  readonly was?: string;
  /** What has changed. */
  readonly changed?: readonly string[];
  readonly why?: string;
}

/** Takes tickets from files: all that they tell, or nothing if anything is wrong with them. */
export async function importTickets(
  ports: TicketPorts,
  wanted: readonly FileToRead[],
  { force, dryRun }: ImportOptions,
  by: string,
  asking: Asking,
): Promise<ImportedFile[]> {
  const { files, ignored } = await readTicketFiles(ports, wanted);
  if (!dryRun) await approveChecks(ports, files, asking);
  const others = ignored.map((file) => ({ file, outcome: 'ignored' as const }));
  const work = async (act: Act) => {
    const judged = await judgeAll(act, ports.workspace, files, force);
    const told = await writeAll(act, ports.workspace, judged, ports.checks);
    if (dryRun) throw new DryRun(told);
    return told;
  };
  const told = await actOn(ports, by, work).catch((error: unknown) => {
    if (error instanceof DryRun) return error.told;
    throw error;
  });
  return [...told, ...others];
}

/** Takes everything back that was only tried. */
class DryRun extends Error {
  readonly told: ImportedFile[];
  constructor(told: ImportedFile[]) {
    super('nothing was imported');
    this.told = told;
  }
}

/** The commands of a ticket that has them already are no news. */
async function approveChecks(
  { store, trust, workspace }: TicketPorts,
  files: readonly TicketFile[],
  asking: Asking,
): Promise<void> {
  for (const { id, file, draft } of files) {
    const known = await store.read((tx) => ticketById(tx, id));
    if (known?.checks === JSON.stringify(draft.checks)) continue;
    await trust.require({ workspace, source: file, commands: checkCommands(draft.checks) }, asking);
  }
}

async function judgeAll(
  { tx }: Act,
  workspace: string,
  files: readonly TicketFile[],
  force: boolean,
): Promise<Judged[]> {
  const references = await References.of(tx, workspace, files);
  const judged: Judged[] = [];
  for (const file of files) judged.push(await judge(tx, workspace, file, references, force));
  if (references.problems.length > 0) throw unusableFiles(references.problems);
  return judged;
}

async function writeAll(
  act: Act,
  workspace: string,
  judged: readonly Judged[],
  checks: CheckRuns,
): Promise<ImportedFile[]> {
  const created = judged.filter(({ verdict }) => verdict === 'created').toSorted(byNumber);
  const updated = judged.filter(({ verdict }) => verdict === 'updated');
  for (const one of created) await insertImported(act, workspace, one);
  const parents = await linkAll(act, [...created, ...updated]);
  for (const one of updated) await updateImported(act, one, checks);
  for (const one of created) await settleImported(act, one);
  await settleParents(act, parents);
  return Promise.all(judged.map((one) => tell(act, one)));
}

/** In the order of their numbers, so that each can keep its own. */
function byNumber({ draft: one }: Judged, { draft: other }: Judged): number {
  return (one.number ?? Number.MAX_SAFE_INTEGER) - (other.number ?? Number.MAX_SAFE_INTEGER);
}

async function tell({ tx }: Act, judged: Judged): Promise<ImportedFile> {
  const { id, file, verdict, draft, changes, newNotes, why } = judged;
  const ticket = await ticketById(tx, id);
  const isRenumbered = draft.number !== undefined && ticket?.number !== draft.number;
  const changed = [...Object.keys(changes), ...(newNotes.length > 0 ? ['notes'] : [])];
  return {
    file,
    outcome: verdict,
    ...(ticket && { ticket: refOf(ticket) }),
    ...(isRenumbered && { was: refOf({ number: draft.number ?? 0 }) }),
    ...(verdict === 'updated' && { changed }),
    ...(why && { why }),
  };
}
