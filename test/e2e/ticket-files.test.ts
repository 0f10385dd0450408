import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PlanWorkspace } from './plan-workspace.ts';
import { cites } from './requirements.ts';

let workspace: PlanWorkspace;
beforeEach(() => {
  workspace = new PlanWorkspace();
});
afterEach(() => workspace[Symbol.asyncDispose]());
const baton = (...args: readonly string[]) => workspace.baton(...args);
const add = (...args: readonly string[]): string => workspace.json('ticket', 'add', ...args).id;

function write(name: string, text: string): string {
  mkdirSync(path.dirname(workspace.file(name)), { recursive: true });
  writeFileSync(workspace.file(name), text);
  return name;
}

function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );
}

test(`${cites('TICKET-FILES')} out, in elsewhere, and out again is the same to the byte`, async () => {
  add('One: "quoted"', '--label', 'a', '--body', 'text\n---\n');
  add('Two', '--need', 'T-1', '--check', 'npm test', '--priority', '1');
  add('Three?', '--kind', 'question', '--parent', 'T-2');
  baton('ticket', 'note', 'T-1', 'a note');
  baton('inbox', 'answer', 'T-3', 'Yes.');
  const out = baton('ticket', 'export', 'tickets');
  expect(out.stdout).toMatch(
    /^created {3}T-1 {3}tickets\/T-0001-one-quoted\.md\n.*\n.*\n3 tickets in tickets: 3 created, 0 changed, 0 unchanged\.\n$/,
  );
  expect(baton('ticket', 'export', 'tickets').stdout).toBe(
    '3 tickets in tickets: 0 created, 0 changed, 3 unchanged.\n',
  );
  expect(baton('ticket', 'import', 'tickets').stdout).toBe('3 unchanged.\n');

  await using other = new PlanWorkspace();
  const files = filesIn(workspace.file('tickets'));
  mkdirSync(other.file('tickets'));
  for (const [name, text] of Object.entries(files))
    writeFileSync(other.file(`tickets/${name}`), text);
  expect(other.baton('ticket', 'import', 'tickets').stderr).toMatch(
    /not_trusted: .*`baton trust grant tickets\/T-0002-two\.md`/,
  );
  expect(other.baton('ticket', 'list').stdout).toMatch(/^No ticket/);
  other.baton('trust', 'grant', 'tickets/T-0002-two.md', '--yes');
  expect(other.baton('ticket', 'import', 'tickets')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/\n3 created\.\n$/),
  });
  other.baton('ticket', 'export', 'again');
  expect(filesIn(other.file('again'))).toEqual(files);
});

test(`${cites('TICKET-FILES', 'T6')} checks in files are approved on the terminal, and then run`, async () => {
  write('tickets/a.md', '---\ntitle: Make it\nchecks: [test -f made]\n---\n');
  await using no = workspace.terminal(['ticket', 'import', 'tickets']);
  await no.shows('$ test -f made');
  await no.shows('[y/N]');
  no.type('n\n');
  expect(await no.exited).toBe(1);
  expect(baton('ticket', 'list').stdout).toMatch(/^No ticket/);
  await using yes = workspace.terminal(['ticket', 'import', 'tickets']);
  await yes.shows('[y/N]');
  yes.type('y\n');
  expect(await yes.exited).toBe(0);
  const { token } = workspace.json('ticket', 'next', '--agent', 'codex');
  const report = ['--id', 'T-1', '--token', token, '--outcome', 'done', '--summary', 'made'];
  expect(workspace.json('ticket', 'report', ...report)).toMatchObject({ state: 'claimed' });
  expect(baton('ticket', 'show', 'T-1').stdout).toMatch(/Checks\n {2}failed.*\n {2}✖ test -f made/);
  write('made', '');
  expect(workspace.json('ticket', 'report', ...report)).toMatchObject({ state: 'done' });
  expect(baton('ticket', 'show', 'T-1').stdout).toMatch(/Checks\n {2}passed.*\n {2}✔ test -f made/);
});

test(`${cites('TICKET-FILES')} all files or none, and what is wrong is told with its place`, () => {
  write('tickets/a.md', '---\ntitle: a\nneeds: [T-9]\n---\n');
  write('tickets/b.md', '---\ntitle: b\n---\n');
  write('tickets/README.md', '# Our tickets\n');
  const { status, stdout, stderr } = baton('ticket', 'import', 'tickets');
  expect(stderr).toBe(
    'tickets/a.md: needs: there is no ticket T-9, neither in these files nor in this workspace.\nCorrect the files and try again. Nothing was imported.\n',
  );
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  write('tickets/a.md', '---\ntitle: a\nprioritty: 1\n---\n');
  expect(baton('ticket', 'import', 'tickets').stderr).toMatch(
    /^tickets\/a\.md:3:1: Unknown key "prioritty" \(did you mean "priority"\?\)/,
  );
  expect(baton('ticket', 'list').stdout).toMatch(/^No ticket/);
  write('tickets/a.md', '---\ntitle: a\n---\n');
  const dry = baton('ticket', 'import', 'tickets', '--dry-run');
  expect(dry.stdout).toMatch(
    /\n2 created, 1 ignored\. Nothing was written: this was a dry run\.\n$/,
  );
  expect(baton('ticket', 'list').stdout).toMatch(/^No ticket/);
  expect(workspace.batonIn(workspace.file('tickets'), 'ticket', 'import', '.').stdout).toBe(
    'created   T-1   tickets/a.md\ncreated   T-2   tickets/b.md\nignored         tickets/README.md: is no ticket\n2 created, 1 ignored.\n',
  );
  expect(baton('ticket', 'import', 'tickets/README.md').stderr).toContain(
    'front matter is missing',
  );
  for (const file of ['../x.md', '/etc/hosts', 'none.md']) {
    expect(baton('ticket', 'import', file)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/^baton: file_unusable: /),
    });
  }
});

test(`${cites('TICKET-FILES')} neither side is lost: conflicts are told, and files are kept`, () => {
  add('One');
  baton('ticket', 'export', 'tickets');
  const file = 'tickets/T-0001-one.md';
  const text = readFileSync(workspace.file(file), 'utf8');
  write(file, text.replace('title: One', 'title: Uno'));
  const kept = baton('ticket', 'export', 'tickets');
  expect(kept).toMatchObject({ status: 1, stdout: '' });
  expect(kept.stderr).toContain(`${file} was changed and not imported yet`);
  baton('ticket', 'update', '--id', 'T-1', '--title', 'Eins');
  const conflict = baton('ticket', 'import', file);
  expect(conflict.status).toBe(1);
  expect(conflict.stdout).toMatch(/^conflict {2}T-1 {3}tickets\/T-0001-one\.md: was changed here/);
  expect(conflict.stdout).toContain('To take those files as they are: --force\n');
  expect(workspace.json('ticket', 'show', 'T-1').title).toBe('Eins');
  expect(baton('ticket', 'import', file, '--force').status).toBe(0);
  expect(workspace.json('ticket', 'show', 'T-1').title).toBe('Uno');
  write('other/T-0001-uno.md', '# Mine');
  expect(baton('ticket', 'export', 'other').stderr).toContain('is in the way of T-1');
  expect(readFileSync(workspace.file('other/T-0001-uno.md'), 'utf8')).toBe('# Mine');
  expect(baton('ticket', 'import', file, '--read-only').stderr).toContain('read-only mode');
});
