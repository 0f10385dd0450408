import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { invoke } from './chat-tools.ts';
import { definitions } from './definitions.ts';
import { type Host, processesOf, startHost } from './host.ts';
import { newest } from './install.ts';
import { outputChannel } from './output-channel.ts';
import { inFork, withFixtures } from './under-test.ts';
import { until } from './until.ts';
import type { Window } from './window.ts';

const toast = (window: Window, text: string) =>
  window.page.locator('.notification-toast', { hasText: text });
const isActive = (window: Window) =>
  window.until((vscode) => vscode.extensions.getExtension('baton.baton')?.isActive);
const clear = (window: Window) =>
  window.evaluate((vscode) => vscode.commands.executeCommand('notifications.clearAll'));

describe.each([newest])('what a person is told in VS Code %s', (version) => {
  const place = temporaryFolder();
  const folder = (name: string, files: Readonly<Record<string, string>> = {}) => {
    const made = path.join(place.path, name);
    for (const [file, text] of Object.entries({ 'readme.txt': 'x', ...files })) {
      mkdirSync(path.dirname(path.join(made, file)), { recursive: true });
      writeFileSync(path.join(made, file), text);
    }
    return made;
  };
  let host: Host | undefined;
  afterEach(async () => {
    await host?.stop();
    host = undefined;
  });
  afterAll(() => place[Symbol.dispose]());

  test(`${cites('VSCODE-NOTICES')} once how it works, and of each old entry that cannot`, async () => {
    const old =
      '{ // Of the orchestrator\n"servers": {"copilot-orchestrator": {"url": "http://localhost:39219/mcp"}}}';
    const plain = folder('plain');
    const evil = JSON.stringify({
      servers: { '[ok](command:baton.startHttp)': { url: 'http://localhost:39219' } },
    });
    const used = folder('used', { '.vscode/mcp.json': old });
    const hostile = folder('hostile', { '.vscode/mcp.json': evil });
    host = await startHost(version, { extensions: [withFixtures] });
    const first = await host.openWindow(plain);
    await toast(first, 'Baton is ready').waitFor();
    await first.screenshot('notice-stdio');
    await toast(first, 'Baton is ready').getByRole('button', { name: 'Show Status' }).click();
    await toast(first, 'chats of this window use Baton over stdio').waitFor();

    const second = await host.openWindow(used, first);
    const warning = toast(second, 'The server "copilot-orchestrator"');
    await warning.waitFor();
    await second.screenshot('notice-old-entry');
    expect(await toast(second, 'Baton is ready').count()).toBe(0);
    await warning.getByRole('button', { name: 'Open File' }).click();
    await second.page.locator('.tab', { hasText: 'mcp.json' }).waitFor();
    await second.reload();
    await isActive(second);
    // What is asked for now comes after what would have come by itself.
    await second.evaluate((vscode) => void vscode.commands.executeCommand('baton.showStatus'));
    await toast(second, 'chats of this window').waitFor();
    expect(await second.page.locator('.notification-toast').count()).toBe(1);

    const third = await host.openWindow(hostile, first);
    const message = toast(third, 'The server "[ok] (command:baton.startHttp)"');
    await message.waitFor();
    expect(await message.locator('a[href^="command:"]').count()).toBe(0);
  });

  test(`${cites('VSCODE-FALLBACK')} that this editor takes no servers, and what to do`, async () => {
    host = await startHost(version, { extensions: [inFork] });
    const window = await host.openWindow(folder('fork'));
    const notice = toast(window, 'takes no MCP servers from extensions');
    await notice.waitFor();
    await window.screenshot('notice-fork');
    const servers = () =>
      processesOf(host as Host).filter(({ command }) => command.includes(' serve --child'));
    expect(servers()).toEqual([]);
    await notice.getByRole('button', { name: 'Enable HTTP' }).click();
    await window.page.locator('.statusbar-item', { hasText: /MCP: localhost:\d+/ }).waitFor();
    const status = await window.evaluate((vscode) =>
      vscode.commands.executeCommand('baton.showStatus'),
    );
    expect(status).toMatchObject({
      window: { transport: 'none', state: 'off', reason: expect.stringContaining('this editor') },
      http: { state: 'running' },
    });
    await clear(window);
    await window.reload();
    await isActive(window);
    await window.page.locator('.statusbar-item', { hasText: /MCP: localhost:\d+/ }).waitFor();
    expect(await notice.count()).toBe(0);
    expect(servers()).toHaveLength(1);
  });

  test(`${cites('VSCODE-FOLDERS', 'T29')} each folder by its name, which cannot forge a line or a colour`, async () => {
    const evil = 'evil\u001b[2J\u001b]0;x\u0007\r\n[INFO] fake';
    const workspace = path.join(place.path, 'all.code-workspace');
    const folders = [folder('web'), folder('api')];
    const entries = [{ path: folders[0], name: evil }, { path: folders[1] }];
    writeFileSync(workspace, JSON.stringify({ folders: entries }));
    host = await startHost(version, {
      extensions: [withFixtures],
      settings: { 'baton.http.enabled': true, 'baton.tools.inProcess': 'all' },
    });
    const window = await host.openWindow(workspace);
    await isActive(window);
    const offered = await definitions(window);
    expect(offered.map(({ label, cwd }) => [label, cwd])).toEqual([
      ['Baton (evil\\u001b[2J\\u001b]0;x\\u0007\\n[INFO] fake)', folders[0]],
      ['Baton (api)', folders[1]],
    ]);
    const http = () =>
      processesOf(host as Host).filter(({ command }) => command.includes(' serve --child'));
    await until('each folder has its HTTP server', () => http().length === 2);
    await window.evaluate((vscode) => void vscode.commands.executeCommand('baton.showStatus'));
    const shown = await toast(window, 'chats of this window').first().textContent();
    const { logs } = host;
    const log = await until('it is logged', () => {
      const written = outputChannel({ logs });
      return written.includes('[INFO] fake') ? written : undefined;
    });
    for (const text of [log, shown]) expect(text).not.toMatch(/[\u001b\u0007\r]/);
    expect(log.split('\n').filter((line) => line.startsWith('[INFO] fake'))).toEqual([]);

    // In-process, a call is for the folder on the screen; else for the first.
    expect(await invoke(window, 'baton_status', {})).toContain(`path: ${folders[0]}`);
    await window.evaluate(
      (vscode, file) => vscode.window.showTextDocument(vscode.Uri.file(file)),
      path.join(folders[1] ?? '', 'readme.txt'),
    );
    expect(await invoke(window, 'baton_status', {})).toContain(`path: ${folders[1]}`);

    // A folder that goes takes its server with it.
    await window.evaluate((vscode) => vscode.workspace.updateWorkspaceFolders(1, 1));
    await until('one is left', async () => (await definitions(window)).length === 1);
    await until('its HTTP server has gone', () => http().length === 1);
  });
});
