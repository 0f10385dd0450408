import type { Aliases } from '@baton/core';
import { serveInMemory } from '@baton/mcp';
import { createBaton, createStoreAccess, systemClock, systemIds } from '@baton/runtime';
import {
  createMemoryLog,
  fixtureAliases,
  fixtureFeature,
  type ServedProgram,
  serveProgram,
  temporaryFolder,
} from '@baton/testkit';
import {
  Client,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport as TransportV1 } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { fixtureProgram } from './programs.ts';

// biome-ignore lint/suspicious/noExplicitAny: results of every method, looked into by tests
export type AnyResult = any;

interface Notification {
  readonly method: string;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly params?: any;
}

interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { progress: number; total?: number }) => void;
}

export interface ElicitAnswer {
  readonly action: 'accept' | 'decline' | 'cancel';
  readonly content?: Record<string, string | boolean>;
}

/** An official client of either major version, behind one small interface. */
export interface Peer {
  request(method: string, params?: object, options?: RequestOptions): Promise<AnyResult>;
  readonly notifications: readonly Notification[];
  /** Waits for a notification, looked for whenever one arrives. */
  heard(method: string): Promise<Notification>;
  instructions(): string | undefined;
  /** The new era's subscription; throws in the old one. */
  listen(filter: object): Promise<{ close(): Promise<void> }>;
  close(): Promise<void>;
}

export interface PeerOptions {
  /** Answers the server's questions; without it the client cannot be asked. */
  readonly elicit?: (message: string) => ElicitAnswer;
  /** What the client's model says; without it the client does not lend it. */
  readonly sample?: string;
  /** URIs of the client's folders; without them it does not tell. */
  readonly roots?: readonly string[];
  readonly toolsets?: readonly string[];
  readonly withoutTools?: readonly string[];
  readonly readOnly?: boolean;
}

export interface Way {
  readonly name: string;
  readonly era: 'legacy' | 'modern';
  open(options?: PeerOptions): Promise<Peer>;
}

const INFO = { name: 'e2e', version: '1.0.0' };

function collector() {
  const notifications: Notification[] = [];
  const listeners = new Set<() => void>();
  return {
    notifications,
    async take(notification: Notification) {
      notifications.push(notification);
      for (const listener of [...listeners]) listener();
    },
    heard: (method: string) =>
      new Promise<Notification>((resolve) => {
        const check = () => {
          const found = notifications.find((each) => each.method === method);
          if (!found) return;
          listeners.delete(check);
          resolve(found);
        };
        listeners.add(check);
        check();
      }),
  };
}

function capabilities({ elicit, sample, roots }: PeerOptions) {
  return {
    ...(elicit && { elicitation: {} }),
    ...(sample !== undefined && { sampling: {} }),
    ...(roots && { roots: {} }),
  };
}

function sampled(text: string) {
  return { role: 'assistant' as const, model: 'm', content: { type: 'text' as const, text } };
}

export async function connectV2(transport: Transport, era: Way['era'], options: PeerOptions) {
  const { elicit, sample, roots } = options;
  const client = new Client(INFO, {
    capabilities: capabilities(options),
    versionNegotiation: { mode: era === 'modern' ? { pin: '2026-07-28' } : 'legacy' },
  });
  const { notifications, take, heard } = collector();
  client.fallbackNotificationHandler = take;
  if (elicit) {
    client.setRequestHandler('elicitation/create', ({ params }) => ({ ...elicit(params.message) }));
  }
  if (sample) client.setRequestHandler('sampling/createMessage', () => sampled(sample));
  if (roots) {
    client.setRequestHandler('roots/list', () => ({ roots: roots.map((uri) => ({ uri })) }));
  }
  await client.connect(transport);
  return {
    notifications,
    heard,
    request: (method: string, params: object = {}, options: RequestOptions = {}) =>
      client.request({ method, params } as never, options as never) as Promise<AnyResult>,
    instructions: () => client.getInstructions(),
    listen: (filter: object) => client.listen(filter),
    close: () => client.close(),
  };
}

async function connectV1(transport: TransportV1, options: PeerOptions) {
  const { elicit, sample, roots } = options;
  const client = new ClientV1(INFO, { capabilities: capabilities(options) });
  const { notifications, take, heard } = collector();
  client.fallbackNotificationHandler = take;
  if (elicit) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ ...elicit(params.message) }));
  }
  if (sample) client.setRequestHandler(CreateMessageRequestSchema, () => sampled(sample));
  if (roots) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({
      roots: roots.map((uri) => ({ uri })),
    }));
  }
  await client.connect(transport);
  return {
    notifications,
    heard,
    request: (method: string, params: object = {}, options: RequestOptions = {}) =>
      client.request(
        { method, params } as never,
        ResultSchema,
        options as never,
      ) as Promise<AnyResult>,
    instructions: () => client.getInstructions(),
    listen: () => Promise.reject(new Error('not in the old era')),
    close: () => client.close(),
  };
}

function flags({ toolsets, withoutTools, readOnly }: PeerOptions): string[] {
  return [
    ...(toolsets ? ['--toolsets', toolsets.join(',')] : []),
    ...(withoutTools ? ['--without-tools', withoutTools.join(',')] : []),
    ...(readOnly ? ['--read-only'] : []),
  ];
}

