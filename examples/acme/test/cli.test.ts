import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));

function acmeOrders(...args: readonly string[]) {
  const command = ['--import', 'tsx', 'src/cli.ts', ...args];
  return spawnSync(process.execPath, command, { cwd: project, encoding: 'utf8' });
}

test('list prints one line per order', () => {
  const { status, stdout } = acmeOrders('list');
  const lines = stdout.trimEnd().split('\n');
  assert.equal(status, 0);
  assert.equal(lines.length, 8);
  assert.equal(lines[2], 'A-1003  2026-01-28  delivered      €343.90  Ida Ferrum, Smith');
});

test('show prints the lines and the destination', () => {
  const { status, stdout } = acmeOrders('show', 'A-1004');
  assert.equal(status, 0);
  assert.deepEqual(stdout.trimEnd().split('\n'), [
    'A-1004  2026-02-03  shipped      €5,739.50  Northern Rail Depot',
    '  20 × Buffer spring 400 mm',
    '  2 × Drop anvil 150 kg',
    '  428.0 kg to Platform Yard 7, 90443 Nuremberg',
  ]);
});

test('invoice prints the invoice', () => {
  const { status, stdout } = acmeOrders('invoice', 'A-1001');
  assert.equal(status, 0);
  assert.match(stdout, /^ACME SPRINGS & ANVILS +INVOICE A-1001\n/);
  assert.match(stdout, /^Total +€1,319\.50$/m);
});

test('report prints the month', () => {
  const { status, stdout } = acmeOrders('report', '2026-02');
  assert.equal(status, 0);
  assert.match(stdout, /^2026-02: 2 sold\n/);
});

test('an error about orders exits with 1, a wrong command line with 2 and the usage', () => {
  const unknown = acmeOrders('show', 'A-9999');
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /^UNKNOWN_ORDER: No order A-9999/);
  for (const args of [[], ['fly'], ['show'], ['list', '--fast']]) {
    const wrong = acmeOrders(...args);
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /^Usage: acme-orders/m);
    assert.equal(wrong.stdout, '');
  }
});
