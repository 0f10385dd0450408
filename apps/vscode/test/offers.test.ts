import { expect, test } from 'vitest';
import { chosenTools } from '../src/declared-tools.ts';
import { readLogLine } from '../src/log-line.ts';
import { offersOf } from '../src/offers.ts';

const facts = { extension: '/ext', version: '1.2.3', isTrusted: true, withoutTools: [] };

test('one folder is offered as Baton, several by their names, namesakes by their paths', () => {
  const labels = (...folders: [name: string, path: string][]) =>
    offersOf({ ...facts, folders: folders.map(([name, path]) => ({ name, path })) }).map(
      ({ label }) => label,
    );
  expect(labels()).toEqual([]);
  expect(labels(['web', '/a/web'])).toEqual(['Baton']);
  expect(labels(['web', '/a/web'], ['api', '/a/api'])).toEqual(['Baton (web)', 'Baton (api)']);
  expect(labels(['web', '/a/web'], ['web', '/b/web'])).toEqual([
    'Baton (/a/web)',
    'Baton (/b/web)',
  ]);
  expect(labels(['a\u001b[2J\n[INFO] b', '/a'], ['c', '/c'])).toEqual([
    'Baton (a\\u001b[2J\\n[INFO] b)',
    'Baton (c)',
  ]);
});

test('the version changes whenever the list of tools does', () => {
  const version = (more: object) =>
    offersOf({ ...facts, ...more, folders: [{ name: 'a', path: '/a' }] })[0]?.version;
  expect(version({})).toBe('1.2.3');
  expect(version({ isTrusted: false })).toBe('1.2.3+read-only');
  expect(version({ withoutTools: ['status', 'echo'] })).toBe('1.2.3+status+echo');
});

test('tools that need the editor are always in-process, others on request, none that writes without trust', () => {
  const tool = (name: string, ...tags: string[]) => ({ name, displayName: name, tags });
  const declared = [
    tool('baton_status', 'baton', 'system', 'read'),
    tool('baton_rename', 'baton', 'editor', 'set'),
    tool('baton_setting_get', 'baton', 'editor', 'read'),
  ];
  const names = (...args: [inProcess: 'editor' | 'all', isTrusted: boolean]) =>
    chosenTools(declared, ...args).map(({ name }) => name);
  expect(names('editor', true)).toEqual(['baton_rename', 'baton_setting_get']);
  expect(names('all', true)).toEqual(['baton_status', 'baton_rename', 'baton_setting_get']);
  expect(names('editor', false)).toEqual(['baton_setting_get']);
  expect(names('all', false)).toEqual(['baton_status', 'baton_setting_get']);
});

test("a child's log line keeps its level, and anything else is a message", () => {
  expect(readLogLine('[2026-01-01T00:00:00.000Z] [WARN] [http] slow [x] client')).toEqual({
    level: 'warn',
    message: '[http] slow [x] client',
  });
  expect(readLogLine('Segmentation fault')).toEqual({
    level: 'info',
    message: 'Segmentation fault',
  });
  expect(readLogLine('')).toEqual({ level: 'info', message: '' });
});
