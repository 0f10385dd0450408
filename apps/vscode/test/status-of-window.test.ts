import type { ErrorReport } from '@baton/core';
import { expect, test } from 'vitest';
import type { HttpServer, HttpState } from '../src/http-server.ts';
import { httpStatus } from '../src/status-of-window.ts';

const failedWith = (error: ErrorReport) => {
  const state: HttpState = { kind: 'failed', error };
  return httpStatus(true, { kind: 'port', port: 80 }, new Map([['/a', { state } as HttpServer]]));
};

test('the way out of a failure is one that VS Code has', () => {
  const next = 'Choose another port with --port or BATON_PORT.';
  const busy = failedWith({ code: 'port_in_use', message: 'Port 80 is in use.', next });
  expect(busy.reason).toMatch(/^Port 80 is in use\. Stop that program, .* Set baton\.http\.port/);
  const denied = failedWith({ code: 'cannot_listen', message: 'Port 80 is not allowed.', next });
  expect(denied.reason).toMatch(/^Port 80 is not allowed\. Set baton\.http\.port/);
  const other = failedWith({ code: 'config_invalid', message: 'Bad value.', next: 'Correct it.' });
  expect(other).toEqual({ state: 'failed', reason: 'Bad value. Correct it.' });
});
