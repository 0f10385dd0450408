import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { environment } from '../run.ts';
import { ServerProcess } from '../server-process.ts';
import { type DataBench, startBaton, workspaceOf } from './bench.ts';

interface Overview {
  readonly categories: readonly { readonly id: string }[];
  readonly others?: string;
}

const DESCRIBE = 'data_describe';

/** A fresh server each time; the first one for a state reads all the files. */
export async function describe(
  bench: DataBench,
  state: string,
  row: 'cold' | 'warm',
  tables: number,
): Promise<void> {
  const { figures } = bench;
  const begun = performance.now();
  await using client = startBaton(bench, 'many', state);
  const { categories, others } = await client.call<Overview>(DESCRIBE, {});
  figures.add(`describe ${row}`, 'baton', performance.now() - begun);
  const found = categories.length + (others?.split(', ').length ?? 0);
  if (found !== tables) throw new Error(`${found} tables were described instead of ${tables}`);
  if (row === 'warm') figures.add('describe again', 'baton', (await client.timed(DESCRIBE, {})).ms);
}

/** What an agent reads of it: the text, not the same thing as data. */
export async function describedTokens(
  { figures, baton, home }: DataBench,
  state: string,
  category: string,
): Promise<void> {
  const env = environment(`${home}/state-${state}`);
  await using server = new ServerProcess([baton, 'stdio'], workspaceOf(home, 'many'), env);
  figures.add('describe tokens', 'baton', countTokens(await textOf(server, {})));
  figures.add('describe category', 'baton', countTokens(await textOf(server, { category })));
}

async function textOf(server: ServerProcess, args: object): Promise<string> {
  const params = { name: DESCRIBE, arguments: args };
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  await server.send(Buffer.from(`${JSON.stringify(message)}\n`));
  await server.received(1);
  return JSON.parse(server.takeLines()[0] ?? '').result.content[0].text;
}
