import { singular, wordsOf } from '../names.ts';
import type { TableFacts } from './facts.ts';
import { TABLE_FILLERS } from './vocabulary.ts';

/** What a table's records are called, with the last word in the singular. */
interface Form {
  readonly words: readonly string[];
  readonly folded: string;
}

/** The ways to say it. */
export type Forms = readonly Form[];

/** Words that at least this many tables start with are the name of what they belong to. */
const FEW = 3;

export function formsOf(tables: readonly TableFacts[]): ReadonlyMap<string, Forms> {
  const prefix = sharedPrefix(tables);
  return new Map(
    tables.map(({ id, table, name, aliases }) => {
      const forms = new Map<string, Form>();
      for (const said of [table, id, name, ...aliases]) {
        const words = withoutFillers(wordsOf(said), prefix);
        if (words.length > 0) forms.set(words.join(' '), { words, folded: words.join('') });
      }
      return [id, [...forms.values()]];
    }),
  );
}

/** `shop` for `shop_orders`, `shop_customers`, `shop_products`. */
function sharedPrefix(tables: readonly TableFacts[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { table } of tables) {
    const [first, second] = wordsOf(table);
    if (first && second) counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  const most = [...counts].sort(([, a], [, b]) => b - a)[0];
  return most && most[1] >= FEW && most[1] > tables.length / 2 ? most[0] : undefined;
}

function withoutFillers(words: readonly string[], prefix: string | undefined): string[] {
  const own = words[0] === prefix && words.length > 1 ? words.slice(1) : words;
  const kept = own.filter((word) => !TABLE_FILLERS.has(word) && !/^v?\d+$/.test(word));
  const form = kept.length > 0 ? kept : [...own];
  const last = form.pop();
  return last === undefined ? [] : [...form, singular(last)];
}
