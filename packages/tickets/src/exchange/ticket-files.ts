import { BatonError } from '@baton/core';
import { fingerprint } from '@baton/store';
import { refOf } from '../definition.ts';
import type { TicketDraft } from '../documents/ticket-document.ts';
import { readTicketDocument } from '../documents/ticket-file.ts';
import type { TicketPorts } from '../ports.ts';
import { idOfPlace } from './id-of-place.ts';

/** A file that holds a ticket. */
export interface TicketFile {
  /** Its path in the workspace. */
  readonly file: string;
  readonly draft: TicketDraft;
  readonly id: string;
  /** Tells whether it is the same text as at another time. */
  readonly print: string;
}

export interface FileToRead {
  readonly path: string;
  /** Somebody has named it, rather than the folder that it is in. */
  readonly isNamed: boolean;
}

export interface ReadFiles {
  readonly files: readonly TicketFile[];
  /** In a folder there may be other Markdown, too. */
  readonly ignored: readonly string[];
}

type Ports = Pick<TicketPorts, 'files' | 'workspace'>;

/** All of the files, or all that is wrong with them. */
export async function readTicketFiles(
  ports: Ports,
  wanted: readonly FileToRead[],
): Promise<ReadFiles> {
  const files: TicketFile[] = [];
  const ignored: string[] = [];
  const problems: string[] = [];
  for (const { path, isNamed } of wanted) {
    const { text, source } = await ports.files.read(path);
    if (!isNamed && !/^\ufeff?---/.test(text)) {
      ignored.push(source);
      continue;
    }
    try {
      files.push(await readTicketFile(ports.workspace, text, source));
    } catch (error) {
      if (!(error instanceof BatonError)) throw error;
      problems.push(error.message);
    }
  }
  problems.push(...doubles(files));
  if (problems.length > 0) throw unusableFiles(problems);
  return { files, ignored };
}

/** One file, by its path in the workspace. */
export async function readTicketFile(
  workspace: string,
  text: string,
  file: string,
): Promise<TicketFile> {
  const draft = waitingForTicket(await readTicketDocument(text, file));
  if (draft.state === 'blocked' && !draft.waitsFor) {
    throw unusableFiles([`${file}: what is blocked must say who or what it waits for: waitsFor.`]);
  }
  const id = draft.id ?? (await idOfPlace(workspace, file));
  return { file, draft, id, print: await fingerprint(draft) };
}

/** What waits for another ticket needs it, and goes on by itself. */
function waitingForTicket(draft: TicketDraft): TicketDraft {
  const { waitsFor = '', ...rest } = draft;
  if (draft.state !== 'blocked' || !/^T-\d+$/.test(waitsFor)) return draft;
  return { ...rest, state: 'open', needs: [...draft.needs, waitsFor] };
}

/** Files that claim to be the same ticket. */
function doubles(files: readonly TicketFile[]): string[] {
  const seen = new Map<string, string>();
  return files.flatMap(({ file, id, draft: { number } }) => {
    const names = [id, ...(number === undefined ? [] : [refOf({ number })])];
    const other = names.find((name) => seen.has(name));
    for (const name of names) seen.set(name, file);
    return other === undefined ? [] : [`${file}: ${other} is in another of these files, too.`];
  });
}

export function unusableFiles(problems: readonly string[]): BatonError {
  return new BatonError(
    'ticket_file_invalid',
    problems.join('\n'),
    'Correct the files and try again. Nothing was imported.',
  );
}
