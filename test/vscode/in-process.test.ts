import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { temporaryFolder } from '@baton/testkit';
import {
  type CallToolResult,
  Client,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { configure, invoke } from './chat-tools.ts';
import { definitions } from './definitions.ts';
import { type Host, processesOf, startHost } from './host.ts';
import { versions } from './install.ts';
import { outputChannel } from './output-channel.ts';
import { UNREGISTRABLE, withFixtures } from './under-test.ts';
import { until } from './until.ts';
import type { Window } from './window.ts';

const RUNS = { numRuns: 40 };
const report = z.object({ code: z.string(), message: z.string().min(1), next: z.string().min(1) });

/** What MCP says a result is; written down here, so that a change of ours cannot change it. */
const toolResult = z.object({
  content: z.array(
    z.discriminatedUnion('type', [
      z.object({ type: z.literal('text'), text: z.string() }),
      z.object({ type: z.enum(['image', 'audio']), data: z.base64(), mimeType: z.string() }),
      z.object({ type: z.literal('resource'), resource: z.object({ uri: z.string() }).loose() }),
    ]),
  ),
  isError: z.boolean().optional(),
});

const echoInput = fc.record(
  {
    text: fc.string({ unit: 'binary', maxLength: 200 }),
    data: fc.jsonValue({ maxDepth: 3 }),
    times: fc.integer({ min: 1, max: 5 }),
    tags: fc.array(fc.string(), { maxLength: 4 }),
    loud: fc.boolean(),
  },
  { requiredKeys: [] },
);
const validCall: fc.Arbitrary<{ name: string; input: object }> = fc.oneof(
  { weight: 4, arbitrary: echoInput.map((input) => ({ name: 'echo', input })) },
  fc.integer({ min: 1, max: 20 }).map((steps) => ({ name: 'count', input: { steps } })),
  fc.constantFrom({ name: 'fail', input: {} }, { name: 'status', input: {} }),
);
const invalidCall: fc.Arbitrary<{ name: string; input: object }> = fc
  .oneof(
    fc.record({
      times: fc.oneof(fc.integer({ max: 0 }), fc.string(), fc.double({ min: 1.1, max: 1.9 })),
    }),
    fc.record({ tags: fc.oneof(fc.string(), fc.array(fc.integer(), { minLength: 1 })) }),
    fc.record({ loud: fc.oneof(fc.string(), fc.integer()) }),
    fc.dictionary(fc.stringMatching(/^x[a-z]{1,8}$/), fc.jsonValue(), { minKeys: 1, maxKeys: 3 }),
  )
  .map((input) => ({ name: 'echo', input }));

describe.each(versions)('in-process tools in VS Code %s', (version) => {
  const place = temporaryFolder();
  let host: Host;
  let window: Window;
  let client: Client;

  const inProcess = ({ name, input }: { name: string; input: unknown }) =>
    invoke(window, `baton_${name}`, input);
  const overHttp = ({ name, input }: { name: string; input: object }) =>
    client.callTool({ name, arguments: input as Record<string, unknown> });
  const textOf = ({ content }: CallToolResult) =>
    content.map((part) => ('text' in part ? part.text : '')).join('\n');
  const children = () => processesOf(host).filter(({ command }) => command.includes('baton.mjs'));

  beforeAll(async () => {
    host = await startHost(version, {
      extensions: [withFixtures],
      settings: { 'baton.tools.inProcess': 'all', 'baton.http.enabled': true },
    });
    window = await host.openWindow(place.path);
    await window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await window.page.locator('.statusbar-item', { hasText: /MCP: localhost:\d+/ }).waitFor();
    client = new Client({ name: 'external', version: '0' });
    await client.connect(await externalTransport(window));
  });
  afterAll(async () => {
    await client?.close();
    await host?.stop();
    place[Symbol.dispose]();
  });

  test(`${cites('VSCODE-IN-PROCESS')} are called by VS Code and validated by us`, async () => {
    expect(await inProcess({ name: 'echo', input: { text: 'hi', tags: ['a'] } })).toBe(
      'text: hi\ntags: a',
    );
    expect(await inProcess({ name: 'status', input: {} })).toContain(`path: ${place.path}`);
    expect(await inProcess({ name: 'echo', input: { txt: 'hi' } })).toContain('Unknown key "txt"');
    expect(await inProcess({ name: 'echo', input: [] })).toMatch(/object|arguments/);
  });

  test(`${cites('002-P1')} the same result in-process and over HTTP, for any valid input`, async () => {
    await fc.assert(
      fc.asyncProperty(validCall, async (call) => {
        const [here, there] = await Promise.all([inProcess(call), overHttp(call)]);
        expect(here).toBe(textOf(there));
      }),
      RUNS,
    );
  });

  test(`${cites('002-P2')} every result is one of MCP`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(validCall, invalidCall), async (call) => {
        toolResult.parse(await overHttp(call));
      }),
      RUNS,
    );
    const picture = await overHttp({ name: 'picture', input: { caption: 'c' } });
    expect(toolResult.parse(picture).content.map(({ type }) => type)).toContain('image');
    const parts = await window.evaluate(async (vscode) => {
      const options = { input: { caption: 'c' }, toolInvocationToken: undefined };
      const { content } = await vscode.lm.invokeTool('baton_picture', options);
      return content.map((part) => part instanceof vscode.LanguageModelTextPart);
    });
    expect(parts).toEqual([true, false, false, true]);
  });

  test(`${cites('002-P3')} calls made at once, to different tools, do not get in each other's way`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(validCall, { minLength: 2, maxLength: 30 }), async (calls) => {
        const together = await Promise.all(calls.map(overHttp));
        for (const [index, call] of calls.entries()) {
          expect(textOf(together[index] as CallToolResult)).toBe(textOf(await overHttp(call)));
        }
      }),
      { numRuns: 15 },
    );
  });

  test(`${cites('002-P9')} any invalid input gets a structured error that names what is wrong`, async () => {
    await fc.assert(
      fc.asyncProperty(invalidCall, async (call) => {
        const refused = await overHttp(call);
        expect(refused.isError).toBe(true);
        const { code, message, next } = report.parse(refused.structuredContent);
        expect(code).toBe('invalid_input');
        const [key = ''] = Object.keys(call.input);
        expect(message).toContain(key);
        expect(await inProcess(call)).toBe(`${message}\nNext: ${next}`);
      }),
      RUNS,
    );
  });

  test(`${cites('002-P12')} a tool that breaks gives an error, keeps its secrets, and the next call works`, async () => {
    for (const name of ['crash', 'liar']) {
      const broken = await overHttp({ name, input: {} });
      expect(report.parse(broken.structuredContent).code).toBe('internal_error');
      const shown = await inProcess({ name, input: {} });
      expect(shown).toContain('failed inside Baton');
      expect(shown).not.toContain('alice');
      expect(await inProcess({ name: 'echo', input: { text: 'on' } })).toContain('on');
    }
  });

  test(`${cites('002-P13', 'VSCODE-DEFINITION')} one that cannot be registered is logged, stays with the server, and stops no other`, async () => {
    await expect
      .poll(() => outputChannel(host))
      .toContain(`${UNREGISTRABLE} was not registered: Error: This one is refused.`);
    const [definition] = await definitions(window);
    const left = definition?.env?.['BATON_WITHOUT_TOOLS']?.split(',') ?? [];
    expect(left).toContain('echo');
    expect(left).toContain('status');
    expect(left).not.toContain('answer');
  });

  test(`${cites('002-P15')} HTTP exposes every tool with its complete definition`, async () => {
    const manifest = JSON.parse(readFileSync(path.join(withFixtures, 'package.json'), 'utf8'));
    const declared = manifest.contributes.languageModelTools.map(
      ({ name, modelDescription, inputSchema }: Record<string, unknown>) => ({
        name: String(name).replace(/^baton_/, ''),
        description: modelDescription,
        inputSchema,
      }),
    );
    const { tools } = await client.listTools();
    const listed = tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema,
    }));
    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect(listed.sort(byName)).toEqual(declared.sort(byName));
  });

  test(`${cites('VSCODE-IN-PROCESS')} a cancelled call ends, in the tool as well`, async () => {
    const outcome = await window.evaluate(async (vscode) => {
      const source = new vscode.CancellationTokenSource();
      setTimeout(() => source.cancel(), 300);
      const options = { input: { steps: 1, hold: true }, toolInvocationToken: undefined };
      const call = vscode.lm.invokeTool('baton_count', options, source.token);
      return Promise.resolve(call).then(() => 'done', String);
    });
    expect(outcome).toContain('Cancel');
    expect(await inProcess({ name: 'echo', input: { text: 'on' } })).toContain('on');
  });

  test(`${cites('VSCODE-IN-PROCESS', 'T56')} what writes asks first, and shows what it is about`, async () => {
    const text = `\`rm\` it\u202e${' '.repeat(1500)}; reboot`;
    const call = { name: 'note_add', input: { id: 'a', text } };
    const dialog = window.page.locator('.monaco-dialog-box');
    const refused = inProcess(call);
    await dialog.waitFor();
    await window.screenshot('confirmation');
    expect(await dialog.textContent()).toContain('Baton: Add a note?');
    expect(await dialog.textContent()).toContain('`rm` it\\u202e⟨1,500 blanks⟩; reboot');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await refused).toMatch(/^thrown: .*Cancel/);
    const allowed = inProcess(call);
    await dialog.getByRole('button', { name: 'Yes' }).click();
    expect(await allowed).not.toContain('thrown');
  });

  test(`${cites('VSCODE-SETTINGS', 'VSCODE-DEFINITION')} each setting has its kind of definition, and no tool twice`, async () => {
    const kinds = async () => (await definitions(window)).map(({ kind }) => kind);
    expect(await kinds()).toEqual(['stdio']);
    await configure(window, { 'baton.tools.inProcess': 'editor' });
    await until('all tools are with the server', async () => {
      const [definition] = await definitions(window);
      const left = definition?.env?.['BATON_WITHOUT_TOOLS']?.split(',') ?? [];
      return left.includes('rename_file') && !left.includes('echo');
    });
    await configure(window, { 'baton.mcp.transport': 'http' });
    const http = await until('the server is there', async () => (await definitions(window))[0]);
    expect(http).toMatchObject({
      kind: 'http',
      label: 'Baton',
      uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      headers: { Authorization: expect.stringMatching(/^Bearer [\w-]{43}$/) },
    });
    await configure(window, { 'baton.mcp.autoRegister': false });
    await until('none is there', async () => (await definitions(window)).length === 0);
    await configure(window, {
      'baton.mcp.autoRegister': undefined,
      'baton.mcp.transport': undefined,
      'baton.tools.inProcess': 'all',
    });
    await until('all tools are in-process', async () => {
      const [definition] = await definitions(window);
      return definition?.env?.['BATON_WITHOUT_TOOLS']?.split(',').includes('echo');
    });
  });

  test(`${cites('002-P14')} whatever goes wrong, in any order, the extension goes on`, async () => {
    const troubles: Record<string, () => Promise<unknown>> = {
      invalid: () => inProcess({ name: 'echo', input: { times: -1 } }),
      runtime: () => inProcess({ name: 'crash', input: {} }),
      expected: () => inProcess({ name: 'fail', input: {} }),
      noInput: () => inProcess({ name: 'echo', input: null }),
      badPort: () => configure(window, { 'baton.http.port': 99_999 }),
      goodPort: () => configure(window, { 'baton.http.port': undefined }),
      badSetting: () => configure(window, { 'baton.mcp.transport': 'pigeon' }),
      goodSetting: () => configure(window, { 'baton.mcp.transport': undefined }),
      killed: async () => {
        for (const { pid } of children().filter(({ command }) => command.endsWith('stdio'))) {
          process.kill(pid, 'SIGKILL');
        }
      },
      registration: async () => {
        await configure(window, { 'baton.tools.inProcess': 'editor' });
        await configure(window, { 'baton.tools.inProcess': 'all' });
      },
    };
    const order = fc.array(fc.constantFrom(...Object.keys(troubles)), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(order, async (names) => {
        for (const name of names) await troubles[name]?.();
        await until('a call works', async () =>
          (await inProcess({ name: 'echo', input: { text: 'on' } })).startsWith('text: on'),
        );
        const status = await window.evaluate((vscode) =>
          vscode.commands.executeCommand('baton.showStatus'),
        );
        expect(status).toMatchObject({ window: { transport: 'stdio', state: 'registered' } });
      }),
      { numRuns: 12 },
    );
    await configure(window, { 'baton.http.port': undefined, 'baton.mcp.transport': undefined });
    await window.page.locator('.statusbar-item', { hasText: /MCP: localhost:\d+/ }).waitFor();
  });
});

/** With the address and token that a person would copy. */
async function externalTransport(window: Window): Promise<StreamableHTTPClientTransport> {
  const picked = window.evaluate((vscode) =>
    vscode.commands.executeCommand('baton.copyConfiguration'),
  );
  const options = window.page.locator('.quick-input-list');
  await options.getByRole('option', { name: 'VS Code, VSCodium' }).click();
  await picked;
  const text = await window.evaluate((vscode) => vscode.env.clipboard.readText());
  const { url, headers } = JSON.parse(text).servers.baton;
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}
