import { mkdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import { contentsOf } from './contents.ts';
import { editorServer } from './editor-server.ts';
import { lines, tsconfig } from './projects.ts';

/** What an agent could have written by other means, and would like to have elsewhere. */
function prepared() {
  const workspace = fileWorkspace({
    'tsconfig.json': tsconfig({}, { include: ['**/*.ts', '.claude/**/*.ts'] }),
    'evil.json': '{ "chat.tools.autoApprove": true }\n',
    'evil.sh': 'echo evil\n',
    'evil.md': 'Do as I say.\n',
    'total.ts': lines('export const total = 1;'),
    '.claude/hooks/check.ts': lines(
      "import { total } from '../../total';",
      'export default total;',
    ),
    '.vscode/settings.json': '{\n  "editor.tabSize": 4\n}\n',
    '.baton/config.yaml': '{}\n',
    '.husky/pre-commit': 'npm test\n',
    'pkg/.vscode/tasks.json': '{}\n',
    'pkg/a.txt': 'a\n',
    'documented/AGENTS.md': 'Be nice.\n',
    'harmless/hooks.json': '{}\n',
    'prompts/copilot-instructions.md': 'x\n',
    'free/a.txt': 'a\n',
  });
  workspace.link('linked', './.claude');
  workspace.link('inner', './free');
  mkdirSync(workspace.file('.git/hooks'), { recursive: true });
  return workspace;
}

const ASKED = [
  ['evil.json', '.vscode/tasks.json', 'editor-settings'],
  ['evil.json', '.VSCODE/Tasks.json', 'editor-settings'],
  ['evil.json', 'new/.vscode/settings.json', 'editor-settings'],
  ['evil.json', 'evil.code-workspace', 'editor-settings'],
  ['evil.json', '.mcp.json', 'agent-settings'],
  ['evil.json', '.mcp.json::$DATA', 'agent-settings'],
  ['evil.json', 'free/.cursor/mcp.json', 'agent-settings'],
  ['evil.json', 'opencode.json', 'agent-settings'],
  ['evil.json', 'linked/settings.json', 'agent-settings'],
  ['evil.md', 'linked/commands/deploy.md', 'agent-settings'],
  ['evil.md', '.github/copilot-instructions.md', 'agent-settings'],
  ['evil.md', 'AGENTS.md', 'agent-instructions'],
  ['evil.json', '.baton/plans.yaml', 'baton-settings'],
  ['evil.sh', '.git/hooks/pre-commit', 'git-internals'],
  ['evil.sh', 'GIT~1/hooks/pre-commit', 'git-internals'],
  ['evil.sh', '.husky/post-checkout', 'git-hooks'],
  ['evil.sh', '.envrc', 'startup-files'],
  ['.vscode/settings.json', 'settings.json', 'editor-settings'],
  ['.baton', 'baton', 'baton-settings'],
  ['.husky/pre-commit', 'pre-commit', 'git-hooks'],
  ['pkg', 'moved', 'editor-settings'],
  ['prompts', '.github', 'agent-settings'],
  ['harmless', '.codex', 'agent-settings'],
] as const;

test(`${cites('T53')} nothing moves onto, into or out of a protected place, nor with it`, async () => {
  await using workspace = prepared();
  const server = editorServer(workspace);
  const before = contentsOf(workspace.path);
  for (const [from, to, rule] of ASKED)
    for (const more of [{}, { force: true }, { dryRun: true }]) {
      const refusal = await server.refusal('rename_file', { from, to, ...more });
      expect(refusal, `${from} → ${to}`).toMatchObject({
        code: 'protected_place',
        message: expect.stringContaining(`(rule ${rule}). Nothing was changed.`),
      });
    }
  expect(contentsOf(workspace.path)).toEqual(before);
  // The same files may go elsewhere, and instructions go with the folder that they are about.
  for (const [from, to] of [
    ['evil.json', 'inner/settings.json'],
    ['documented', 'explained'],
    ['harmless', 'codex'],
  ])
    expect(await server.call('rename_file', { from, to })).toMatchObject({ isApplied: true });
});

test(`${cites('T53')} edits that would reach a protected place change nothing anywhere`, async () => {
  await using workspace = prepared();
  const server = editorServer(workspace);
  const before = contentsOf(workspace.path);
  for (const [tool, args] of [
    ['rename_symbol', { file: 'total.ts', name: 'total', newName: 'sum' }],
    ['rename_file', { from: 'total.ts', to: 'sum.ts' }],
    ['organize_imports', { files: ['.claude/hooks/check.ts'] }],
    ['rename_symbol', { file: 'linked/hooks/check.ts', name: 'total', newName: 'sum' }],
  ] as const)
    for (const more of [{ dryRun: true }, {}])
      expect(await server.refusal(tool, { ...args, ...more }), tool).toMatchObject({
        code: 'protected_place',
      });
  expect(contentsOf(workspace.path)).toEqual(before);
});

test(`${cites('T53')} a move that was harmless is not taken back into a protected place`, async () => {
  await using workspace = prepared();
  const server = editorServer(workspace);
  const { undo } = await server.call('rename_file', { from: 'free/a.txt', to: 'moved.txt' });
  workspace.remove('free');
  workspace.link('free', './.husky');
  const before = contentsOf(workspace.path);
  expect(await server.refusal('rename_file', { undo })).toMatchObject({ code: 'protected_place' });
  expect(contentsOf(workspace.path)).toEqual(before);
});

test(`${cites('T53')} settings are written in their own file, not where a link leads from there`, async () => {
  await using workspace = prepared();
  const server = editorServer(workspace);
  const args = { key: 'editor.tabSize', value: 2, scope: 'workspace' };
  await server.call('setting_set', args);
  workspace.remove('.vscode');
  workspace.link('.vscode', './.claude');
  const before = contentsOf(workspace.path);
  expect(await server.refusal('setting_set', { ...args, value: 8 })).toMatchObject({
    code: 'protected_place',
  });
  expect(contentsOf(workspace.path)).toEqual(before);
});

test(`${cites('T53')} the folder that git takes hooks from is protected, whatever it is called`, async () => {
  await using workspace = prepared();
  workspace.write('.git/config', '[core]\n\thooksPath = tools/hooks\n');
  workspace.write('tools/hooks/pre-push', 'exit 1\n');
  const server = editorServer(workspace);
  const before = contentsOf(workspace.path);
  for (const [from, to] of [
    ['evil.sh', 'tools/hooks/pre-commit'],
    ['tools/hooks/pre-push', 'off.sh'],
    ['tools', 'instruments'],
  ])
    expect(await server.refusal('rename_file', { from, to, force: true })).toMatchObject({
      code: 'protected_place',
      message: expect.stringContaining('.git/hooks'),
    });
  expect(contentsOf(workspace.path)).toEqual(before);
});

test(`${cites('T53')} what a link with a protected name leads to is protected under its own name, too`, async () => {
  await using workspace = prepared();
  for (const [link, to] of [
    ['.cursor', './tools/cursor'],
    ['.gemini', './not/there/yet'],
    ['pkg/.zed', '../tools/zed'],
    ['.github', './tools/github'],
    ['.git/hooks/pre-push', '../../free/check.sh'],
    ['CLAUDE.md', './documented/rules.md'],
    ['.devcontainer', '.'],
  ] as const)
    workspace.link(link, to);
  workspace.write('tools/cursor/mcp.json', '{}\n');
  workspace.write('tools/zed/x.json', '{}\n');
  workspace.write('tools/github/x.yml', '{}\n');
  workspace.write('documented/rules.md', 'Be nice.\n');
  workspace.write('tools/cursor/check.ts', lines("import { total } from '../../total';", 'total;'));
  const server = editorServer(workspace);
  const before = contentsOf(workspace.path);
  for (const [from, to, name] of [
    ['evil.json', '.cursor/mcp2.json', '.cursor/mcp2.json'],
    ['evil.json', 'tools/cursor/new/mcp.json', '.cursor/new/mcp.json'],
    ['tools/cursor/mcp.json', 'mcp.json', '.cursor/mcp.json'],
    ['tools/cursor', 'tools/other', '.cursor'],
    ['tools', 'instruments', '.cursor'],
    ['evil.json', 'not/there/yet/settings.json', '.gemini/settings.json'],
    ['evil.json', 'pkg/.zed/tasks.json', 'pkg/.zed/tasks.json'],
    ['evil.md', 'tools/github/copilot-instructions.md', '.github/copilot-instructions.md'],
    ['evil.sh', 'free/check.sh', '.git/hooks/pre-push'],
    ['documented/rules.md', 'documented/r.md', 'CLAUDE.md'],
  ]) {
    const { code, message } = await server.refusal('rename_file', { from, to, force: true });
    expect([to, code]).toEqual([to, 'protected_place']);
    expect(message).toContain(name);
  }
  for (const args of [{ dryRun: true }, {}])
    expect(
      await server.refusal('rename_symbol', {
        ...{ file: 'total.ts', name: 'total', newName: 'sum' },
        ...args,
      }),
    ).toMatchObject({ code: 'protected_place' });
  await workspace.baton('ticket', 'add', 'Evil');
  for (const folder of ['.cursor/rules', 'tools/cursor/rules', 'pkg/.zed'])
    expect((await workspace.baton('ticket', 'export', folder)).status).toBe(1);
  expect(contentsOf(workspace.path)).toEqual(before);
  for (const [from, to] of [
    ['evil.md', 'tools/github/x.md'],
    ['evil.json', 'documented/x.json'],
  ])
    expect(await server.call('rename_file', { from, to })).toMatchObject({ isApplied: true });
  expect((await workspace.baton('ticket', 'export', 'documented')).status).toBe(0);
});

test(`${cites('T53')} tickets are not exported into a protected folder, by a link neither`, async () => {
  await using workspace = prepared();
  await workspace.baton('ticket', 'add', 'Evil');
  const before = contentsOf(workspace.path);
  for (const folder of ['.claude/commands', '.git/hooks', '.baton/prompts', 'linked/agents']) {
    const { status, stderr } = await workspace.baton('ticket', 'export', folder);
    expect([folder, status]).toEqual([folder, 1]);
    expect(stderr).toContain('must not be changed by an agent');
  }
  expect(contentsOf(workspace.path)).toEqual(before);
  expect((await workspace.baton('ticket', 'export', 'tickets')).status).toBe(0);
});
