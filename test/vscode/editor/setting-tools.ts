import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { EditorBench } from './bench.ts';

const change = fc.record({
  scope: fc.constantFrom('user', 'workspace'),
  setting: fc.oneof(
    fc.record({ key: fc.constant('editor.tabSize'), value: fc.integer({ min: 1, max: 16 }) }),
    fc.record({ key: fc.constant('editor.wordWrap'), value: fc.constantFrom('on', 'off') }),
    fc.record({ key: fc.constant('editor.minimap.enabled'), value: fc.boolean() }),
    fc.record({
      key: fc.constant('[typescript]'),
      value: fc.integer({ min: 1, max: 8 }).map((size) => ({ 'editor.tabSize': size })),
    }),
  ),
});

export function testSettings(bench: () => EditorBench): void {
  /** What VS Code says, not we. */
  const inspect = (key: string) =>
    bench().window.evaluate((vscode, one) => {
      const found = vscode.workspace.getConfiguration().inspect(one);
      return { user: found?.globalValue ?? null, workspace: found?.workspaceValue ?? null };
    }, key);

  test(`${cites('002-P11')} any setting that may be changed is read as it was set, in its scope, and taken away again`, async () => {
    await fc.assert(
      fc.asyncProperty(change, async ({ scope, setting: { key, value } }) => {
        const one = bench();
        const before = await inspect(key);
        const set = await one.call('setting_set', { key, value, scope });
        expect(set).toContain(`key: ${key}\nscope: ${scope}`);
        expect(await inspect(key)).toEqual({ ...before, [scope]: value });
        expect(await one.call('setting_get', { key, scope })).toContain('isSet: true');
        await one.call('setting_set', { key, scope });
        expect(await one.call('setting_get', { key, scope })).toContain('isSet: false');
        expect(await inspect(key)).toEqual(before);
      }),
      { numRuns: 5 },
    );
    expect(await bench().call('setting_get', { key: 'editor.tabSize' })).toContain('value: 4');
  });

  test(`${cites('T7')} what could run something, or is of the machine, is not changed`, async () => {
    const one = bench();
    const before = one.userSettings();
    for (const [key, value] of [
      ['terminal.integrated.defaultProfile.linux', 'x'],
      ['typescript.tsdk', '/tmp/evil'],
      ['git.path', '/tmp/evil'],
      ['http.proxy', 'http://evil'],
      ['security.workspace.trust.enabled', false],
      ['[typescript]', { 'editor.defaultFormatter': 'evil.evil' }],
    ] as const) {
      for (const scope of ['user', 'workspace']) {
        const refused = await one.call('setting_set', { key, value, scope });
        expect(refused).toContain('must not be changed by an agent');
      }
    }
    expect(one.userSettings()).toBe(before);
  });

  test(`${cites('002-P8')} what VS Code does not take is told in its words`, async () => {
    const one = bench();
    await one.type('.vscode/settings.json', '');
    const key = 'editor.tabSize';
    one.write({ '.vscode/settings.json': '{ "editor.tabSize": 2, broken' });
    const result = await one.call('setting_set', { key, value: 3, scope: 'workspace' });
    expect(result).toMatch(/^VS Code has not changed editor\.tabSize: .*(settings|errors)/);
    expect(one.read('.vscode/settings.json')).toBe('{ "editor.tabSize": 2, broken');
    one.write({ '.vscode/settings.json': '{}' });
    await one.closeAll();
  });
}
