import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const root = path.resolve(import.meta.dirname, '../../..');
const { contributes, capabilities } = manifest;
const settings = Object.keys(contributes.configuration.properties);

test('what users and other extensions rely on changes on purpose only', async () => {
  const { commands, mcpServerDefinitionProviders, languageModelTools } = contributes;
  const pinned = {
    engines: manifest.engines,
    extensionKind: manifest.extensionKind,
    commands: commands.map(({ command, title }) => `${command}: ${title}`),
    settings: Object.entries(contributes.configuration.properties).map(
      ([name, { type, default: value }]) =>
        `${name}: ${JSON.stringify(type)} = ${JSON.stringify(value)}`,
    ),
    servers: mcpServerDefinitionProviders.map(({ id }) => id),
    tools: languageModelTools.map(({ name, when }) => `${name} when ${when}`),
  };
  await expect(`${JSON.stringify(pinned, null, 2)}\n`).toMatchFileSnapshot(
    './golden/manifest.json',
  );
});

test('a folder that is not trusted can set nothing', () => {
  expect(capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(settings);
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
