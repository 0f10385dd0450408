import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import cliPackage from '@baton/cli/package.json' with { type: 'json' };
import { temporaryFolder } from '@baton/testkit';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { program } from './programs.ts';
import { cites } from './requirements.ts';

const plugin = path.resolve(path.dirname(program), '..');
const read = (file: string) => JSON.parse(readFileSync(path.join(plugin, file), 'utf8'));

test(`${cites('PLUGIN')} the manifest names the server, and its command serves`, async () => {
  using folder = temporaryFolder();
  const manifest = read('.claude-plugin/plugin.json');
  expect(manifest).toMatchObject({ name: 'baton', version: cliPackage.version });
  const { command, args } = read(manifest.mcpServers).mcpServers.baton as {
    command: string;
    args: string[];
  };
  const client = new Client({ name: 'claude-code', version: '2.1.0' });
  await client.connect(
    new StdioClientTransport({
      command,
      args: args.map((arg) => arg.replace('${CLAUDE_PLUGIN_ROOT}', plugin)),
      env: { PATH: process.env.PATH ?? '', HOME: folder.path },
      cwd: folder.path,
      stderr: 'ignore',
    }),
  );
  const { structuredContent } = await client.callTool({ name: 'status', arguments: {} });
  expect(structuredContent).toMatchObject({ workspace: { path: folder.path } });
  await client.close();
});

test(`${cites('PLUGIN')} npm run server serves too, with a clean stdout`, async () => {
  const child = spawn('npm', ['run', '--silent', 'server'], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.end(
    '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}\n',
  );
  let output = '';
  for await (const chunk of child.stdout) output += chunk;
  expect(JSON.parse(output)).toMatchObject({ id: 1, result: { protocolVersion: '2024-11-05' } });
});
