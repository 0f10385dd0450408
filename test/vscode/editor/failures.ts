import { execFileSync } from 'node:child_process';
import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { configure } from '../chat-tools.ts';
import { type EditorBench, undoIn } from './bench.ts';

const FILES = {
  'src/a.ts': 'export const shared = 1;\n',
  'src/b.ts': "import { shared } from './a';\nexport const b = shared;\n",
  'src/c.ts': "import { shared } from './a';\nexport const c = shared;\n",
};

export function testFailures(bench: () => EditorBench): void {
  const expectAsBefore = async (project: string) => {
    for (const [file, text] of Object.entries(FILES))
      expect(bench().read(`${project}/${file}`)).toBe(text);
    expect(await bench().unsaved()).toEqual({});
    expect(await bench().dialogs()).toEqual([]);
  };

  test(`${cites('002-P8')} what cannot be done is refused with a reason and a next step`, async () => {
    const one = bench();
    one.project('refused', FILES);
    const file = 'refused/src/a.ts';
    const calls: [name: string, input: object, message: RegExp][] = [
      ['rename_file', { from: file, to: 'refused/src/b.ts' }, /b\.ts exists already/],
      ['rename_file', { from: 'refused/src/x.ts', to: 'refused/y.ts' }, /does not exist/],
      ['rename_file', { from: file, to: '/tmp/elsewhere.ts' }, /no path in the workspace/],
      ['rename_file', { from: file, to: '.vscode/tasks.json' }, /must not be changed by an agent/],
      ['rename_symbol', { file, name: 'nothing', newName: 'x' }, /has no symbol nothing/],
      ['rename_symbol', { file, name: 'shared', newName: '1x' }, /is no identifier/],
      ['organize_imports', { files: ['refused/none.ts'] }, /does not exist/],
      ['setting_set', { key: 'editor.tabSize', value: {}, scope: 'user' }, /invalid-value/],
      ['rename_symbol', { undo: 'unknown' }, /no such change/],
    ];
    for (const [name, input, message] of calls) {
      const result = await one.call(name, input);
      expect(result).toMatch(message);
      expect(result).toMatch(/^Next: \S/m);
    }
    await expectAsBefore('refused');
  });

  test('a file that VS Code holds to be read-only: nothing is changed at all', async () => {
    const one = bench();
    one.project('locked', FILES);
    await configure(one.window, { 'files.readonlyInclude': { '**/locked/src/c.ts': true } });
    const rename = { file: 'locked/src/a.ts', name: 'shared', newName: 'common' };
    expect(await one.call('rename_symbol', rename)).toContain('locked/src/c.ts is read-only');
    await expectAsBefore('locked');
    const move = { from: 'locked/src/a.ts', to: 'locked/src/deep/z.ts' };
    expect(await one.call('rename_file', move)).toContain('locked/src/c.ts is read-only');
    await expectAsBefore('locked');
    await configure(one.window, { 'files.readonlyInclude': undefined });
    expect(await one.call('rename_symbol', rename)).toContain('Renamed variable shared');
  });

  test('a file that cannot be written: nothing is changed at all', async () => {
    const one = bench();
    one.project('immutable', FILES);
    execFileSync('chattr', ['+i', one.at('immutable/src/c.ts')]);
    try {
      const rename = { file: 'immutable/src/a.ts', name: 'shared', newName: 'common' };
      expect(await one.call('rename_symbol', rename)).toContain('c.ts cannot be written');
      await expectAsBefore('immutable');
    } finally {
      execFileSync('chattr', ['-i', one.at('immutable/src/c.ts')]);
    }
  });

  test('what somebody has changed since is not taken back', async () => {
    const one = bench();
    one.project('since', FILES);
    const rename = { file: 'since/src/a.ts', name: 'shared', newName: 'common' };
    const id = undoIn(await one.call('rename_symbol', rename));
    await one.type('since/src/b.ts', '// mine\n');
    expect(await one.call('rename_symbol', { undo: id })).toContain('changed meanwhile');
    expect(one.read('since/src/a.ts')).toContain('common');
    await one.closeAll();
    one.write({ 'since/src/c.ts': '// theirs\n' });
    expect(await one.call('rename_symbol', { undo: id })).toContain('changed meanwhile');
    expect(one.read('since/src/c.ts')).toBe('// theirs\n');
  });
}
