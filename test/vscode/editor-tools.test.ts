import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { configure } from './chat-tools.ts';
import { definitions } from './definitions.ts';
import { EditorBench } from './editor/bench.ts';
import { testFailures } from './editor/failures.ts';
import { testFileRenames } from './editor/file-renames.ts';
import { testSettings } from './editor/setting-tools.ts';
import { testSymbols } from './editor/symbols.ts';
import { type Host, processesOf, startHost } from './host.ts';
import { newest, versions } from './install.ts';
import { withFixtures } from './under-test.ts';

describe.each(versions)('the editor’s tools in VS Code %s', (version) => {
  const place = temporaryFolder();
  const folder = path.join(place.path, 'workspace');
  let host: Host;
  let bench: EditorBench;

  const children = () => processesOf(host).filter(({ command }) => command.includes('baton.mjs'));
  /** The folders of the sockets. */
  const links = () =>
    readdirSync(path.join(host.home, 'user/tmp')).filter((name) => /^baton-\w{32}$/.test(name));

  beforeAll(async () => {
    mkdirSync(path.join(folder, '.vscode'), { recursive: true });
    host = await startHost(version, {
      extensions: [withFixtures],
      settings: { 'files.autoSave': 'off' }, // A browser's is on.
    });
    bench = new EditorBench(host, await host.openWindow(folder), folder);
    bench.write({ '.vscode/settings.json': '{}' });
    await bench.window.until((vscode) => vscode.extensions.getExtension('baton.baton')?.isActive);
  });
  afterEach(() => bench.closeAll());
  afterAll(async () => {
    await host?.stop();
    place[Symbol.dispose]();
  });

  test(`${cites('VSCODE-EDITOR')} there is no way to ask the window before a child needs one`, async () => {
    expect(links()).toEqual([]);
    const [definition] = await definitions(bench.window);
    expect(Object.keys(definition?.env ?? {}).join()).not.toContain('BATON_EDITOR');
    expect(definition?.env?.['BATON_WITHOUT_TOOLS']).toBe(
      'organize_imports,rename_file,rename_symbol,setting_get,setting_set',
    );
    expect(await bench.call('setting_get', { key: 'editor.tabSize' })).toContain('value: 4');
    expect(links()).toHaveLength(1);
    const [child] = children();
    const environment = readFileSync(`/proc/${child?.pid}/environ`, 'utf8');
    expect(environment).toMatch(/BATON_EDITOR_TOKEN=[\w-]{43}\0/);
  });

  testFileRenames(() => bench);
  testSymbols(() => bench);
  testFailures(() => bench);
  testSettings(() => bench);

  test(`${cites('VSCODE-EDITOR')} over HTTP they work on the same documents`, async () => {
    bench.project('http', {
      'src/a.ts': 'export const a = 1;\n',
      'src/b.ts': "export * from './a';\n",
    });
    await configure(bench.window, { 'baton.http.enabled': true });
    await bench.type('http/src/b.ts', '// mine\n');
    const client = await httpClient(bench);
    const { structuredContent } = await client.callTool({
      name: 'rename_file',
      arguments: { from: 'http/src/a.ts', to: 'http/src/c.ts' },
    });
    expect(structuredContent).toMatchObject({ importsUpdated: 1, unsaved: ['http/src/b.ts'] });
    expect(await bench.unsaved()).toEqual({ 'http/src/b.ts': "// mine\nexport * from './c';\n" });
    await client.close();
    await bench.closeAll();
    await configure(bench.window, { 'baton.http.enabled': undefined });
  });

  // A second window takes ten seconds to open.
  test.runIf(version === newest)(
    `${cites('VSCODE-EDITOR')} two windows are asked by their own children, also for a folder behind a link`,
    async () => {
      const real = path.join(place.path, 'real');
      const linked = path.join(place.path, 'linked');
      mkdirSync(real);
      symlinkSync(real, linked);
      const second = new EditorBench(host, await host.openWindow(linked), linked);
      await second.window.until(
        (vscode) => vscode.extensions.getExtension('baton.baton')?.isActive,
      );
      for (const one of [bench, second]) {
        one.project('two', {
          'src/a.ts': 'export const a = 1;\n',
          'src/b.ts': "export * from './a';\n",
        });
      }
      await second.type('two/src/b.ts', '// mine\n');
      const move = { from: 'two/src/a.ts', to: 'two/src/c.ts' };
      expect(await second.call('rename_file', move)).toContain('two/src/b.ts');
      expect(await second.unsaved()).toEqual({
        'two/src/b.ts': "// mine\nexport * from './c';\n",
      });
      expect(existsSync(path.join(real, 'two/src/c.ts'))).toBe(true);
      expect(bench.read('two/src/b.ts')).toBe("export * from './a';\n");
      expect(links()).toHaveLength(2);
      await second.closeAll();
      await second.window.close();
      await expect.poll(links, { timeout: 30_000 }).toHaveLength(1);
      expect(await bench.call('rename_file', move)).toContain('Renamed two/src/a.ts');
    },
  );
});

/** With the address and token that the window's server has. */
async function httpClient({ window, host }: EditorBench): Promise<Client> {
  await window.page.locator('.statusbar-item', { hasText: /MCP: localhost:\d+/ }).waitFor();
  const item = window.page.locator('.statusbar-item', { hasText: /MCP: localhost:\d+/ });
  const port = /localhost:(\d+)/.exec((await item.textContent()) ?? '')?.[1];
  const server = processesOf(host).find(({ command }) => command.includes(' serve --child'));
  const environment = readFileSync(`/proc/${server?.pid}/environ`, 'utf8');
  const token = /BATON_TOKEN=([^\0]+)/.exec(environment)?.[1];
  const client = new Client({ name: 'external', version: '0' });
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}
