import { mkdirSync } from 'node:fs';
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
const show = (ticket: string) => workspace.json('ticket', 'show', ticket);

/** Claims the next ticket and reports on it. */
function report(outcome: string, ...more: readonly string[]): void {
  const { ticket, token } = workspace.json('ticket', 'next', '--agent', 'codex');
  const told = ['--id', ticket.id, '--token', token, '--outcome', outcome, '--summary', 'why'];
  expect(baton('ticket', 'report', ...told, ...more).status).toBe(0);
}

test(`${cites('CLI-INBOX')} shows what waits for a person, and why`, () => {
  expect(baton('inbox').stdout).toBe('Nothing waits for a person here.\n');
  add('Blocked');
  report('blocked', '--waits-for', 'anna');
  add('Agents only');
  add('May we?', '--kind', 'question');
  add('Plug it in', '--kind', 'person', '--priority', '1');
  expect(baton('inbox').stdout).toBe(
    [
      'T-4  Plug it in  just now  is for a person to do',
      'T-1  Blocked     just now  waits for anna',
      'T-3  May we?     just now  asks a question',
      '',
      'Answer:  baton inbox answer T-3',
      'Done:    baton inbox done T-4',
      'Decide:  baton inbox decide T-1 accept|retry|cancel',
      '',
    ].join('\n'),
  );
  expect(workspace.json('inbox')).toMatchObject([
    { id: 'T-4', why: 'is for a person to do', since: expect.stringMatching(/Z$/) },
    { id: 'T-1' },
    { id: 'T-3' },
  ]);
});

test(`${cites('CLI-INBOX')} tells of other workspaces`, () => {
  const other = path.join(path.dirname(workspace.path), 'other');
  mkdirSync(path.join(other, '.baton'), { recursive: true });
  workspace.batonIn(other, 'ticket', 'add', 'Elsewhere?', '--kind', 'question');
  expect(baton('inbox').stdout).toBe(
    'Nothing waits for a person here.\n1 in other workspaces: baton inbox --all\n',
  );
  add('Here?', '--kind', 'question');
  expect(baton('inbox').stdout).toContain('\n1 in other workspaces: baton inbox --all\n');
  expect(baton('inbox', '--all').stdout).toBe(
    `${other}\nT-1  Elsewhere?  just now  asks a question\n\n${workspace.path}\nT-1  Here?  just now  asks a question\n`,
  );
});

test(`${cites('CLI-INBOX')} a question is answered in words, from a pipe or on the terminal`, async () => {
  add('May we?', '--kind', 'question');
  const told = 'T-1 is answered. Whoever waits for it goes on.\n';
  expect(baton('inbox', 'answer', 'T-1')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('nobody can be asked here'),
  });
  expect(baton('inbox', 'answer', 'T-1', 'Yes.')).toEqual({ status: 0, stdout: told, stderr: '' });
  expect(show('T-1')).toMatchObject({ state: 'done', resolution: 'Yes.' });
  expect(baton('inbox', 'answer', 'T-1', 'No.')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/nothing_asked: T-1 is done: it does not wait for an answer/),
  });
  add('And this?', '--kind', 'question');
  workspace.batonWith('Two\nlines\n', 'inbox', 'answer', 'T-2', '-');
  expect(show('T-2').resolution).toBe('Two\nlines');
  add('Or \u001b[2Jthat?', '--kind', 'question');
  await using terminal = workspace.terminal(['inbox', 'answer', 'T-3']);
  await terminal.shows('Your answer:');
  terminal.type('That.\n');
  expect(await terminal.exited).toBe(0);
  expect(terminal.strayControls).toEqual([]);
  expect(show('T-3').resolution).toBe('That.');
});

test(`${cites('CLI-INBOX')} what an agent is stuck with goes on with an answer`, () => {
  add('Work');
  report('blocked', '--waits-for', 'anna: which currency?');
  expect(baton('inbox', 'answer', 'T-1', 'Euros.').stdout).toBe(
    'T-1 is ready, with your answer as a note. Whoever asks for work next may get it.\n',
  );
  const { ticket } = workspace.json('ticket', 'next', '--agent', 'codex');
  expect(ticket.notes.at(-1)).toContain('Euros.');
});

test(`${cites('CLI-INBOX', 'CLI-ASK')} decides on what has failed: accept, retry or cancel`, async () => {
  for (const name of ['One', 'Two', 'Three']) add(name, '--check', 'false');
  baton('ticket', 'add', 'After', '--need', 'T-1');
  for (const id of ['T-1', 'T-2', 'T-3']) {
    baton('ticket', 'update', '--id', id, '--max-attempts', '1');
    report('failed');
  }
  expect(baton('inbox').stdout).toContain('has failed 1 times: why');
  const accept = baton('inbox', 'decide', 'T-1', 'accept');
  expect(accept).toMatchObject({ status: 2, stdout: '' });
  expect(accept.stderr).toContain('count T-1 as done without its checks and without a report');
  await using terminal = workspace.terminal(['inbox', 'decide', 'T-1', 'accept', '--note', 'seen']);
  await terminal.shows('Yes, do it [y/N]');
  terminal.type('y\n');
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen).toContain('T-1 is done. What needed it can go on: T-4');
  expect(show('T-1')).toMatchObject({ state: 'done', resolution: 'seen' });
  expect(show('T-4').state).toBe('ready');

  expect(baton('inbox', 'decide', 'T-2', 'retry', '--note', 'it is back').stdout).toBe(
    'T-2 is ready. Whoever asks for work next may get it.\n',
  );
  expect(show('T-2').notes).toMatchObject([{ text: 'it is back' }]);
  expect(workspace.json('inbox', 'decide', 'T-3', 'cancel')).toMatchObject({ state: 'cancelled' });
  expect(baton('inbox', 'decide', 'T-3', 'retry').stderr).toContain('baton ticket reopen T-3');
  workspace.json('ticket', 'next', '--agent', 'codex');
  expect(baton('inbox', 'decide', 'T-2', 'accept', '--yes').stderr).toContain(
    'baton ticket take T-2',
  );
});

test(`${cites('CLI-INBOX')} what waits in vain goes on: failed needs again, cancelled ones without`, () => {
  add('Fails');
  baton('ticket', 'update', '--id', 'T-1', '--max-attempts', '1');
  report('failed');
  add('Not wanted');
  add('Stuck', '--need', 'T-1', '--need', 'T-2');
  baton('inbox', 'decide', 'T-2', 'cancel');
  expect(baton('inbox').stdout).toMatch(/^T-3 .* needs T-\d, which will not be done$/m);
  expect(baton('inbox', 'decide', 'T-3', 'retry').stdout).toBe(
    [
      'T-1 is open again: it is tried once more.',
      'T-3 goes on without T-2, which was cancelled.',
      'T-3 is waiting. What it needs comes first: baton ticket show T-3',
      '',
    ].join('\n'),
  );
  expect(show('T-3').open).toEqual(['T-1 (ready)']);
  expect(baton('inbox').stdout).toBe('Nothing waits for a person here.\n');
});

test(`${cites('CLI-INBOX')} work for people is done when they say so`, () => {
  add('Plug it in', '--kind', 'person');
  expect(baton('inbox', 'answer', 'T-1', 'x').stderr).toContain('`baton inbox done T-1`');
  expect(baton('inbox', 'done', 'T-1', '--note', 'in rack 3')).toEqual({
    status: 0,
    stdout: 'T-1 is done.\n',
    stderr: '',
  });
  expect(show('T-1')).toMatchObject({ state: 'done', resolution: 'in rack 3' });
});
