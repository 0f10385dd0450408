import type { TicketDocument } from '../documents-under-test.ts';

/** With nothing that is not usual. */
export const plain: TicketDocument = {
  id: '7d444840-9dc0-41d1-b245-5ffdce74fad2',
  number: 3,
  title: 'Say why a login has failed',
  body: '',
  kind: 'agent',
  state: 'open',
  priority: 3,
  labels: [],
  needs: [],
  related: [],
  checks: [],
  maxAttempts: 3,
  createdAt: '2026-03-01T08:00:00.000Z',
  createdBy: 'anna',
  updatedAt: '2026-03-01T08:00:00.000Z',
  version: 1,
  notes: [],
};

/** With all there is. */
export const full: TicketDocument = {
  ...plain,
  number: 14,
  title: 'Log in again: after a time-out, nothing happens',
  body: `After half an hour the page asks for a password again, and then stays as it is.

## What to do

- Find out where the answer gets lost.
- Show the reason to the person.
`,
  state: 'blocked',
  waitsFor: 'the credentials of the test account',
  priority: 1,
  labels: ['backend', 'area:login', 'good first issue'],
  assignee: 'codex',
  needs: ['T-3', '0190b7a4-6f0e-4d0c-9a62-2b7c1c0f6f11'],
  parent: 'T-1',
  related: ['T-9'],
  duplicateOf: 'T-2',
  checks: [
    'npm test',
    {
      type: 'process',
      executable: 'node',
      args: ['scripts/login.mjs', '--twice'],
      timeoutSeconds: 60,
    },
  ],
  maxAttempts: 5,
  resolution: 'Not yet: the first fix was taken back.',
  updatedAt: '2026-03-02T17:45:10.250Z',
  version: 7,
  notes: [
    { at: '2026-03-01T09:12:00.000Z', by: 'codex', text: 'The session is gone by then.' },
    {
      at: '2026-03-02T17:45:10.250Z',
      by: 'anna',
      text: 'Taken back:\n\n    git revert 1a2b3c\n\nIt broke the mobile app.\n',
    },
  ],
};