function command(options: PeerOptions) {
  const folder = temporaryFolder();
  const args = [fixtureProgram, 'stdio', ...flags(options)];
  const env = { PATH: process.env.PATH ?? '', HOME: folder.path, BATON_STATE: folder.path };
  const parameters = {
    command: process.execPath,
    args,
    env,
    cwd: folder.path,
    stderr: 'ignore' as const,
  };
  return { parameters, folder };
}

async function overStdio(
  options: PeerOptions,
  connect: (parameters: ReturnType<typeof command>['parameters']) => Promise<Peer>,
) {
  const { parameters, folder } = command(options);
  const peer = await connect(parameters);
  return {
    ...peer,
    async close() {
      await peer.close();
      folder[Symbol.dispose]();
    },
  };
}

async function overHttp(
  options: PeerOptions,
  connect: (served: ServedProgram) => Promise<Peer>,
): Promise<Peer> {
  const served = await serveProgram(fixtureProgram, { args: flags(options) });
  const peer = await connect(served);
  return {
    ...peer,
    async close() {
      await peer.close();
      await served[Symbol.asyncDispose]();
    },
  };
}

function endpoint({ address, token }: ServedProgram, path: string) {
  const requestInit = { headers: { Authorization: `Bearer ${token}` } };
  return [new URL(path, address), { requestInit }] as const;
}

export function testBaton(options: PeerOptions & { aliases?: Aliases } = {}) {
  return createBaton({
    version: '0.0.0-test',
    workspace: { path: '/workspace', foundBy: 'folder' },
    log: createMemoryLog(),
    store: createStoreAccess({
      file: ':memory:',
      clock: systemClock,
      ids: systemIds,
      log: createMemoryLog(),
    }),
    plans: {
      state: '/nowhere',
      environment: {},
      workerMode: 'off',
      worker: { maxJobs: 0, idleSeconds: 0, keepAwake: false },
      workerProgram: { problem: () => undefined, start: async () => undefined },
    },
    knowledge: { state: '/nowhere', userFolder: '/nowhere', knowledge: [], prompts: [] },
    data: {
      state: '/nowhere',
      userFolder: '/nowhere',
      data: [],
      program: { file: fixtureProgram, args: ['data-engine'] },
    },
    editor: {
      state: '/nowhere',
      program: fixtureProgram,
      languageServers: {},
      allowedSettings: [],
    },
    features: [fixtureFeature],
    aliases: fixtureAliases,
    toolsets: options.toolsets,
    withoutTools: options.withoutTools,
    readOnly: options.readOnly ?? false,
  });
}

interface HttpClient extends Omit<Way, 'open'> {
  connect(served: ServedProgram, options: PeerOptions): Promise<Peer>;
}

/** Each client over HTTP, for tests that bring their own server. */
export const httpClients: readonly HttpClient[] = [
  {
    name: 'HTTP, old era, client v2',
    era: 'legacy',
    connect: (served, options) =>
      connectV2(new StreamableHTTPClientTransport(...endpoint(served, '/mcp')), 'legacy', options),
  },
  {
    name: 'HTTP, old era, client v1',
    era: 'legacy',
    connect: (served, options) =>
      connectV1(new HttpV1(...endpoint(served, '/mcp')) as TransportV1, options),
  },
  {
    name: 'HTTP, new era, client v2',
    era: 'modern',
    connect: (served, options) =>
      connectV2(new StreamableHTTPClientTransport(...endpoint(served, '/mcp')), 'modern', options),
  },
];

export const ways: readonly Way[] = [
  {
    name: 'stdio, old era, client v2',
    era: 'legacy',
    open: (options = {}) =>
      overStdio(options, (parameters) =>
        connectV2(new StdioClientTransport(parameters), 'legacy', options),
      ),
  },
  {
    name: 'stdio, old era, client v1',
    era: 'legacy',
    open: (options = {}) =>
      overStdio(options, (parameters) => connectV1(new StdioV1(parameters), options)),
  },
  {
    name: 'stdio, new era, client v2',
    era: 'modern',
    open: (options = {}) =>
      overStdio(options, (parameters) =>
        connectV2(new StdioClientTransport(parameters), 'modern', options),
      ),
  },
  ...httpClients.map(({ name, era, connect }) => ({
    name,
    era,
    open: (options: PeerOptions = {}) => overHttp(options, (served) => connect(served, options)),
  })),
  {
    name: 'in memory, old era, client v2',
    era: 'legacy',
    open: (options = {}) =>
      connectV2(serveInMemory(testBaton(options)).client as Transport, 'legacy', options),
  },
  {
    name: 'in memory, old era, client v1',
    era: 'legacy',
    open: (options = {}) =>
      connectV1(serveInMemory(testBaton(options)).client as TransportV1, options),
  },
  {
    name: 'in memory, new era, client v2',
    era: 'modern',
    open: (options = {}) =>
      connectV2(serveInMemory(testBaton(options)).client as Transport, 'modern', options),
  },
];

/** HTTP+SSE of protocol version 2024-11-05, which only the most important scenarios run over. */
export const sseWay: Way & HttpClient = {
  name: 'SSE, old era, client v1',
  era: 'legacy',
  connect: connectSse,
  open: (options = {}) => overHttp(options, (served) => connectSse(served, options)),
};

function connectSse(served: ServedProgram, options: PeerOptions): Promise<Peer> {
  return connectV1(new SseV1(...endpoint(served, '/sse')), options);
}
