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
const stateOf = (ticket: string) => workspace.json('ticket', 'show', ticket).state;
const claim = (): string => workspace.json('ticket', 'next', '--agent', 'codex').token;

test(`${cites('CLI-TICKET')} tickets are added and listed in columns, the newest first`, () => {
  expect(baton('ticket', 'list').stdout).toBe('No ticket is open. `--all` shows what is done.\n');
  expect(baton('ticket', 'add', 'Round money', '--priority', '1', '--label', 'billing')).toEqual({
    status: 0,
    stdout: 'T-1 is ready. Whoever calls ticket_next gets it when its turn comes.\n',
    stderr: '',
  });
  const body = 'First this.\n\nThen that: 0123456789'.repeat(200);
  workspace.batonWith(body, 'ticket', 'add', 'Release', '--need', 'T-1', '--body', '-');
  expect(workspace.json('ticket', 'show', 'T-2')).toMatchObject({ body, needs: ['T-1'] });
  add('May we?', '--kind', 'question');
  claim();
  expect(baton('ticket', 'list').stdout).toBe(
    [
      'T-3  P3  ready    May we?      a question',
      'T-2  P3  waiting  Release      waits for T-1',
      'T-1  P1  claimed  Round money  codex has it',
      '',
    ].join('\n'),
  );
  expect(baton('ticket', 'list', '--limit', '1').stdout).toMatch(
    /^T-3 .*\nand 2 more: --limit shows them\n$/,
  );
  expect(baton('ticket', 'list', '--label', 'billing').stdout).toMatch(/^T-1 .*\n$/);
  expect(baton('ticket', 'list', '--text', 'rel').stdout).toMatch(/^T-2 .*\n$/);
  expect(baton('ticket', 'list', '--kind', 'question').stdout).toMatch(/^T-3 .*\n$/);
  expect(baton('ticket', 'list', '--state', 'done').stdout).toBe('No ticket matches.\n');
  expect(baton('ticket', 'list', '--state', 'claimed').stdout).toMatch(/^T-1 .*\n$/);
  baton('ticket', 'cancel', 'T-3', '--reason', 'no need');
  expect(baton('ticket', 'list', '--all').stdout).toMatch(/^T-3 {2}P3 {2}cancelled/);
  expect(workspace.json('ticket', 'list')).toMatchObject([{ id: 'T-2' }, { id: 'T-1' }]);
});

test(`${cites('CLI-TICKET')} all of a ticket is shown, and nothing in it acts on the terminal`, () => {
  add('Parent');
  const evil = 'a\u001b[2Jb';
  add('a\u202eb', '--body', `${evil}\nsecond line`, '--parent', 'T-1', '--check', 'npm test');
  expect(baton('ticket', 'note', 'T-2', `note ${evil}`).stdout).toBe('Written below T-2.\n');
  workspace.batonWith('from a pipe\n', 'ticket', 'note', '2', '-');
  const { stdout } = baton('ticket', 'show', 'T-2');
  expect(stdout).not.toContain('\u001b');
  expect(stdout).toMatch(/^T-2 {2}a\\u202eb\nready {2}priority 3, for agents\nwritten by /);
  expect(stdout).toContain(
    '\n\na\\u001b[2Jb\nsecond line\n\nPart of:    T-1\n\nChecks\n  $ npm test\n',
  );
  expect(stdout).toMatch(
    /\nNotes\n {2}somebody, \S+Z:\n {4}note a\\u001b\[2Jb\n.*\n {4}from a pipe\n/,
  );
  expect(stdout).toMatch(/\nHistory\n {2}created by somebody \(/);
  expect(baton('ticket', 'show', 'T-9')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^baton: ticket_unknown: There is no ticket T-9/),
  });
});

