import { serveProgram } from '@baton/testkit';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { FileWorkspace } from './file-workspace.ts';
import { program } from './programs.ts';
import { connectV2, httpClients, type Peer, sseWay, type Way } from './ways.ts';

export interface WorkspaceWay extends Omit<Way, 'open'> {
  open(workspace: FileWorkspace): Promise<Peer & AsyncDisposable>;
}

function disposable(peer: Peer, server?: AsyncDisposable): Peer & AsyncDisposable {
  const close = async () => {
    await peer.close();
    await server?.[Symbol.asyncDispose]();
  };
  return { ...peer, close, [Symbol.asyncDispose]: close };
}

function overStdio(era: Way['era']): WorkspaceWay {
  return {
    name: `stdio, ${era === 'modern' ? 'new' : 'old'} era`,
    era,
    async open({ path, env }) {
      const command = { command: process.execPath, args: [program, 'stdio'], env, cwd: path };
      const transport = new StdioClientTransport({ ...command, stderr: 'ignore' });
      return disposable(await connectV2(transport, era, {}));
    },
  };
}

function overHttp({ name, era, connect }: (typeof httpClients)[number]): WorkspaceWay {
  return {
    name,
    era,
    async open({ path, env }) {
      const served = await serveProgram(program, { cwd: path, env });
      return disposable(await connect(served, {}), served);
    },
  };
}

/** What most tests need only once: how a server is reached does not matter to them. */
export const nearestWay = overStdio('modern');

/** Official clients of both eras, with the program as it ships, on a workspace of the test's own. */
export const workspaceWays: readonly WorkspaceWay[] = [
  overStdio('legacy'),
  nearestWay,
  ...httpClients.filter(({ era }) => era === 'modern').map(overHttp),
];

/** With the oldest transport too, for what is sent to clients without being asked for. */
export const hearingWays: readonly WorkspaceWay[] = [...workspaceWays, overHttp(sseWay)];
