// What the tests look into, beside what everybody sees.
export { type Ticket, tables } from '../src/ticket-repository.ts';
