import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPort } from '../src/port.ts';

test(`${cites('002-P4')} every port from 0 to 65535 is taken as it is`, () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 65_535 }), (port) => {
      expect(readPort(port)).toEqual({ kind: 'port', port });
    }),
  );
});

test(`${cites('002-P4')} everything else is refused before anything listens`, () => {
  const outside = fc.oneof(
    fc.integer({ max: -1 }),
    fc.integer({ min: 65_536 }),
    fc.double().filter((value) => !Number.isInteger(value)),
    fc.anything().filter((value) => typeof value !== 'number' && value !== null),
  );
  fc.assert(
    fc.property(outside, (value) => {
      const port = readPort(value);
      expect(port).toMatchObject({
        kind: 'invalid',
        problem: expect.stringMatching(/ is no port\.$/),
      });
    }),
  );
});

test('null means no server, and -0 is 0', () => {
  expect(readPort(null)).toEqual({ kind: 'off' });
  expect(readPort(-0)).toEqual({ kind: 'port', port: 0 });
});
