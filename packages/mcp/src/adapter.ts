import { type Baton, type Change, describeError, type LogLevel } from '@baton/core';
import type { ServerContext } from '@modelcontextprotocol/server';
import { describeTool, type ToolDescription } from './describe-tool.ts';
import { handleCompletion } from './handlers/completion.ts';
import { handleLogging } from './handlers/logging.ts';
import { handlePrompts } from './handlers/prompts.ts';
import { handleResources } from './handlers/resources.ts';
import { handleTools } from './handlers/tools.ts';
import type { Identity } from './identity.ts';
import { ProtocolServer } from './protocol-server.ts';
import { createQuestionStates, type QuestionStates } from './question-state.ts';
import { ResourceWatches } from './resource-watches.ts';
import { Subscriptions } from './subscriptions.ts';

/** What the handlers of one connection share. */
export interface Connection {
  readonly baton: Baton;
  readonly era: 'legacy' | 'modern';
  readonly descriptions: () => readonly ToolDescription[];
  readonly questions: QuestionStates;
  readonly identity: Identity;
  readonly draining: AbortSignal;
  wantsLog(level: LogLevel, context: ServerContext): boolean;
}

export interface Adapter {
  /** One for all connections, so that clients who want the same share it. */
  readonly watches: ResourceWatches;
  /** One server per connection, never shared: answers must not reach another client. */
  createServer(era: 'legacy' | 'modern', draining: AbortSignal, identity: Identity): ProtocolServer;
}

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
};

// Lists change only together with a notification. They depend on how this process was started.
const LISTS = { ttlMs: 300_000, cacheScope: 'private' } as const;
const CACHE_HINTS = {
  'server/discover': LISTS,
  'tools/list': LISTS,
  'prompts/list': LISTS,
  'resources/list': LISTS,
  'resources/templates/list': LISTS,
};

/** How long a person may take to answer a question on an old client. */
const ANSWER_TIMEOUT_MS = 10 * 60_000;

/** Turns a Baton into MCP servers. What is costly is made once, here. */
export function createAdapter(baton: Baton): Adapter {
  const questions = createQuestionStates(baton.clock, baton.ids);
  const log = baton.log.child('mcp');
  const watches = new ResourceWatches({
    templates: baton.catalogue.resourceTemplates,
    changes: baton.changes,
    log,
  });
  let described: readonly ToolDescription[] | undefined;
  const descriptions = () => {
    described ??= baton.catalogue.tools.map(({ item }) =>
      describeTool(item, baton.inputSchemas?.[item.name]),
    );
    return described;
  };
  const reportFault = (method: string, error: unknown): string => {
    const fault = baton.ids.next();
    log.write('error', `${method}: fault ${fault}: ${describeError(error)}`);
    return fault;
  };

  return {
    watches,
    createServer(era, draining, identity) {
      const server = new ProtocolServer(
        { name: 'baton', title: 'Baton', version: baton.version },
        {
          capabilities: CAPABILITIES,
          instructions: baton.catalogue.instructions,
          cacheHints: CACHE_HINTS,
          requestState: { verify: questions.verify },
          inputRequired: { roundTimeoutMs: ANSWER_TIMEOUT_MS },
        },
        reportFault,
      );
      const wantsLog = handleLogging(server);
      const connection = { baton, era, descriptions, questions, identity, draining, wantsLog };
      handleTools(server, connection);
      const subscribed = new Subscriptions<string>(watches);
      handleResources(server, connection, subscribed);
      handlePrompts(server, connection);
      handleCompletion(server, connection);
      server.onerror = (error) => log.write('debug', error.message);
      const unsubscribe = baton.changes.subscribe((change) => {
        // An old client hears nothing before it has said hello; a new one only what it listens to.
        if (era === 'legacy' && !server.getClientCapabilities()) return;
        if (era === 'legacy' && change.kind === 'resource' && !subscribed.has(change.uri)) return;
        announce(server, change).catch((error: unknown) => log.write('debug', String(error)));
      });
      server.onclose = () => {
        unsubscribe();
        subscribed.close();
      };
      return server;
    },
  };
}

function announce(server: ProtocolServer, change: Change): Promise<void> {
  switch (change.kind) {
    case 'tools':
      return server.sendToolListChanged();
    case 'resources':
      return server.sendResourceListChanged();
    case 'prompts':
      return server.sendPromptListChanged();
    case 'resource':
      return server.sendResourceUpdated({ uri: change.uri });
  }
}
