import type { Bound } from './catalogue.ts';
import type { Feature } from './feature.ts';
import type { Prompt } from './prompt.ts';

interface PromptSource {
  readonly feature: Feature;
  service(): unknown;
}

/**
 * All prompts, the first of each name. It fails if a feature cannot find its own: without them, a
 * client that asks for one of them would be told that there is none.
 */
export async function listPrompts(
  fixed: readonly Bound<Prompt>[],
  sources: readonly PromptSource[],
): Promise<readonly Bound<Prompt>[]> {
  const found = await Promise.all(sources.map(promptsOf));
  const byName = new Map<string, Bound<Prompt>>();
  for (const bound of [...fixed, ...found.flat()]) {
    // What Baton brings along cannot be replaced by a file, nor one file by a later one.
    if (!byName.has(bound.item.name)) byName.set(bound.item.name, bound);
  }
  return [...byName.values()];
}

async function promptsOf({ feature, service }: PromptSource): Promise<Bound<Prompt>[]> {
  const found = (await feature.findPrompts?.(await service())) ?? [];
  return found.map((item) => ({ item, service }));
}
