import {
  type Aliases,
  type Baton,
  type Clock,
  createCatalogue,
  createExecutor,
  type Feature,
  type Ids,
  type Log,
  type Ports,
  type Workspace,
} from '@baton/core';
import { createDataFeature } from '@baton/data';
import { createEditorFeature } from '@baton/editor';
import { createKnowledgeFeature } from '@baton/knowledge';
import { createPlansFeature } from '@baton/plans';
import { createTicketsFeature } from '@baton/tickets';
import { aliases as builtInAliases } from './aliases.ts';
import { createChangeFeed } from './changes.ts';
import { connectData, type DataSettings } from './data.ts';
import { connectEditor, type EditorSettings } from './editor.ts';
import { inputSchemas } from './input-schemas.ts';
import { connectKnowledge, type KnowledgeSettings } from './knowledge.ts';
import { type Connected, connectPlans, type PlanSettings } from './plans.ts';
import type { StoreAccess } from './store-access.ts';
import { createSystemFeature } from './system/feature.ts';
import { systemClock, systemIds } from './system-ports.ts';
import { connectTickets } from './tickets.ts';
import { createApprovals } from './trust/approvals.ts';

export interface BatonOptions {
  readonly version: string;
  readonly workspace: Workspace;
  readonly log: Log;
  readonly store: StoreAccess;
  readonly plans: PlanSettings;
  readonly knowledge: KnowledgeSettings;
  readonly data: DataSettings;
  readonly editor: EditorSettings;
  /** Tickets that agents may have at once; any number without it. */
  readonly maxClaims?: number;
  readonly toolsets?: readonly string[] | undefined;
  readonly withoutTools?: readonly string[] | undefined;
  readonly readOnly?: boolean;
  readonly warnings?: readonly string[];
  /** More features than the built-in ones: the tests' fixtures. */
  readonly features?: readonly Feature[];
  readonly aliases?: Aliases;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

/** The one place where everything is put together; every app calls it. */
export function createBaton(options: BatonOptions): Baton {
  const { version, workspace, log, store, readOnly = false, warnings = [] } = options;
  const { clock = systemClock, ids = systemIds } = options;
  const changes = createChangeFeed();
  const system = createSystemFeature(() => ({
    version,
    readOnly,
    warnings,
    features: features.map((feature) => feature.id).sort(),
    toolsets: catalogue.toolsets,
    store,
    // Looking at it must not connect anything.
    workerProblem: async () =>
      (await connected?.workers.problem()) ?? options.plans.workerProgram.problem(),
  }));
  let connected: Connected | undefined;
  const connect = onceThatWorked(async (ports: Ports) => {
    connected = await connectPlans(store, options.plans)(ports);
    return connected;
  });
  const plans = createPlansFeature(connect) as Feature;
  const tickets = createTicketsFeature(connectTickets(connect, options.maxClaims)) as Feature;
  const knowledge = createKnowledgeFeature(connectKnowledge(options.knowledge)) as Feature;
  const data = createDataFeature(connectData(options.data)) as Feature;
  const editor = createEditorFeature(connectEditor(store, options.editor)) as Feature;
  const features: readonly Feature[] = [
    system,
    plans,
    tickets,
    knowledge,
    data,
    editor,
    ...(options.features ?? []),
  ];
  const catalogue = createCatalogue({
    features,
    ports: { clock, ids, log, changes, workspace, trust: createApprovals(store) },
    aliases: { ...builtInAliases, ...options.aliases },
    readOnly,
    ...(options.toolsets && { toolsets: options.toolsets }),
    ...(options.withoutTools && { withoutTools: options.withoutTools }),
  });
  const execute = createExecutor({ clock, ids, log: log.child('tools') });
  return {
    version,
    catalogue,
    inputSchemas,
    changes,
    clock,
    ids,
    log,
    call: async (name, args, context) => execute(catalogue.tool(name), args, context),
  };
}

/** Several features are connected with the same things; what failed is tried again. */
function onceThatWorked<Given, Made>(make: (given: Given) => Promise<Made>) {
  let making: Promise<Made> | undefined;
  return (given: Given): Promise<Made> => {
    making ??= make(given).catch((error: unknown) => {
      making = undefined;
      throw error;
    });
    return making;
  };
}
