import { homedir } from 'node:os';
import { join } from 'node:path';

const path = join(homedir(), '.local', 'state', 'baton', 'baton.db');

/** What Baton's own `status` answers, so that every server builds and writes as much per call. */
export function status() {
  const data = {
    version: '0.1.0',
    workspace: { path: process.cwd(), foundBy: 'git' },
    features: ['plans', 'system'],
    toolsets: ['plans'],
    readOnly: false,
    store: { path, isReady: true, engine: 'SQLite 3.53.0' },
    worker: 'none, one is started when there is work',
    warnings: [],
  };
  const text = [
    `version: ${data.version}`,
    `workspace:\n  path: ${data.workspace.path}\n  foundBy: ${data.workspace.foundBy}`,
    `features: ${list(data.features)}`,
    `toolsets: ${list(data.toolsets)}`,
    `readOnly: ${data.readOnly}`,
    `store:\n  path: ${data.store.path}\n  isReady: ${data.store.isReady}\n  engine: ${data.store.engine}`,
    `worker: ${data.worker}`,
    `warnings: ${list(data.warnings)}`,
  ].join('\n');
  return { content: [{ type: 'text', text }], structuredContent: data };
}

function list(items) {
  return items.length > 0 ? items.join(', ') : 'none';
}

export const title = 'Status';
export const description =
  "Baton's version, the workspace it serves, what is available, and any warnings.";
export const annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
