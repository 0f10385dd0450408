import path from 'node:path';
import type { Host } from './host.ts';

const FILE = path.join('baton.baton', 'Baton.log');

/** What the extension has logged; VS Code writes it a moment later, so wait for what must come. */
export function outputChannel(host: Pick<Host, 'logs'>): string {
  return [...host.logs()].find(([file]) => file.endsWith(FILE))?.[1] ?? '';
}
