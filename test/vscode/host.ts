import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { launchBrowser } from './browser.ts';
import { type Control, startControl } from './control.ts';
import { copyExtension, copyProbe, installVsix } from './extensions.ts';
import { type InstalledHost, installHost, type Version } from './install.ts';
import { logFiles } from './logs.ts';
import { processesWith, type RunningProcess } from './processes.ts';
import { startServer } from './server.ts';
import { quiet } from './settings.ts';
import { until } from './until.ts';
import { openWindow, type Window } from './window.ts';

export interface HostOptions {
  /** .vsix files, or folders of extensions. */
  readonly extensions?: readonly string[];
  /** Whether the user has to trust a folder first. */
  readonly trust?: boolean;
  /** More environment for the server and with it for the extension hosts. */
  readonly env?: Readonly<Record<string, string>>;
  /** Settings of the user, for every window. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Milliseconds that everything has to end in, once it is told to. */
  readonly grace?: number;
}

/** A VS Code server and a browser for its windows. */
export interface Host extends AsyncDisposable {
  readonly version: Version;
  /** A temporary folder with all that VS Code writes, HOME and TMPDIR among it. */
  readonly home: string;
  readonly address: string;
  /** What the server has written so far. */
  readonly log: string;
  /** The log files by their paths, those of output channels among them. */
  logs(): Map<string, string>;
  /**
   * Opens a folder or a .code-workspace file, in a browser of its own or, as one person's windows
   * are, in that of another window: what VS Code remembers is remembered by the browser.
   */
  openWindow(place: string, beside?: Window): Promise<Window>;
  /** Once for all. Fails if anything that was started here does not end with it. */
  stop(): Promise<void>;
}

const GRACE = 10_000;

export async function startHost(version: Version, options: HostOptions = {}): Promise<Host> {
  const installed = installHost(version);
  const home = mkdtempSync(path.join(tmpdir(), 'baton-vscode-'));
  const control = await startControl();
  const release = () => {
    control.close();
    rmSync(home, { recursive: true, force: true });
  };
  try {
    return await start({ version, installed, home, control, release }, options);
  } catch (error) {
    release();
    throw error;
  }
}

interface Parts {
  readonly version: Version;
  readonly installed: InstalledHost;
  readonly home: string;
  readonly control: Control;
  /** Gives back what was there before the server. */
  release(): void;
}

async function start(parts: Parts, options: HostOptions): Promise<Host> {
  const { version, installed, home, control, release } = parts;
  const folders = { data: path.join(home, 'data'), extensions: path.join(home, 'extensions') };
  const user = path.join(folders.data, 'data/User');
  const env = environment(home, options.env);
  for (const folder of [env.HOME, env.TMPDIR, folders.extensions, user]) {
    mkdirSync(folder, { recursive: true });
  }
  // code-server keeps the user's settings with the server, not in the browser as VS Code does.
  const settings = { ...quiet, ...options.settings };
  writeFileSync(path.join(user, 'settings.json'), JSON.stringify(settings));

  copyProbe(folders, control);
  const extensions = options.extensions ?? [];
  const isPackage = (extension: string) => extension.endsWith('.vsix');
  for (const folder of extensions.filter((extension) => !isPackage(extension))) {
    copyExtension(folder, folders);
  }
  for (const file of extensions.filter(isPackage)) installVsix(file, installed, folders, env);

  const places = ['--server-data-dir', folders.data, '--extensions-dir', folders.extensions];
  const trust = options.trust ? [] : ['--disable-workspace-trust'];
  const server = await startServer(installed, [...places, ...trust], env);
  const browser = await launchBrowser(path.join(home, 'browser')).catch((error) => {
    server.terminate();
    throw error;
  });

  const end = async () => {
    await browser.close();
    server.terminate();
    const left = await whatOutlives(home, options.grace ?? GRACE);
    release();
    if (left.length > 0) throw new Error(`Left behind by VS Code: ${JSON.stringify(left)}`);
  };
  let ended: Promise<void> | undefined;
  const stop = () => {
    ended ??= end();
    return ended;
  };
  return {
    version,
    home,
    address: server.address,
    get log() {
      return server.log;
    },
    logs: () => logFiles(path.join(folders.data, 'data/logs')),
    openWindow: async (place, beside) => {
      const address = new URL(server.address);
      address.searchParams.set(place.endsWith('.code-workspace') ? 'workspace' : 'folder', place);
      const viewport = { width: 1400, height: 900 };
      const context = beside?.page.context() ?? (await browser.newContext({ viewport }));
      return openWindow({ context, server, control, address: address.href, version });
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** The server, the extension hosts, and whatever extensions have started; not the browser. */
export function processesOf({ home }: Pick<Host, 'home'>): RunningProcess[] {
  return processesWith(environment(home).HOME);
}

/** Nothing of whoever runs the tests but the programs that are installed. */
function environment(home: string, more: Readonly<Record<string, string>> = {}) {
  const user = path.join(home, 'user');
  const { PATH = '' } = process.env;
  return { PATH, LANG: 'C.UTF-8', ...more, HOME: user, TMPDIR: path.join(user, 'tmp') };
}

async function whatOutlives(home: string, limit: number): Promise<RunningProcess[]> {
  const isOver = until('VS Code ends', () => processesOf({ home }).length === 0, { limit });
  await isOver.catch(() => {});
  const left = processesOf({ home });
  for (const { pid } of left) kill(pid);
  await until('What was killed ends', () => processesOf({ home }).length === 0, { limit: GRACE });
  return left;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // It may have ended since it was seen.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
