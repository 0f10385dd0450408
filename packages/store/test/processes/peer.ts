import { BatonError } from '@baton/core';
import { type Program, startProgram } from '@baton/testkit';
import { type PeerVersion, peerProgram } from './build-peers.ts';
import type { Operations } from './programs/operations.ts';
import type { PeerOptions } from './programs/peer.ts';

export interface StartOptions extends Partial<PeerOptions> {
  readonly file: string;
  readonly version?: PeerVersion;
  /** What to run the program with, instead of this Node.js. */
  readonly command?: readonly [string, ...string[]];
}

type Answer<Name extends keyof Operations> = Awaited<ReturnType<Operations[Name]>>;

/** Another process on the same store. Killed at the end of the scope. */
export class Peer {
  readonly program: Program;
  #requests = 0;

  constructor({ version = 1, command, ...options }: StartOptions) {
    const all: PeerOptions = {
      label: 'peer',
      silenceMs: 30_000,
      deadlineMs: 30_000,
      wallShiftMs: 0,
      ...options,
    };
    this.program = startProgram(peerProgram(version), {
      args: [JSON.stringify(all)],
      ...(command && { command }),
    });
  }

  /** A peer that has opened the store. */
  static async start(options: StartOptions): Promise<Peer> {
    const peer = new Peer(options);
    try {
      await peer.ready();
      return peer;
    } catch (error) {
      await peer[Symbol.asyncDispose]();
      throw error;
    }
  }

  async ready(): Promise<{ readonly pid: number }> {
    return (await this.program.notification('ready')).params;
  }

  async ask<Name extends keyof Operations>(
    name: Name,
    ...parameters: Parameters<Operations[Name]>
  ): Promise<Answer<Name>> {
    this.#requests += 1;
    const { result, error } = await this.program.request(
      this.#requests,
      name,
      parameters as unknown as object,
    );
    if (!error) return result;
    const { message, data } = error;
    throw data ? new BatonError(data.code, message, data.next) : new Error(message);
  }

  /** What it has said by itself, oldest first. */
  said<Params>(method: string): Params[] {
    return this.program.replies
      .filter((reply) => reply.method === method)
      .map(({ params }) => params);
  }

  async kill(): Promise<void> {
    this.program.child.kill('SIGKILL');
    await this.program.exited;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.program[Symbol.asyncDispose]();
  }
}

/** Starts several at once; none is left over if one of them fails. */
export async function startPeers(all: readonly StartOptions[]): Promise<Peers> {
  const peers = all.map((options) => new Peer(options));
  try {
    await Promise.all(peers.map((peer) => peer.ready()));
  } catch (error) {
    await endPeers(peers);
    throw error;
  }
  return Object.assign(peers, { [Symbol.asyncDispose]: () => endPeers(peers) });
}

type Peers = Peer[] & { [Symbol.asyncDispose](): Promise<void> };

async function endPeers(peers: readonly Peer[]): Promise<void> {
  await Promise.all(peers.map((peer) => peer[Symbol.asyncDispose]()));
}
