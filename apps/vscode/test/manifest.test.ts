import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../../..');
const { contributes } = manifest;
const settings = Object.keys(contributes.configuration.properties);

test('what users and other extensions rely on changes on purpose only', async () => {
  const { commands, mcpServerDefinitionProviders, languageModelTools } = contributes;
  const pinned = {
    engines: manifest.engines,
    extensionKind: manifest.extensionKind,
    commands: commands.map(({ command, title }) => `${command}: ${title}`),
    settings: Object.entries(contributes.configuration.properties).map(
      ([name, { type, scope, default: value }]) =>
        `${name} (${scope}): ${JSON.stringify(type)} = ${JSON.stringify(value)}`,
    ),
    servers: mcpServerDefinitionProviders.map(({ id }) => id),
    tools: languageModelTools.map(({ name, when }) => `${name} when ${when}`),
  };
  await expect(`${JSON.stringify(pinned, null, 2)}\n`).toMatchFileSnapshot(
    './golden/manifest.json',
  );
});

test(`${cites('T52')} no folder sets anything, trusted or not: all settings are the user's alone`, () => {
  const { properties } = contributes.configuration;
  // VS Code reads such settings from the user's settings only, never from .vscode/settings.json.
  expect(Object.values(properties).map(({ scope }) => scope)).toEqual(
    settings.map(() => 'application'),
  );
});

test('the guide and the README name every setting, and the guide every command', () => {
  const guide = readFileSync(path.join(root, 'docs/vscode.md'), 'utf8');
  const readme = readFileSync(path.join(root, 'apps/vscode/README.md'), 'utf8');
  for (const setting of settings) {
    expect(guide).toContain(setting);
    expect(readme).toContain(setting);
  }
  // The menu is behind the status bar.
  const commands = contributes.commands.filter(({ command }) => command !== 'baton.httpMenu');
  for (const { title } of commands) expect(guide).toContain(title);
});

test('the guide maps every setting of the extensions before Baton', () => {
  const guide = readFileSync(path.join(root, 'docs/vscode.md'), 'utf8');
  for (const old of [
    'copilotOrchestrator.mcp.transport',
    'copilotOrchestrator.http.enabled',
    'copilotOrchestrator.http.port',
    'mybusinessMCP.autoRegister',
    'mybusinessMCP.registerServerId',
    'mybusinessMCP.port',
    'vscode-mcp-proxy.enableHttpServer',
    'vscode-mcp-proxy.httpPort',
  ]) {
    expect(guide).toContain(`\`${old}\``);
  }
});
