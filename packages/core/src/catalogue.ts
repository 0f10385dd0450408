import { type Alias, type Aliases, aliasesByName } from './alias.ts';
import { BatonError } from './errors.ts';
import type { Feature, Resource, ResourceTemplate } from './feature.ts';
import type { Log, Ports } from './ports.ts';
import type { Prompt } from './prompt.ts';
import { listPrompts } from './prompt-list.ts';
import { nearest } from './text.ts';
import type { Tool } from './tool.ts';

export interface CatalogueOptions {
  readonly features: readonly Feature[];
  readonly ports: Ports;
  readonly aliases?: Aliases;
  /** Only these toolsets (and `system`, which is always there); all when absent. */
  readonly toolsets?: readonly string[];
  readonly readOnly?: boolean;
  /** Tools that the client has from elsewhere. */
  readonly withoutTools?: readonly string[];
}

/** An item together with its feature's service, which is created on first use. */
export type Bound<Item> = { readonly item: Item; service(): unknown };

/** A tool as it was called: an old name may have had arguments of its own. */
export type Callable = Bound<Tool> & Pick<Alias, 'input'>;

/** Everything that a client can see or call, sorted, so that lists never change their order. */
export interface Catalogue {
  readonly tools: readonly Bound<Tool>[];
  readonly resources: readonly Bound<Resource>[];
  readonly resourceTemplates: readonly Bound<ResourceTemplate>[];
  readonly toolsets: readonly string[];
  readonly instructions: string;
  /** Those that are always there, and those that features find now. */
  listPrompts(): Promise<readonly Bound<Prompt>[]>;
  /** By name or alias; throws a BatonError that names the closest tool. */
  tool(name: string): Callable;
  /** What an old name stands for, if that tool can be called here. */
  alias(name: string): Alias | undefined;
}

/** The toolset of what belongs to Baton itself: always there, never chosen. */
const SYSTEM = 'system';

export function createCatalogue(options: CatalogueOptions): Catalogue {
  const { features, aliases = {}, toolsets, withoutTools = [], readOnly = false } = options;
  const all = features.map((feature) => ({ feature, service: once(feature, options.ports) }));
  const bind = <Item>(pick: (feature: Feature) => readonly Item[] | undefined): Bound<Item>[] =>
    all.flatMap(({ feature, service }) => (pick(feature) ?? []).map((item) => ({ item, service })));

  const known = bind((feature) => feature.tools).sort(by((item) => item.name));
  const allToolsets = [...new Set(known.map(({ item }) => item.toolset))]
    .filter((toolset) => toolset !== SYSTEM)
    .sort(compare);
  for (const toolset of toolsets ?? []) assertToolset(toolset, allToolsets);
  for (const name of withoutTools) assertTool(name, known);

  const isChosen = ({ toolset }: Tool) =>
    !toolsets || toolset === SYSTEM || toolsets.includes(toolset);
  const hiddenBy = (tool: Tool) => {
    if (readOnly && tool.effect !== 'read') return 'read-only mode';
    if (withoutTools.includes(tool.name)) return 'the list of tools to leave out';
    return isChosen(tool) ? undefined : 'the chosen toolsets';
  };
  const tools = known.filter(({ item }) => !hiddenBy(item));
  const byName = new Map(tools.map((bound) => [bound.item.name, bound]));
  const byAlias = aliasesByName(aliases);
  const alias = (name: string) => {
    const found = byAlias.get(name);
    return found && byName.has(found.tool) ? found : undefined;
  };

  const fixedPrompts = bind((feature) => feature.prompts);
  // Nobody has chosen what belongs to hidden toolsets, so nobody reads files for it.
  const promptSources = all.filter(
    ({ feature: { findPrompts, tools: own } }) =>
      findPrompts && (own.length === 0 || own.some(isChosen)),
  );

  return {
    tools,
    resources: bind((feature) => feature.resources).sort(by((item) => item.uri)),
    resourceTemplates: bind((feature) => feature.resourceTemplates).sort(
      by((item) => item.uriTemplate),
    ),
    toolsets: allToolsets,
    instructions: features.flatMap((feature) => feature.instructions ?? []).join('\n'),
    async listPrompts() {
      const prompts = await listPrompts(fixedPrompts, promptSources);
      return prompts.toSorted(by((item) => item.name));
    },
    alias,
    tool(name) {
      const { tool: wanted, input } = byAlias.get(name) ?? { tool: name };
      const found = byName.get(wanted);
      if (found) return input ? { ...found, input } : found;
      const by = known.flatMap(({ item }) => (item.name === wanted ? hiddenBy(item) : []))[0];
      if (by) throw hiddenTool(name, by);
      throw unknownTool(name, [...byName.keys(), ...[...byAlias.keys()].filter(alias)]);
    },
  };
}

/** The service itself once it is there, and before that a promise of it. */
function once(feature: Feature, ports: Ports): () => unknown {
  let made: { readonly service: unknown } | undefined;
  let making: Promise<unknown> | undefined;
  return () => {
    if (made) return made.service;
    making ??= createService(feature, ports).then(
      (service) => {
        made = { service };
        return service;
      },
      (error: unknown) => {
        making = undefined; // What failed now may work on the next call.
        throw error;
      },
    );
    return making;
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

function assertTool(name: string, known: readonly Bound<Tool>[]): void {
  const names = known.map(({ item }) => item.name);
  if (!names.includes(name)) throw unknownTool(name, names);
}

function hiddenTool(name: string, by: string): BatonError {
  return new BatonError(
    'hidden_tool',
    `Tool ${name} is hidden by ${by}.`,
    'Ask the person who started Baton to offer it, or do without.',
  );
}

function unknownTool(name: string, callable: readonly string[]): BatonError {
  const meant = nearest(name, callable);
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
