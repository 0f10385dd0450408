import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configure } from './chat-tools.ts';
import { type Host, processesOf, startHost } from './host.ts';
import { newest } from './install.ts';
import { outputChannel } from './output-channel.ts';
import { packaged } from './under-test.ts';
import { until } from './until.ts';
import type { Window } from './window.ts';

async function listener(port = 0): Promise<{ port: number; server: Server }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return { port: (server.address() as { port: number }).port, server };
}

/** A port that nobody has, at least a moment ago. */
async function freePort(): Promise<number> {
  const { port, server } = await listener();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.each([newest])('HTTP for other clients in VS Code %s', (version) => {
  const place = temporaryFolder();
  let host: Host;
  let window: Window;
  let token: string;

  const statusItem = (text: string | RegExp) =>
    window.page.locator('.statusbar-item', { hasText: text });
  const alert = (text: string | RegExp) =>
    window.page.locator('.notification-toast', { hasText: text });
  /** VS Code makes no toast of the fourth message within 800 ms; its list has them all. */
  const listed = async (text: string) => {
    await window.evaluate((vscode) => vscode.commands.executeCommand('notifications.showList'));
    await window.page.locator('.notifications-center').getByText(text).waitFor();
  };
  const choose = (name: string) =>
    window.page.locator('.quick-input-list').getByRole('option', { name }).click();
  const openMenu = () => statusItem(/MCP: /).getByRole('button').click();
  const clipboard = () => window.evaluate((vscode) => vscode.env.clipboard.readText());
  const servers = () =>
    processesOf(host).filter(({ command }) => command.includes(' serve --child'));
  const channel = () => outputChannel(host);
  const dismiss = () =>
    window.evaluate((vscode) => vscode.commands.executeCommand('notifications.clearAll'));
  /** The address that the status bar shows. */
  const shownPort = async () => {
    const text = await statusItem(/MCP: localhost:\d+/).textContent();
    return Number(/localhost:(\d+)/.exec(text ?? '')?.[1]);
  };
  /** Answers the question for the client, and takes what is then on the clipboard. */
  const copyEntry = async () => {
    await window.evaluate((vscode) => vscode.env.clipboard.writeText(''));
    await choose('VS Code, VSCodium');
    const text = await until('the configuration is copied', clipboard);
    return JSON.parse(text).servers.baton;
  };
  const off = async () => {
    await configure(window, { 'baton.http.enabled': undefined, 'baton.http.port': undefined });
    await expect.poll(servers, { timeout: 30_000 }).toEqual([]);
    await dismiss();
  };

  beforeAll(async () => {
    host = await startHost(version, { extensions: [packaged] });
    window = await host.openWindow(place.path);
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.until((vscode) => vscode.extensions.getExtension('baton.baton')?.isActive);
  });
  afterAll(async () => {
    await host?.stop();
    place[Symbol.dispose]();
  });

  test(`${cites('VSCODE-HTTP')} is off until it is asked for`, async () => {
    expect(servers()).toEqual([]);
    expect(await statusItem(/MCP: /).count()).toBe(0);
  });

  test(`${cites('VSCODE-HTTP', 'T2')} takes any free port and serves an external client that has the token`, async () => {
    await configure(window, { 'baton.http.enabled': true });
    await statusItem(/MCP: localhost:\d+/).waitFor();
    const port = await shownPort();
    await window.screenshot('http-status-bar');
    await openMenu();
    await window.page.locator('.quick-input-list').getByText('Copy URL').waitFor();
    await window.screenshot('http-menu');
    await choose('Copy URL');
    const url = `http://127.0.0.1:${port}/mcp`;
    await until('the URL is copied', async () => (await clipboard()) === url);
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);

    await openMenu();
    await choose('Copy Client Configuration');
    const baton = await copyEntry();
    expect(baton).toMatchObject({ type: 'http', url });
    const client = new Client({ name: 'external', version: '0' });
    const options = { requestInit: { headers: baton.headers } };
    await client.connect(new StreamableHTTPClientTransport(new URL(baton.url), options));
    const { structuredContent } = await client.callTool({ name: 'status', arguments: {} });
    expect(structuredContent).toMatchObject({ workspace: { path: place.path } });
    await client.close();
    token = baton.headers.Authorization;
    expect(JSON.stringify([...host.logs()])).not.toContain(token.slice(7));
    const environment = `/proc/${servers()[0]?.pid}/environ`;
    expect(readFileSync(environment, 'utf8')).toContain(token.slice(7));
    const asOther = ['--reuid', '65534', '--clear-groups', 'cat', environment];
    expect(() => execFileSync('setpriv', asOther, { stdio: 'pipe' })).toThrow('Permission denied');
  });

  test(`${cites('VSCODE-HTTP')} warns in the log while it is on`, () => {
    return expect
      .poll(channel)
      .toMatch(/\[warn(ing)?\] HTTP is on: .*http:\/\/127\.0\.0\.1:\d+\/mcp/);
  });

  test(`${cites('VSCODE-HTTP', 'T2')} stops from the menu and starts by command, with another token`, async () => {
    await openMenu();
    await choose('Stop Server');
    await expect.poll(servers, { timeout: 30_000 }).toEqual([]);
    await statusItem(/MCP: /).waitFor({ state: 'detached' });
    await window.evaluate((vscode) => vscode.commands.executeCommand('baton.startHttp'));
    const port = await shownPort();
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    await window.evaluate(
      (vscode) => void vscode.commands.executeCommand('baton.copyConfiguration'),
    );
    const { url, headers } = await copyEntry();
    expect(headers.Authorization).not.toBe(token);
    const call = { method: 'POST', body: '{}' };
    const stale = { Authorization: token, 'Content-Type': 'application/json' };
    expect((await fetch(url, { ...call, headers: stale })).status).toBe(401);
    await window.evaluate((vscode) => vscode.commands.executeCommand('baton.stopHttp'));
    await expect.poll(servers, { timeout: 30_000 }).toEqual([]);
    await off();
  });

  test(`${cites('VSCODE-HTTP')} takes the port of the setting, and another when that changes`, async () => {
    for (const port of [await freePort(), await freePort()]) {
      await configure(window, { 'baton.http.port': port, 'baton.http.enabled': true });
      await statusItem(`MCP: localhost:${port}`).waitFor();
      expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    }
    expect(servers()).toHaveLength(1);
    await off();
  });

  test(`${cites('VSCODE-HTTP')} says who has a busy port, and starts when it is free`, async () => {
    const { port, server } = await listener();
    await configure(window, { 'baton.http.port': port, 'baton.http.enabled': true });
    await alert(`Port ${port} is in use by process ${process.pid}`).waitFor();
    await alert('Set baton.http.port').waitFor();
    await window.screenshot('http-busy');
    await statusItem('MCP: failed').waitFor();
    await new Promise((resolve) => server.close(resolve));
    await openMenu();
    await choose('Try Again');
    await statusItem(`MCP: localhost:${port}`).waitFor();
    await off();
  });

  test(`${cites('VSCODE-HTTP', '002-P4')} refuses a port that is none, before anything starts`, async () => {
    for (const port of [70_000, -1, 1.5, 'x']) {
      await configure(window, { 'baton.http.port': port, 'baton.http.enabled': true });
      const said = `${JSON.stringify(port)} is no port. Set baton.http.port to a number`;
      await until('it is refused', () => channel().includes(said));
      expect(servers()).toEqual([]);
    }
    await alert('is no port').first().waitFor();
    await statusItem('MCP: failed').waitFor();
    await off();
  });

  test(`${cites('VSCODE-HTTP')} null is no server, and the command says so`, async () => {
    await configure(window, { 'baton.http.enabled': true });
    await statusItem(/MCP: localhost:\d+/).waitFor();
    await window.evaluate((vscode) =>
      vscode.workspace
        .getConfiguration('baton')
        .update('http.port', null, vscode.ConfigurationTarget.Global),
    );
    await expect.poll(servers, { timeout: 30_000 }).toEqual([]);
    await window.evaluate((vscode) => vscode.commands.executeCommand('baton.startHttp'));
    await listed('baton.http.port is null');
    await dismiss();
    await window.evaluate((vscode) =>
      vscode.workspace
        .getConfiguration('baton')
        .update('http.port', undefined, vscode.ConfigurationTarget.Global),
    );
    await off();
  });

  test(`${cites('VSCODE-COMMANDS')} the doctor and the status say what there is`, async () => {
    await window.evaluate((vscode) => vscode.commands.executeCommand('baton.runDoctor'));
    const report = window.page.locator('.part.editor .view-lines');
    await report.getByText('status answers').waitFor();
    await window.screenshot('doctor');
    const status = window.evaluate((vscode) => vscode.commands.executeCommand('baton.showStatus'));
    await alert(/chats of this window use Baton over stdio/).waitFor();
    expect(await status).toMatchObject({
      window: { transport: 'stdio' },
      http: { state: 'stopped' },
    });
    await window.evaluate((vscode) =>
      vscode.commands.executeCommand('workbench.action.closeActiveEditor'),
    );
    await dismiss();
  });

  test(`${cites('VSCODE-HTTP')} two windows have a server each; a fixed port belongs to the first`, async () => {
    const port = await freePort();
    await configure(window, { 'baton.http.port': port, 'baton.http.enabled': true });
    await statusItem(`MCP: localhost:${port}`).waitFor();
    const second = await host.openWindow(place.path);
    await second.page
      .locator('.notification-toast', { hasText: `Port ${port} is in use` })
      .waitFor();
    await configure(second, { 'baton.http.port': undefined });
    await second.page.locator('.statusbar-item', { hasText: /MCP: localhost:\d+/ }).waitFor();
    await expect.poll(servers, { timeout: 30_000 }).toHaveLength(2);
    await second.close();
    await expect.poll(servers, { timeout: 30_000 }).toHaveLength(1);
  });

  test(`${cites('VSCODE-HTTP')} ends with the window, even if its extension host is killed`, async () => {
    expect(servers()).toHaveLength(1);
    const [before] = servers();
    process.kill(window.extensionHostPid, 'SIGKILL');
    await expect
      .poll(() => servers().map(({ pid }) => pid), { timeout: 30_000 })
      .not.toContain(before?.pid);
    await expect.poll(servers, { timeout: 30_000 }).toHaveLength(1);
    await window.close();
    await expect.poll(servers, { timeout: 30_000 }).toEqual([]);
  });
});
