import { fileInvalid, parseFrontMatter, writeFrontMatter } from '@baton/documents/front-matter';
import { escapeBody, unescapeBody } from './body-escapes.ts';
import { fileSchemas } from './file-schemas.ts';
import { DEFAULTS, type TicketDocument, type TicketDraft } from './ticket-document.ts';

const FILE_INVALID = 'ticket_file_invalid';

/** First what a person looks for; last what only Baton needs, and what grows. */
const ORDER = [
  'title',
  'kind',
  'state',
  'waitsFor',
  'priority',
  'labels',
  'assignee',
  'needs',
  'parent',
  'related',
  'duplicateOf',
  'checks',
  'maxAttempts',
  'resolution',
  'id',
  'createdAt',
  'createdBy',
  'updatedAt',
  'version',
  'notes',
] as const;

/** A ticket as a Markdown file. What goes without saying is left out. */
export function writeTicketDocument(ticket: TicketDocument): Promise<string> {
  const told = ORDER.filter((key) => isTold(key, ticket[key])).map((key) => [key, ticket[key]]);
  const body = escapeBody(ticket.body);
  return writeFrontMatter(
    {
      ticket: `T-${ticket.number}`,
      ...Object.fromEntries(told),
      ...(body !== ticket.body && { escaped: true }),
    },
    body,
  );
}

function isTold(key: (typeof ORDER)[number], value: unknown): boolean {
  const usual: unknown = key in DEFAULTS ? DEFAULTS[key as keyof typeof DEFAULTS] : undefined;
  return value !== usual && !(Array.isArray(value) && value.length === 0);
}

/** Only the title has to be there. `file` is how problems call it. */
export async function readTicketDocument(text: string, file: string): Promise<TicketDraft> {
  const { frontMatter, body: bodySchema } = fileSchemas();
  const { data, body: written } = await parseFrontMatter(text, file, frontMatter, FILE_INVALID);
  const { ticket, escaped, ...rest } = data;
  const body = escaped ? unescapeBody(written) : written;
  const [wrong] = bodySchema.safeParse(body).error?.issues ?? [];
  if (wrong) {
    const line = text.slice(0, text.length - written.length).split('\n').length;
    const message = `The text of the ticket: ${wrong.message}.`;
    throw fileInvalid({ file, code: FILE_INVALID }, [{ line, column: 1, message }]);
  }
  return { ...rest, body, ...(ticket !== undefined && { number: Number(ticket.slice(2)) }) };
}
