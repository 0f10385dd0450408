import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { redact } from '../src/index.ts';

test(`${cites('T13')} values of variables are masked, their names stay`, () => {
  const message = {
    jobs: [{ id: 'abc', work: { env: { HOME: '/x', KEY: 'canary' } } }],
    env: 'canary',
  };
  expect(redact(message)).toBe(
    '{"jobs":[{"id":"abc","work":{"env":{"HOME":"[redacted]","KEY":"[redacted]"}}}],"env":"[redacted]"}',
  );
  expect(redact({ env: [['KEY', 'canary']] })).toBe('{"env":"[redacted]"}');
  expect(redact({ env: null, environment: 'shown' })).toBe(
    '{"env":"[redacted]","environment":"shown"}',
  );
});

test(`${cites('T13')} what is called a secret is masked wherever it stands`, () => {
  expect(redact({ a: [{ apiKey: 'canary', progressToken: 1 }] })).toBe(
    '{"a":[{"apiKey":"[redacted]","progressToken":1}]}',
  );
});
