import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { protectedPlace, requireUnprotected } from '../src/index.ts';

const BY_RULE: Readonly<Record<string, readonly string[]>> = {
  'git-internals': [
    ...['.git', '.git/config', '.git/hooks/pre-commit', 'deep/nested/.git/hooks/post-checkout'],
    ...['.gitmodules', 'lib/.gitattributes', '.hg/hgrc'],
  ],
  'git-hooks': ['.husky/pre-push', '.githooks/x', 'lefthook.yml', '.pre-commit-config.yaml'],
  'editor-settings': [
    ...['.vscode', '.vscode/settings.json', '.vscode/tasks.json', 'pkg/.vscode/launch.json'],
    ...['team.code-workspace', '.idea/workspace.xml', '.devcontainer/devcontainer.json'],
    ...['.config/nvim/init.lua', '.config/zed/settings.json'],
    ...['.config/Code/User/settings.json', 'Library/Application Support/Code - Insiders/User/x'],
  ],
  'agent-settings': [
    ...['.mcp.json', 'sub/.mcp.json', '.claude/settings.local.json', '.claude/commands/x.md'],
    ...['.codex/config.toml', '.cursor/mcp.json', '.gemini/settings.json', 'opencode.json'],
    ...['.agent/rules/x.md', '.roomodes', '.config/goose/config.yaml'],
    ...['.github/copilot-instructions.md', '.github/prompts/a.prompt.md', '.github/hooks/a.json'],
  ],
  'agent-instructions': [
    'AGENTS.md',
    'packages/a/AGENTS.md',
    'CLAUDE.md',
    '.cursorrules',
    '.rules',
  ],
  'baton-settings': ['.baton/config.yaml', '.baton/prompts/x.md', '.config/baton/config.yaml'],
  'startup-files': [
    ...['.envrc', '.npmrc', '.bashrc', '.ssh/authorized_keys', '.yarnrc.yml', 'bunfig.toml'],
    ...['.cargo/config.toml', '.yarn/releases/yarn-4.cjs', 'sitecustomize.py', '.pnp.cjs'],
    'Library/LaunchAgents/x.plist',
  ],
};

/** The same place to a file system that is less particular about names. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['.VSCode/Settings.JSON', 'upper case'],
  ['.vscode./settings.json', 'a point that Windows drops'],
  ['.vscode /settings.json', 'a blank that Windows drops'],
  ['.vscode::$INDEX_ALLOCATION/settings.json', 'a stream of a folder'],
  ['.mcp.json::$DATA', 'a stream of a file'],
  ['.mcp.json.. .', 'points and blanks'],
  ['.vs\u200ccode/tasks.json', 'a character that macOS drops'],
  ['.g\ufeffit/hooks/x', 'a mark that macOS drops'],
  ['.v\u017fcode/tasks.json', 'a long s, which case folding makes an s'],
  ['.hus\u212ay/pre-commit', 'the sign of Kelvin'],
  ['\uff0egit/hooks/x', 'a wide point'],
  ['a\\.vscode\\tasks.json', 'backslashes'],
  ['GIT~1/hooks/x', 'a short name'],
  ['VSCODE~1/tasks.json', 'a short name of six letters'],
  ['VS3A4F~1/tasks.json', 'a hashed short name'],
  ['MCP~1.JSO', 'a short name with an ending'],
  ['GITHUB~1/COPILO~1.MD', 'short names of both'],
  ['CLAUDE~12/x', 'a later short name'],
];

const ORDINARY = [
  ...['src/index.ts', 'package.json', '.github/workflows/ci.yml', '.gitignore', '.env', 'git/x'],
  ...['vscode/settings.json', 'settings.json', 'tasks.json', 'mcp.json', 'docs/hooks.md', 'baton'],
  ...['.claudette/x', 'claude/x', 'x.git', 'notes~1.txt', 'GITTER~1', 'copilot.md', 'a.mcp.json'],
  ...['.github/ISSUE_TEMPLATE.md', 'huskies/.gitkeep', 'README.md', 'agents/x.md', ''],
];

const places = Object.entries(BY_RULE).flatMap(([rule, all]) => all.map((one) => [one, rule]));

test.each(places)(`${cites('T53')} %s is protected by %s`, (place, rule) => {
  expect(protectedPlace(place)?.rule).toBe(rule);
  expect(() => requireUnprotected(place)).toThrow(`(rule ${rule}). Nothing was changed.`);
});

test.each(SPELLINGS)(`${cites('T53')} %j is protected, too: %s`, (place) => {
  expect(protectedPlace(place)).toBeDefined();
});

test.each(ORDINARY)('%j is not protected', (place) => {
  expect(protectedPlace(place)).toBeUndefined();
  requireUnprotected(place);
});

test('a long name of points takes no time', () => {
  const started = performance.now();
  protectedPlace(`${'. '.repeat(2000)}x`);
  expect(performance.now() - started).toBeLessThan(1000);
});
