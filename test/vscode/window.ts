import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import type { Control, ExtensionHost } from './control.ts';
import { cache } from './install.ts';
import { isRunning } from './processes.ts';
import type { Server } from './server.ts';
import { type Patience, until } from './until.ts';

type Vscode = typeof import('vscode');

/** One window of VS Code, as a user has it. */
export interface Window extends AsyncDisposable {
  readonly page: Page;
  /** Of the present one: a reload or a restart brings another. */
  readonly extensionHostPid: number;
  /** Runs a function in the extension host. It sees its arguments, and nothing around it. */
  evaluate<Result, Arg = undefined>(
    run: (vscode: Vscode, arg: Arg) => Result,
    arg?: Arg,
  ): Promise<Awaited<Result>>;
  /** Runs it again and again until it returns something truthy. */
  until<Result, Arg = undefined>(
    run: (vscode: Vscode, arg: Arg) => Result,
    arg?: Arg,
    patience?: Patience,
  ): Promise<NonNullable<Awaited<Result>>>;
  /** Writes a picture into node_modules/.cache/baton/screenshots, or BATON_SCREENSHOTS. */
  screenshot(name: string): Promise<string>;
  reload(): Promise<void>;
  close(): Promise<void>;
}

export interface WindowOptions {
  readonly context: BrowserContext;
  readonly server: Server;
  readonly control: Control;
  readonly address: string;
  readonly version: string;
}

export async function openWindow(options: WindowOptions): Promise<Window> {
  const { context, address, version } = options;
  const page = await context.newPage();
  page.on('dialog', (dialog) => dialog.accept()); // "Leave the page?"
  const extensionHostPid = followExtensionHost(page, options.server);
  const extensionHost = () => options.control.extensionHosts.get(extensionHostPid());
  const ready = (not?: ExtensionHost) =>
    until('The extension host of the window calls', () => {
      const found = extensionHost();
      return found && !found.isGone && found !== not ? found : undefined;
    });
  await page.goto(address);
  await ready();

  const evaluate: Window['evaluate'] = async (run, arg) =>
    (await (await ready()).evaluate(run.toString(), arg)) as never;
  const close = async () => {
    const pid = extensionHostPid();
    const hasEnded = () => !isRunning(pid);
    // Leaving the page says goodbye to the server; just closing it does not.
    if (!page.isClosed()) await page.goto('about:blank');
    // VS Code loses the goodbye of a window that has only just opened. The extension host would
    // then wait for its return for hours.
    const end = until('The extension host ends', hasEnded, { limit: 5_000 });
    await end.catch(() => process.kill(pid));
    await until('The extension host ends', hasEnded);
    await page.close();
    if (context.pages().length === 0) await context.close();
  };
  return {
    page,
    get extensionHostPid() {
      return extensionHostPid();
    },
    evaluate,
    until: (run, arg, patience) =>
      until(`${run}`, () => evaluate(run, arg), { every: 200, ...patience }),
    screenshot: async (name) => {
      const folder = process.env['BATON_SCREENSHOTS'] ?? path.join(cache, 'screenshots');
      mkdirSync(folder, { recursive: true });
      const file = path.join(folder, `${version}-${name}.png`);
      await page.screenshot({ path: file, animations: 'disabled' });
      return file;
    },
    reload: async () => {
      const before = extensionHost();
      await page.reload();
      await ready(before);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Tells which extension host a page has. Each connection of a page has a token, and the server logs
 * which process it has started for which token.
 */
function followExtensionHost(page: Page, server: Server): () => number {
  const tokens: string[] = [];
  page.on('websocket', (socket) => {
    const token = new URL(socket.url()).searchParams.get('reconnectionToken');
    if (token) tokens.unshift(token.slice(0, 8));
  });
  return () => {
    const launches = server.log.matchAll(
      /\[(\w{8})\]\[ExtensionHostConnection\] <(\d+)> Launched/g,
    );
    const processes = new Map([...launches].map(([, token = '', pid]) => [token, Number(pid)]));
    const newest = tokens.find((token) => processes.has(token)) ?? '';
    return processes.get(newest) ?? 0;
  };
}
