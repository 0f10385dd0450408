import { BatonError } from './errors.ts';
import type { BoundTool } from './executor.ts';
import type { Feature, Prompt, Resource, ResourceTemplate } from './feature.ts';
import type { Log, Ports } from './ports.ts';
import { nearest } from './text.ts';

/** Old names of tools: callable, never listed. */
export type Aliases = Readonly<Record<string, string>>;

export interface CatalogueOptions {
  readonly features: readonly Feature[];
  readonly ports: Ports;
  readonly aliases?: Aliases;
  /** Only these toolsets (and `system`, which is always there); all when absent. */
  readonly toolsets?: readonly string[];
  readonly readOnly?: boolean;
}

/** An item together with its feature's service, which is created on first use. */
export type Bound<Item> = { readonly item: Item; service(): unknown };

/** Everything that a client can see or call, sorted, so that lists never change their order. */
export interface Catalogue {
  readonly tools: readonly BoundTool[];
  readonly resources: readonly Bound<Resource>[];
  readonly resourceTemplates: readonly Bound<ResourceTemplate>[];
  readonly prompts: readonly Bound<Prompt>[];
  readonly toolsets: readonly string[];
  readonly instructions: string;
  /** By name or alias; throws a BatonError that names the closest tool. */
  tool(name: string): BoundTool;
  /** Whether an old name stands for a tool that can be called here. */
  isAlias(name: string): boolean;
}

/** The toolset of what belongs to Baton itself: always there, never chosen. */
const SYSTEM = 'system';

export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { features, aliases = {}, toolsets, readOnly = false } = options;
  const all = features.map((feature) => ({ feature, service: once(feature, options.ports) }));
  const bind = <Item>(pick: (feature: Feature) => readonly Item[] | undefined): Bound<Item>[] =>
    all.flatMap(({ feature, service }) => (pick(feature) ?? []).map((item) => ({ item, service })));

  const known = bind((feature) => feature.tools)
    .map(({ item, service }) => ({ tool: item, service }))
    .sort((a, b) => compare(a.tool.name, b.tool.name));
  const allToolsets = [...new Set(known.map(({ tool }) => tool.toolset))]
    .filter((toolset) => toolset !== SYSTEM)
    .sort(compare);
  for (const toolset of toolsets ?? []) assertToolset(toolset, allToolsets);

  const hidden = ({ tool }: BoundTool) => {
    if (readOnly && tool.effect !== 'read') return 'read-only mode';
    const chosen = !toolsets || tool.toolset === SYSTEM || toolsets.includes(tool.toolset);
    return chosen ? undefined : 'the chosen toolsets';
  };
  const tools = known.filter((bound) => !hidden(bound));
  const byName = new Map(tools.map((bound) => [bound.tool.name, bound]));
  const find = (name: string) =>
    byName.get(name) ?? byName.get(Object.hasOwn(aliases, name) ? (aliases[name] ?? '') : '');

  return {
    tools,
    resources: bind((feature) => feature.resources).sort(by((item) => item.uri)),
    resourceTemplates: bind((feature) => feature.resourceTemplates).sort(
      by((item) => item.uriTemplate),
    ),
    prompts: bind((feature) => feature.prompts).sort(by((item) => item.name)),
    toolsets: allToolsets,
    instructions: features.flatMap((feature) => feature.instructions ?? []).join('\n'),
    isAlias: (name) => Object.hasOwn(aliases, name) && find(name) !== undefined,
    tool(name) {
      const found = find(name);
      if (found) return found;
      const unlisted = known.find(({ tool }) => tool.name === name);
      throw unlisted
        ? hiddenTool(name, hidden(unlisted) ?? '')
        : unknownTool(name, byName.keys(), Object.keys(aliases));
    },
  };
}

/** The service itself once it is there, and before that a promise of it. */
function once(feature: Feature, ports: Ports): () => unknown {
  let service: unknown;
  return () => {
    service ??= createService(feature, ports).then(
      (ready) => {
        service = ready;
        return ready;
      },
      (error: unknown) => {
        service = undefined; // What failed now may work on the next call.
        throw error;
      },
    );
    return service;
  };
}

async function createService(feature: Feature, ports: Ports): Promise<unknown> {
  const log: Log = ports.log.child(feature.id);
  const started = ports.clock.monotonic();
  const service = await feature.create({ ...ports, log });
  log.write('info', `loaded in ${Math.round(ports.clock.monotonic() - started)} ms`);
  return service;
}

function assertToolset(toolset: string, known: readonly string[]): void {
  if (known.includes(toolset)) return;
  const list = known.length > 0 ? known.join(', ') : 'none yet';
  throw new BatonError(
    'unknown_toolset',
    `There is no toolset ${JSON.stringify(toolset)}.`,
    `Choose from: ${list}.`,
  );
}

function hiddenTool(name: string, by: string): BatonError {
  return new BatonError(
    'hidden_tool',
    `Tool ${name} is hidden by ${by}.`,
    'Ask the person who started Baton to offer it, or do without.',
  );
}

function unknownTool(name: string, names: Iterable<string>, old: string[]): BatonError {
  const meant = nearest(name, [...names, ...old]);
  return new BatonError(
    'unknown_tool',
    `There is no tool ${JSON.stringify(name.slice(0, 100))}.${meant ? ` Did you mean ${meant}?` : ''}`,
    'Call tools/list to see what there is.',
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function by<Item>(key: (item: Item) => string) {
  return (a: Bound<Item>, b: Bound<Item>) => compare(key(a.item), key(b.item));
}
