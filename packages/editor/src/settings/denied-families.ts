import type { DenyRule } from './deny-rule.ts';

/** Settings that weaken safety by what they belong to. */
export const DENIED_FAMILIES: readonly DenyRule[] = [
  {
    name: 'own-settings',
    why: 'it decides what Baton itself may do',
    families: ['baton'],
  },
  {
    name: 'mcp-servers',
    why: 'it decides which MCP servers are started and what they are told',
    families: ['mcp', 'chat.mcp'],
    words: ['mcp'],
  },
  {
    name: 'chat-approval',
    why: 'it decides what the agents of VS Code do, know or may do without asking',
    families: ['chat', 'inlineChat', 'github.copilot', 'copilot'],
  },
  {
    name: 'other-agents',
    why: 'it decides what another agent does or may do without asking',
    families: [
      ...['aider', 'amazonQ', 'augment', 'chatgpt', 'claude', 'claude-code', 'claudeCode', 'cline'],
      ...['codeium', 'codex', 'cody', 'continue', 'cursor', 'gemini', 'geminicodeassist', 'goose'],
      ...['kilo-code', 'kiro', 'kiroAgent', 'openai', 'opencode', 'roo-cline', 'supermaven'],
      ...['tabnine', 'windsurf', 'zencoder'],
    ],
  },
  {
    name: 'workspace-trust',
    why: 'it decides what is trusted',
    families: ['security'],
    parts: ['trust'],
  },
  {
    name: 'terminal',
    why: 'it decides which programs terminals start, with what environment, and what reaches them',
    families: ['terminal'],
  },
  {
    name: 'remote-machines',
    why: 'it decides how other machines and containers are reached and used',
    families: ['remote', 'dev.containers', 'docker', 'containers', 'vs-kubernetes'],
    words: ['ssh', 'wsl', 'tunnel', 'tunnels', 'devcontainer', 'devcontainers'],
  },
  {
    name: 'extensions',
    why: 'it decides which extensions are installed, updated and run',
    families: ['extensions'],
  },
  {
    name: 'updates',
    why: 'it decides whether VS Code is kept up to date',
    families: ['update'],
  },
  {
    name: 'telemetry',
    why: 'it decides what is reported about a person',
    families: ['telemetry', 'workbench.enableExperiments'],
    words: ['telemetry'],
  },
  {
    name: 'settings-sync',
    why: 'it carries settings and changes to other machines and profiles',
    families: ['settingsSync', 'sync', 'workbench.cloudChanges', 'workbench.settings'],
  },
  {
    name: 'git-safety',
    why: 'it decides what git runs, fetches, pushes, signs or asks',
    families: ['git', 'github'],
  },
  {
    name: 'protected-files',
    why: 'it protects files from being changed',
    families: ['files.readonlyInclude', 'files.readonlyExclude', 'files.readonlyFromPermissions'],
  },
  {
    name: 'hidden-text',
    why: 'it makes text visible that is written to deceive',
    families: [
      ...['editor.renderControlCharacters', 'editor.unicodeHighlight'],
      'editor.unusualLineTerminators',
    ],
  },
  {
    name: 'other-editors',
    why: 'it hands files over to the code of an extension when they are opened',
    families: ['workbench.editorAssociations', 'workbench.editor.defaultBinaryEditor'],
  },
];
