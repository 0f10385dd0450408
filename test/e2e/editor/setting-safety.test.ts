import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import { contentsOf } from './contents.ts';
import { editorServer } from './editor-server.ts';

const TEXT = `{
  // mine
  "editor.tabSize": 4,
  "[markdown]": { "editor.unicodeHighlight.ambiguousCharacters": true, "editor.rulers": [80] },
  "chat": { "tools": { "global": { "autoApprove": false } } },
}
`;

/** What an agent might send, and the rule that each is refused by. */
const REFUSED: readonly (readonly [key: string, value: unknown, rule: string])[] = [
  ['chat.tools.autoApprove', true, 'chat-approval'],
  ['chat.tools.global.autoApprove', true, 'chat-approval'],
  ['chat.tools.terminal.autoApprove', { '/.*/': true }, 'chat-approval'],
  ['chat.permissions.default', 'autopilot', 'chat-approval'],
  ['chat.hookFilesLocations', { 'evil/hooks': true }, 'chat-approval'],
  ['github.copilot.chat.codeGeneration.instructions', [{ text: 'obey' }], 'chat-approval'],
  ['inlineChat.enableV2', true, 'chat-approval'],
  ['mcp.servers', { evil: { command: 'sh' } }, 'mcp-servers'],
  ['chat.mcp.autostart', 'newAndOutdated', 'mcp-servers'],
  ['security.workspace.trust.enabled', false, 'workspace-trust'],
  ['terminal.integrated.profiles.linux', { evil: { path: '/tmp/evil' } }, 'terminal'],
  ['terminal.integrated.env.linux', { LD_PRELOAD: '/tmp/evil.so' }, 'terminal'],
  ['git.path', '/tmp/evil', 'git-safety'],
  ['python.defaultInterpreterPath', '/tmp/evil', 'runs-programs'],
  ['some.extension.executablePath', '/tmp/evil', 'runs-programs'],
  ['task.allowAutomaticTasks', 'on', 'runs-programs'],
  ['http.proxy', 'http://evil', 'network'],
  ['baton.trust', 'all', 'own-settings'],
  ['claudeCode.allowDangerouslySkipPermissions', true, 'other-agents'],
  ['editor.formatOnSave', true, 'runs-formatters'],
  ['files.readonlyInclude', {}, 'protected-files'],
  // Spelled otherwise.
  ['CHAT.TOOLS.AUTOAPPROVE', true, 'chat-approval'],
  ['Security.Workspace.Trust.Enabled', false, 'workspace-trust'],
  ['chat.tools.autoApprove ', true, 'invalid-key'],
  ['chat.tools\u200b.autoApprove', true, 'invalid-key'],
  ['chat..tools.autoApprove', true, 'invalid-key'],
  // As objects, whose names VS Code takes for the rest of a key.
  ['chat', { tools: { autoApprove: true } }, 'chat-approval'],
  ['chat.tools', { 'global.autoApprove': true }, 'chat-approval'],
  ['terminal', { integrated: { shell: { linux: '/tmp/evil' } } }, 'terminal'],
  ['editor', { unicodeHighlight: { ambiguousCharacters: false } }, 'not-known'],
  ['editor.minimap', { enabled: true }, 'invalid-value'],
  // For a language.
  ['[python]', { 'python.defaultInterpreterPath': '/tmp/evil' }, 'runs-programs'],
  ['[python]', { 'editor.tabSize': 2, 'editor.defaultFormatter': 'evil' }, 'runs-formatters'],
  ['[python][go]', { 'chat.tools.autoApprove': true }, 'chat-approval'],
  ['[python]', { '[go]': { 'chat.tools.autoApprove': true } }, 'invalid-key'],
  ['[python]', { chat: { tools: { autoApprove: true } } }, 'chat-approval'],
  ['[markdown]', { 'editor.rulers': [100] }, 'hidden-text'],
  ['[markdown]', undefined, 'hidden-text'],
  // Away with what keeps a person safe.
  ['chat', undefined, 'chat-approval'],
  ['editor.unicodeHighlight.invisibleCharacters', undefined, 'hidden-text'],
  // By a value.
  ['window.title', '${command:evil.run}', 'refers-to-command'],
  ['files.exclude', JSON.parse('{ "__proto__": { "x": true } }'), 'prototype'],
];

test(`${cites('T7')} what would weaken safety is refused by the name of its rule, in both scopes; both files stay as they are`, async () => {
  await using workspace = fileWorkspace({ '.vscode/settings.json': TEXT });
  const user = path.join(workspace.home, '.config', 'Code', 'User', 'settings.json');
  workspace.write(user, TEXT);
  const server = editorServer(workspace);
  const before = contentsOf(workspace.path);
  for (const [key, value, rule] of REFUSED)
    for (const scope of ['workspace', 'user']) {
      const { code, message } = await server.refusal('setting_set', { key, value, scope });
      const what = `${key} in ${scope}: ${message}`;
      expect([code, message.includes(`(rule ${rule})`)], what).toEqual(['setting_refused', true]);
    }
  for (const file of [workspace.file('.vscode/settings.json'), user])
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
  expect(contentsOf(workspace.path)).toEqual(before);
  // What is harmless is written in the same way, and keeps what stands beside it.
  const kept = { 'editor.unicodeHighlight.ambiguousCharacters': true, 'editor.rulers': [100] };
  for (const scope of ['workspace', 'user'])
    await server.call('setting_set', { key: '[markdown]', value: kept, scope });
  for (const file of [workspace.file('.vscode/settings.json'), user]) {
    expect(readFileSync(file, 'utf8')).toContain('// mine');
    expect(readFileSync(file, 'utf8')).toMatch(/"editor\.rulers": \[\s*100\s*\]/);
  }
});
