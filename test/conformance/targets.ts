import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { temporaryFolder } from '@baton/testkit';
import { openBridge } from './bridge/bridge.ts';
import { openProxy } from './proxy.ts';

interface OpenTarget extends AsyncDisposable {
  /** Where the suite finds an MCP server. */
  readonly url: string;
}

interface Target {
  readonly name: string;
  open(program: string): Promise<OpenTarget>;
}

/** A transport of Baton each. The suite speaks HTTP without a token, hence what stands between. */
export const targets: readonly Target[] = [
  { name: 'http', open: openHttp },
  { name: 'stdio', open: openStdio },
];

const START_MS = 30_000;

/** What a process needs to leave nothing in the home of whoever runs this. */
function environment(folder: string): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: folder, BATON_STATE: `${folder}/state` };
}

async function openStdio(program: string): Promise<OpenTarget> {
  const folder = temporaryFolder();
  const env = environment(folder.path);
  const bridge = await openBridge({ args: [program, 'stdio'], cwd: folder.path, env });
  return {
    url: bridge.url,
    async [Symbol.asyncDispose]() {
      await bridge[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

async function openHttp(program: string): Promise<OpenTarget> {
  const folder = temporaryFolder();
  const token = randomBytes(32).toString('base64url');
  const child = spawn(process.execPath, [program, 'serve', '--port', '0'], {
    cwd: folder.path,
    env: { ...environment(folder.path), BATON_TOKEN: token },
  });
  const exited = new Promise((resolve) => child.on('close', resolve));
  const close = async () => {
    child.kill();
    await exited;
    folder[Symbol.dispose]();
  };
  try {
    const proxy = await openProxy(await portOf(child), token);
    return {
      url: proxy.url,
      async [Symbol.asyncDispose]() {
        await proxy[Symbol.asyncDispose]();
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The port that the program has found for itself, as it says when it is ready. */
function portOf(child: ChildProcessWithoutNullStreams): Promise<number> {
  let said = '';
  const giveUp = setTimeout(() => child.kill(), START_MS);
  return new Promise<number>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      said += chunk;
      const [, found] = /http:\/\/\S+?:(\d+)\D/.exec(said) ?? [];
      if (found) resolve(Number(found));
    };
    child.stdout.on('data', listen);
    child.stderr.on('data', listen);
    child.on('close', () => reject(new Error(`baton serve did not start:\n${said}`)));
  }).finally(() => clearTimeout(giveUp));
}
