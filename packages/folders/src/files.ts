// What is read of single files at any start. What follows whole folders is in index.ts, for later.
export type { FileProblem } from './file-problem.ts';
export { leadsOutOf } from './leads-out.ts';
export { requireUnprotectedIn } from './protected-names.ts';
export { readBytesWithin } from './safe-file.ts';
export { whereLeads } from './where-leads.ts';
