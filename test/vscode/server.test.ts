import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configure, invoke, startServer, untilGone } from './chat-tools.ts';
import { type Host, processesOf, startHost } from './host.ts';
import { versions } from './install.ts';
import { outputChannel } from './output-channel.ts';
import { packaged } from './under-test.ts';
import { until } from './until.ts';
import type { Window } from './window.ts';

const MAX_ACTIVATION_MS = 50;

describe.each(versions)('the packaged extension in VS Code %s', (version) => {
  const place = temporaryFolder();
  let host: Host;
  let window: Window;

  const servers = () =>
    processesOf(host).filter(({ command }) => command.includes(`dist${path.sep}baton.mjs`));
  const stdioServers = () => servers().filter(({ command }) => command.endsWith(' stdio'));

  beforeAll(async () => {
    host = await startHost(version, { extensions: [packaged] });
    window = await host.openWindow(place.path);
    await window.until((vscode) => vscode.extensions.getExtension('baton.baton')?.isActive);
  });
  afterAll(async () => {
    await host?.stop();
    place[Symbol.dispose]();
  });

  test(`${cites('VSCODE-ACTIVATION')} activates at once, and starts nothing by that`, async () => {
    const time = await until(
      'it has logged',
      () => /activated in ([\d.]+) ms/.exec(outputChannel(host))?.[1],
    );
    process.stdout.write(`VS Code ${version}: activated in ${time} ms\n`);
    expect(Number(time)).toBeLessThan(MAX_ACTIVATION_MS);
    expect(servers()).toEqual([]);
  });

  test(`${cites('VSCODE-STDIO')} VS Code starts the server, lists its tools and calls them`, async () => {
    await startServer(window);
    const status = JSON.parse(await invoke(window, 'mcp_baton_status', {}));
    expect(status).toMatchObject({
      workspace: { path: place.path },
      readOnly: false,
      store: { isReady: true, path: expect.stringContaining(host.home) },
    });
    const refused = await invoke(window, 'mcp_baton_status', { surprise: 1 });
    expect(refused).toContain('invalid_input');
    expect(refused).toContain('Unknown key');
  });

  test(`${cites('VSCODE-STDIO')} with the editor's own runtime, in the folder`, () => {
    const [server] = stdioServers();
    const inProc = (file: string) => `/proc/${server?.pid}/${file}`;
    expect(readlinkSync(inProc('exe'))).toBe(readlinkSync(`/proc/${window.extensionHostPid}/exe`));
    expect(readlinkSync(inProc('cwd'))).toBe(place.path);
    const environment = readFileSync(inProc('environ'), 'utf8').split('\0');
    expect(environment).toContain('ELECTRON_RUN_AS_NODE=1');
    expect(environment).toContain(`BATON_WORKSPACE=${place.path}`);
    expect(environment.join()).not.toContain('BATON_READ_ONLY');
  });

  test(`${cites('VSCODE-NO-DATABASE')} the extension host opens no database`, () => {
    const open = (pid: number) =>
      readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
        try {
          return readlinkSync(`/proc/${pid}/fd/${fd}`);
        } catch {
          return []; // Closed meanwhile.
        }
      });
    expect(open(window.extensionHostPid).filter((file) => file.includes('baton.db'))).toEqual([]);
    expect(open(stdioServers()[0]?.pid ?? 0).join()).toContain('baton.db');
  });

  test(`${cites('VSCODE-STDIO')} a killed server is there again for the next call`, async () => {
    const pid = stdioServers()[0]?.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => servers()).toEqual([]);
    await startServer(window);
    expect(await invoke(window, 'mcp_baton_status', {})).toContain(place.path);
    expect(stdioServers().map((server) => server.pid)).not.toContain(pid);
  });

  test(`${cites('VSCODE-COMMANDS')} every command of the manifest is there`, async () => {
    const { declared, known } = await window.evaluate(async (vscode) => ({
      declared: vscode.extensions
        .getExtension('baton.baton')
        ?.packageJSON.contributes.commands.map(({ command }: { command: string }) => command),
      known: (await vscode.commands.getCommands()).filter((id) => id.startsWith('baton.')),
    }));
    expect(known).toEqual(expect.arrayContaining(declared));
  });

  test(`${cites('VSCODE-COMMANDS')} Restart Server replaces it`, async () => {
    const pid = stdioServers()[0]?.pid;
    await window.evaluate((vscode) => vscode.commands.executeCommand('baton.restartServer'));
    await expect
      .poll(() => stdioServers().map((server) => server.pid), { timeout: 30_000 })
      .not.toEqual([pid]);
    await startServer(window);
    expect(await invoke(window, 'mcp_baton_status', {})).toContain(place.path);
  });

  test(`${cites('VSCODE-STDIO')} two windows on one folder have a server each and share the store`, async () => {
    const second = await host.openWindow(place.path);
    await startServer(second);
    const [here, there] = await Promise.all(
      [window, second].map((one) => invoke(one, 'mcp_baton_status', {})),
    );
    expect(there).toBe(here);
    expect(stdioServers()).toHaveLength(2);
    await second.close();
    await expect.poll(() => stdioServers(), { timeout: 30_000 }).toHaveLength(1);
    expect(await invoke(window, 'mcp_baton_status', {})).toBe(here);
  });

  test(`${cites('VSCODE-SETTINGS')} autoRegister takes the server away and gives it back`, async () => {
    await configure(window, { 'baton.mcp.autoRegister': false });
    await untilGone(window, 'mcp_baton_status');
    await expect.poll(() => servers(), { timeout: 30_000 }).toEqual([]);
    await configure(window, { 'baton.mcp.autoRegister': undefined });
    await startServer(window);
    expect(await invoke(window, 'mcp_baton_status', {})).toContain(place.path);
  });

  test(`${cites('VSCODE-SETTINGS', 'VSCODE-HTTP-TRANSPORT')} over HTTP the window has a server of its own`, async () => {
    await configure(window, { 'baton.mcp.transport': 'http' });
    await expect.poll(() => stdioServers(), { timeout: 30_000 }).toEqual([]);
    await startServer(window);
    expect(await invoke(window, 'mcp_baton_status', {})).toContain(place.path);
    expect(servers().map(({ command }) => command)).toEqual([
      expect.stringMatching(/ serve --child --port 0$/),
    ]);
    // Killed, it comes back where it was, and VS Code goes on as if nothing had been.
    process.kill(servers()[0]?.pid ?? 0, 'SIGKILL');
    await expect
      .poll(() => invoke(window, 'mcp_baton_status', {}), { timeout: 30_000 })
      .toContain(place.path);
    await configure(window, { 'baton.mcp.transport': undefined });
    await expect.poll(() => servers(), { timeout: 30_000 }).toEqual([]);
  });

  test(`${cites('VSCODE-STDIO')} its server ends with the window`, async () => {
    await startServer(window);
    expect(stdioServers()).toHaveLength(1);
    await window.close();
    await expect.poll(() => servers(), { timeout: 30_000 }).toEqual([]);
  });
});
