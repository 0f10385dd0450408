export { fileNameOf } from '../src/documents/file-name.ts';
export { ticketCommands } from '../src/documents/ticket-commands.ts';
export type { TicketDocument } from '../src/documents/ticket-document.ts';
export { readTicketDocument, writeTicketDocument } from '../src/documents/ticket-file.ts';
