import type { Page } from 'playwright-core';

/** 1.105 asks at once; 1.139 opens in restricted mode and says so in a banner. */
export async function trust(page: Page): Promise<void> {
  const dialog = page.locator('.monaco-dialog-box');
  const banner = page.locator('.part.banner').getByRole('button', { name: 'Manage' });
  await dialog.or(banner).first().waitFor();
  if (await dialog.isVisible()) {
    await dialog.getByRole('button', { name: 'Yes, I trust' }).click();
  } else {
    await banner.click();
    const editor = page.locator('.workspace-trust-editor');
    await editor.getByRole('button', { name: 'Trust', exact: true }).click();
  }
}
