export { ticketCommands } from './documents/ticket-commands.ts';
