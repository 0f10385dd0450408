import type { FileWorkspace } from '../file-workspace.ts';
import { PlanServer } from '../plans/plan-server.ts';

/** A server over stdio, with words for knowledge. */
export class KnowledgeServer extends PlanServer {
  /** Ids of what is found, the best first. */
  async found(query: string, more: object = {}): Promise<string[]> {
    const { pieces } = await this.call('knowledge_search', { query, mode: 'index', ...more });
    return pieces.map(({ id }: { id: string }) => id);
  }

  /** The text at a URI, or the message of the error instead. */
  async read(uri: string): Promise<string> {
    const { result, error } = await this.request('resources/read', { uri });
    return error ? error.message : result.contents[0].text;
  }
}

export function knowledgeServer(
  workspace: FileWorkspace,
  env: Readonly<Record<string, string>> = {},
): KnowledgeServer {
  return new KnowledgeServer(workspace.server(env));
}

/** A page about one thing, which is found by its name. */
export function pageAbout(word: string): string {
  return `# The ${word}\n\nHow to feed a ${word}, and what a ${word} eats.\n`;
}

/** Words that are about as far from each other as words can be, all of them of six letters. */
export const ANIMALS = [
  'walrus',
  'badger',
  'ferret',
  'jaguar',
  'lizard',
  'turtle',
  'weasel',
  'osprey',
  'coyote',
  'magpie',
] as const;
