import { ticketCreate } from './ticket-create.ts';
import { ticketFind } from './ticket-find.ts';
import { ticketNext } from './ticket-next.ts';
import { ticketReport } from './ticket-report.ts';
import { ticketUpdate } from './ticket-update.ts';

export const ticketTools = [ticketCreate, ticketFind, ticketNext, ticketReport, ticketUpdate];
