import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Host, processesOf, startHost } from './host.ts';
import { newest } from './install.ts';
import { trust } from './trust.ts';
import type { Window } from './window.ts';

// The older one is driven in the same way by all other tests.
describe.each([newest])('VS Code %s', (version) => {
  const place = temporaryFolder();
  const folder = path.join(place.path, 'work');
  const tiny = path.join(place.path, 'tiny');
  let host: Host;
  let window: Window;

  beforeAll(async () => {
    mkdirSync(folder);
    mkdirSync(tiny);
    writeFileSync(
      path.join(tiny, 'package.json'),
      '{"name":"tiny","publisher":"baton-test","version":"1.2.3","engines":{"vscode":"^1.105.0"}}',
    );
    host = await startHost(version, {
      extensions: [tiny],
      settings: { 'baton.answer': 42 },
      env: { BATON_ANSWER: '43' },
    });
    window = await host.openWindow(folder);
  });

  afterAll(async () => {
    await host?.stop();
    place[Symbol.dispose]();
  });

  test('opens a folder and evaluates in its extension host', async () => {
    const seen = await window.evaluate(
      (vscode, arg) => ({
        version: vscode.version,
        folders: vscode.workspace.workspaceFolders?.map(({ uri }) => uri.fsPath),
        pid: process.pid,
        arg,
      }),
      { some: ['data'] },
    );
    expect(seen).toEqual({
      version: expect.stringContaining(`${version}.`),
      folders: [folder],
      pid: window.extensionHostPid,
      arg: { some: ['data'] },
    });
  });

  test('rejects with the message of what was thrown', async () => {
    const thrown = window.evaluate(() => {
      throw new Error('No such thing');
    });
    await expect(thrown).rejects.toThrow('No such thing');
  });

  test('waits until there is something to see', async () => {
    const end = Date.now() + 500;
    expect(await window.until((_, arg) => Date.now() > arg && 'late', end)).toBe('late');
    const never = window.until(() => false, undefined, { limit: 300 });
    await expect(never).rejects.toThrow('last seen false');
  });

  test('has the extensions, settings and environment that were asked for', async () => {
    const seen = await window.evaluate((vscode) => ({
      tiny: vscode.extensions.getExtension('baton-test.tiny')?.packageJSON.version,
      setting: vscode.workspace.getConfiguration('baton').get('answer'),
      variable: process.env['BATON_ANSWER'],
      home: process.env['HOME'],
      isTrusted: vscode.workspace.isTrusted,
    }));
    expect(seen).toEqual({
      tiny: '1.2.3',
      setting: 42,
      variable: '43',
      home: path.join(host.home, 'user'),
      isTrusted: true,
    });
  });

  test('two windows on one folder have an extension host each, as long as they are open', async () => {
    const second = await host.openWindow(folder);
    const pid = second.extensionHostPid;
    expect(pid).not.toBe(window.extensionHostPid);
    expect(await second.evaluate(() => process.pid)).toBe(pid);
    expect(await window.evaluate(() => process.pid)).toBe(window.extensionHostPid);
    await second.close();
    expect(processesOf(host).map((one) => one.pid)).not.toContain(pid);
  });

  test('follows a window when its extension host crashes and when it is reloaded', async () => {
    const first = window.extensionHostPid;
    process.kill(first, 'SIGKILL');
    await expect.poll(() => window.extensionHostPid, { timeout: 30_000 }).not.toBe(first);
    const second = await window.evaluate(() => process.pid);
    await window.reload();
    const third = await window.evaluate(() => process.pid);
    expect(new Set([first, second, third]).size).toBe(3);
  });

  test('what an extension shows can be clicked', async () => {
    const { page } = window;
    const notified = window.evaluate((vscode) =>
      vscode.window.showInformationMessage('Do you hear me?', 'I do'),
    );
    await page.locator('.notification-toast').getByRole('button', { name: 'I do' }).click();
    expect(await notified).toBe('I do');

    const modal = window.evaluate((vscode) =>
      vscode.window.showWarningMessage('Really?', { modal: true }, 'Really'),
    );
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Really' }).click();
    expect(await modal).toBe('Really');

    const picked = window.evaluate((vscode) => vscode.window.showQuickPick(['one', 'two']));
    await page.locator('.quick-input-list').getByRole('option', { name: 'two' }).click();
    expect(await picked).toBe('two');
  });

  test('keeps what output channels say', async () => {
    await window.evaluate((vscode) => {
      vscode.window.createOutputChannel('Probe', { log: true }).warn('Heard in the log');
    });
    await expect.poll(() => [...host.logs().values()].join()).toContain('Heard in the log');
    expect(host.log).toContain('Extension host agent started');
  });

  test('takes a picture', async () => {
    await window.page.locator('.explorer-folders-view').waitFor();
    const file = await window.screenshot('harness');
    expect(statSync(file).size).toBeGreaterThan(10_000);
  });

  test('asks for trust; a process that outlives it is reported and killed', async () => {
    // What never ends need not be waited for at length.
    const leaking = await startHost(version, { trust: true, grace: 500 });
    const leaky = await leaking.openWindow(folder);
    expect(await leaky.evaluate((vscode) => vscode.workspace.isTrusted)).toBe(false);
    await trust(leaky.page);
    expect(await leaky.until((vscode) => vscode.workspace.isTrusted)).toBe(true);
    expect(processesOf(leaking).map(({ pid }) => pid)).toContain(leaky.extensionHostPid);
    await leaky.evaluate(() => {
      const { spawn } = process.getBuiltinModule('node:child_process');
      spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
    });
    await expect(leaking.stop()).rejects.toThrow('sleep 1000');
    expect(processesOf(leaking)).toEqual([]);
    expect(existsSync(leaking.home)).toBe(false);
  });
});
