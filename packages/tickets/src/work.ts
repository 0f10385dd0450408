// What those need who use tickets, or run what tickets wait for.
export { type ActingPorts, conclude } from './acting.ts';
export { refOf } from './definition.ts';
export { createJobTickets } from './job-tickets.ts';
export type { Ticket } from './ticket-repository.ts';