test(`${cites('CLI-TICKET', 'CLI-ASK')} only a person takes and deletes: asked, or told by --yes`, async () => {
  add('Work');
  const token = claim();
  const nobody = baton('ticket', 'take', 'T-1');
  expect(nobody).toMatchObject({ status: 2, stdout: '' });
  expect(nobody.stderr).toMatch(
    /^baton: usage: Only a person may take T-1 away from codex, who works on it, and nobody can be asked here: .*--yes/,
  );
  for (const [typed, code, words] of [
    ['n\n', 1, 'Nothing was changed.'],
    ['\u0004', 1, 'Nothing was changed.'],
    ['y\n', 0, 'Nobody has T-1 now. Whoever asks for work next may get it.'],
  ] as const) {
    await using terminal = workspace.terminal(['ticket', 'take', 'T-1']);
    await terminal.shows('take T-1 away from codex, who works on it? The ticket: "Work"');
    await terminal.shows('Yes, do it [y/N]');
    terminal.type(typed);
    expect(await terminal.exited).toBe(code);
    expect(terminal.screen).toContain(words);
  }
  expect(stateOf('T-1')).toBe('ready');
  const late = ['--id', 'T-1', '--token', token, '--outcome', 'done', '--summary', 'x'];
  expect(baton('ticket', 'report', ...late).stderr).toContain('Your claim on T-1 is over');
  claim();
  expect(baton('ticket', 'take', 'T-1', '--yes').status).toBe(0);
  // Where there is nothing to take away there is nothing to ask.
  expect(baton('ticket', 'take', 'T-1').status).toBe(0);
  expect(baton('ticket', 'delete', 'T-1')).toMatchObject({ status: 2, stdout: '' });
  expect(baton('ticket', 'delete', 'T-1', '--yes').stdout).toBe('T-1 is deleted.\n');
  expect(baton('ticket', 'show', 'T-1').stderr).toContain('T-1 was deleted.');
});

test(`${cites('CLI-TICKET')} cancel and reopen, and what has a holder is left to them`, () => {
  add('Work');
  expect(baton('ticket', 'cancel', 'T-1', '--reason', 'gone').stdout).toBe(
    'T-1 is cancelled. To take that back: baton ticket reopen T-1\n',
  );
  expect(workspace.json('ticket', 'show', 'T-1').resolution).toBe('gone');
  expect(baton('ticket', 'reopen', 'T-1').stdout).toBe(
    'T-1 is ready. Whoever asks for work next may get it.\n',
  );
  claim();
  expect(baton('ticket', 'cancel', 'T-1')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/ticket_claimed: .*`baton ticket take T-1`/),
  });
});

test(`${cites('CLI-TICKET', 'CLI-STRICT')} a wrong command line has exit code 2`, () => {
  for (const [args, words] of [
    [['ticket', 'show'], 'Which ticket?'],
    [['ticket', 'show', 'x y'], 'expected a ticket such as T-14'],
    [['ticket', 'add'], 'What is to be done?'],
    [['ticket', 'add', 'x', '--priority', 'high'], '--priority must be a whole number.'],
    [['ticket', 'note', 'T-1'], 'What is the note?'],
    [['ticket', 'list', '--state', 'opne'], 'state: '],
    [['ticket', 'list', '--state', './state'], '"./state" is no state. The folder of Baton'],
    [['ticket', 'list', '--limit', 'x'], '--limit must be'],
    [['ticket', 'export'], 'Which folder?'],
    [['ticket', 'export', 'x', '--state', 'opne'], 'There is no state "opne".'],
    [['ticket', 'import'], 'Which files?'],
    [['inbox', 'answer'], 'Which ticket?'],
    [['inbox', 'decide', 'T-1', 'maybe'], 'What is decided?'],
  ] as const) {
    const { status, stdout, stderr } = baton(...args);
    expect(stderr, args.join(' ')).toContain(words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  }
});

test(`${cites('CLI-TICKET', 'CLI-INBOX', 'CLI-HELP')} every command has help with examples`, () => {
  const names = 'list show add note take reopen cancel delete export import'
    .split(' ')
    .map((name) => `ticket ${name}`);
  const overview = baton('--help').stdout;
  for (const name of [...names, 'inbox', 'inbox answer', 'inbox done', 'inbox decide']) {
    const { status, stdout } = baton(...name.split(' '), '--help');
    expect(stdout).toMatch(
      new RegExp(`^baton ${name}[ \\n][\\s\\S]+Examples:\\n {2}baton ${name}`),
    );
    expect(status).toBe(0);
    expect(overview).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  }
});
