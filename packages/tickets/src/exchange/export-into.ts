import { BatonError } from '@baton/core';
import { refOf } from '../definition.ts';
import { fileNameOf } from '../documents/file-name.ts';
import type { TicketDocument } from '../documents/ticket-document.ts';
import { writeTicketDocument } from '../documents/ticket-file.ts';
import type { TicketQuery } from '../finding.ts';
import type { TicketPorts } from '../ports.ts';
import { exportTickets } from './exporting.ts';
import { lastImport } from './judging.ts';
import { readTicketFile, type TicketFile } from './ticket-files.ts';

/** Where files of tickets are kept. */
export interface TicketFolder {
  names(): Promise<readonly string[]>;
  read(name: string): Promise<string>;
  /** All of it or nothing. */
  write(name: string, text: string): Promise<void>;
  /** How the file is called in the workspace, or elsewhere. */
  sourceOf(name: string): string;
}

export interface ExportedFile {
  readonly file: string;
  readonly ticket: string;
  readonly outcome: 'created' | 'changed' | 'unchanged';
}

type Ports = Pick<TicketPorts, 'store' | 'workspace'>;
type Occupied = { readonly text: string; readonly ticket?: TicketFile };

/** Writes each ticket into a file; a ticket stays in the file that it has. */
export async function exportInto(
  ports: Ports,
  state: NonNullable<TicketQuery['state']>,
  folder: TicketFolder,
  force: boolean,
): Promise<ExportedFile[]> {
  const there = await occupied(ports.workspace, folder);
  const names = namesById(there);
  const planned: Planned[] = [];
  for (const document of await exportTickets(ports, state)) {
    const name = names.get(document.id) ?? fileNameOf(document);
    const text = await writeTicketDocument(document);
    const old = there.get(name);
    const problem = old && (await reasonToKeep(ports, old, document, text, force));
    const outcome = outcomeOf(old, text);
    const told = { file: folder.sourceOf(name), ticket: refOf(document), outcome };
    planned.push({ name, text, told, problem });
  }
  const problems = planned.flatMap(({ problem, told }) =>
    problem ? [`${told.file} ${problem}`] : [],
  );
  if (problems.length > 0) throw keptFiles(problems);
  for (const { name, text, told } of planned) {
    if (told.outcome !== 'unchanged') await folder.write(name, text);
  }
  return planned.map(({ told }) => told);
}

interface Planned {
  readonly name: string;
  readonly text: string;
  readonly told: ExportedFile;
  readonly problem: string | undefined;
}

function outcomeOf(old: Occupied | undefined, text: string): ExportedFile['outcome'] {
  if (!old) return 'created';
  return isSameText(old.text, text) ? 'unchanged' : 'changed';
}

function namesById(there: ReadonlyMap<string, Occupied>): Map<string, string> {
  return new Map([...there].flatMap(([name, { ticket }]) => (ticket ? [[ticket.id, name]] : [])));
}

async function occupied(workspace: string, folder: TicketFolder): Promise<Map<string, Occupied>> {
  const there = new Map<string, Occupied>();
  for (const name of await folder.names()) {
    const text = await folder.read(name);
    const ticket = await readTicketFile(workspace, text, folder.sourceOf(name)).catch(unlessNone);
    there.set(name, { text, ...(ticket && { ticket }) });
  }
  return there;
}

/** A file that is no ticket, or a broken one. */
function unlessNone(error: unknown): undefined {
  if (error instanceof BatonError) return undefined;
  throw error;
}

/** What somebody has written in a file must not be lost. */
async function reasonToKeep(
  { store }: Ports,
  { text: before, ticket }: Occupied,
  document: TicketDocument,
  text: string,
  force: boolean,
): Promise<string | undefined> {
  if (ticket?.id !== document.id) return `is in the way of ${refOf(document)}, and something else.`;
  if (force || isSameText(before, text)) return undefined;
  if (ticket.draft.version !== undefined && ticket.draft.version < document.version)
    return undefined;
  const last = await store.read((tx) => lastImport(tx, document));
  if (last?.print === ticket.print) return undefined;
  return 'was changed and not imported yet: import it first, or add --force to overwrite it.';
}

/** Git may have changed the line ends. */
function isSameText(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}

function keptFiles(problems: readonly string[]): BatonError {
  return new BatonError(
    'file_occupied',
    problems.join('\n'),
    'Nothing was written. Choose another folder, or see to these files first.',
  );
}
