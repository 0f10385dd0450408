// What every process knows of tickets. What only those need who use them is in work.ts.
export { ticketCommands } from './documents/ticket-commands.ts';
export type { ExportedFile, TicketFolder } from './exchange/export-into.ts';
export type { ImportedFile } from './exchange/importing.ts';
export type { FileToRead } from './exchange/ticket-files.ts';
export { createTicketsFeature } from './feature.ts';
export type { CheckEvidence, CheckRun, CheckRuns, Evidence, TicketPorts } from './ports.ts';
export type { TicketService } from './service.ts';
export { ticketsSchema } from './tables.ts';
export { ticketTools } from './tools/index.ts';
export type { BriefTicket, FullTicket, InboxItem } from './tools/ticket-output.ts';
