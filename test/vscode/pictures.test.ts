import { copyFileSync, cpSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer } from './chat-tools.ts';
import { type Host, startHost } from './host.ts';
import { newest } from './install.ts';
import { packaged } from './under-test.ts';
import type { Window } from './window.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The pictures of the extension's README and walkthrough. BATON_UPDATE_PICTURES=1 replaces them. */
describe('what VS Code shows of Baton', () => {
  let host: Host;
  let window: Window;

  const command = (id: string) =>
    window.evaluate((vscode, wanted) => void vscode.commands.executeCommand(wanted), id);
  const take = async (name: string) => {
    const file = await window.screenshot(`picture-${name}`);
    if (process.env['BATON_UPDATE_PICTURES'] !== '1') return;
    copyFileSync(file, path.join(root, 'apps/vscode/media', `${name}.png`));
  };
  const calm = async () => {
    await command('workbench.action.closeAuxiliaryBar');
    await window.page.keyboard.press('Escape');
    await window.evaluate((vscode) => vscode.commands.executeCommand('notifications.clearAll'));
    await window.page.locator('.notification-toast').waitFor({ state: 'detached' });
  };

  beforeAll(async () => {
    host = await startHost(newest, { extensions: [packaged] });
    const acme = path.join(host.home, 'acme');
    cpSync(path.join(root, 'examples/acme'), acme, { recursive: true });
    window = await host.openWindow(acme);
    await window.page.setViewportSize({ width: 1100, height: 700 });
    await startServer(window);
    await window.page.locator('.notification-toast').first().waitFor();
    await calm();
  });
  afterAll(() => host?.stop());

  test(`${cites('VSCODE-STDIO')} its tools, each once, among those of an agent`, async () => {
    await command('workbench.action.chat.configureTools');
    const rows = window.page.locator('.quick-input-widget .monaco-list-row');
    const baton = rows.filter({ hasText: /^Baton$/ });
    await baton.first().waitFor();
    // The server, and the tools that need the editor; nothing is shown a second time.
    expect(await baton.count()).toBe(2);
    await baton.last().locator('.monaco-tl-twistie').click();
    await baton.first().locator('.monaco-tl-twistie').click();
    // Some of the first: others may be beyond the end of the list that is drawn.
    const some = rows.filter({
      hasText: /Starts, pauses, resumes|Lists the categories of records/,
    });
    await some.first().waitFor();
    const texts = await some.allTextContents();
    expect(new Set(texts).size).toBe(texts.length);
    await take('tools');
    await calm();
  });

  test(`${cites('VSCODE-HTTP')} the HTTP server and its menu`, async () => {
    await window.evaluate((vscode) => vscode.commands.executeCommand('baton.startHttp'));
    await window.page.locator('.statusbar-item', { hasText: /MCP: / }).getByRole('button').click();
    await window.page.locator('.quick-input-list').getByText('Copy URL').waitFor();
    await take('http');
    expect(await window.page.locator('.quick-input-list .monaco-list-row').count()).toBe(4);
    await calm();
    await window.evaluate((vscode) => vscode.commands.executeCommand('baton.stopHttp'));
  });

  test(`${cites('VSCODE-COMMANDS')} the doctor's report`, async () => {
    await command('baton.runDoctor');
    const report = window.page.locator('.part.editor .view-lines');
    await report.getByText('status answers').waitFor();
    expect(await report.textContent()).toContain('integrity');
    await take('doctor');
    // A page that nobody has to save.
    await command('workbench.action.closeActiveEditor');
    await report.waitFor({ state: 'detached' });
  });

  test(`${cites('VSCODE-PACKAGE')} the walkthrough, with its pictures`, async () => {
    for (const part of ['Sidebar', 'Panel']) await command(`workbench.action.close${part}`);
    await window.evaluate(
      (vscode) =>
        void vscode.commands.executeCommand(
          'workbench.action.openWalkthrough',
          'baton.baton#start',
        ),
    );
    const page = window.page.locator('.gettingStartedContainer');
    await page.getByText('Get started with Baton').first().waitFor();
    await page.getByText("Your agents have Baton's tools").first().waitFor();
    await window.screenshot('walkthrough');
    const picture = page.locator('.getting-started-media img').first();
    await picture.waitFor();
    const width = await picture.evaluate(
      (image) => (image as { naturalWidth?: number }).naturalWidth,
    );
    expect(width).toBeGreaterThan(500);
  });
});
