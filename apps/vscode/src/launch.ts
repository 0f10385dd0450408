import path from 'node:path';

/** How to start the bundled program for one folder. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export interface LaunchOptions {
  /** The folder of the installed extension. */
  readonly extension: string;
  readonly folder: string;
  /** An untrusted workspace gets only what reads. */
  readonly isTrusted: boolean;
  /** Tools that this window has from elsewhere. */
  readonly withoutTools?: readonly string[];
  /** Where the program can ask this window; only for children of ours. */
  readonly link?: { readonly path: string; readonly token: string };
}

function programFile(extension: string): string {
  return path.join(extension, 'dist', 'baton.mjs');
}

/** With the runtime of the editor itself: `node` is not on every machine, nor in every PATH. */
export function launchOf(options: LaunchOptions, ...args: string[]): Launch {
  const { extension, folder, isTrusted, withoutTools = [], link } = options;
  return {
    command: process.execPath,
    args: [programFile(extension), ...args],
    env: {
      ELECTRON_RUN_AS_NODE: '1',
      BATON_WORKSPACE: folder,
      ...(!isTrusted && { BATON_READ_ONLY: 'true' }),
      ...(withoutTools.length > 0 && { BATON_WITHOUT_TOOLS: withoutTools.join(',') }),
      ...(link && { BATON_EDITOR: link.path, BATON_EDITOR_TOKEN: link.token }),
    },
    cwd: folder,
  };
}

/** For the editor itself, not for its children: they would change how our program runs. */
const NOT_PASSED_ON = /^(NODE_OPTIONS|VSCODE_.*|ELECTRON_.*|BATON_TOKEN|BATON_EDITOR(_TOKEN)?)$/;

/** The environment of a child of ours; VS Code builds that of the servers it starts itself. */
export function childEnvironment(launch: Launch): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !NOT_PASSED_ON.test(name));
  return { ...Object.fromEntries(inherited), ...launch.env };
}
