import type { Connection } from '../adapter.ts';
import { invalidParams } from '../protocol-error.ts';
import type { ProtocolServer } from '../protocol-server.ts';

/** The protocol's own limit. */
const MAX_VALUES = 100;

export function handleCompletion(server: ProtocolServer, connection: Connection): void {
  const { listPrompts, resourceTemplates } = connection.baton.catalogue;

  server.on('completion/complete', async ({ ref, argument }) => {
    const found =
      ref.type === 'ref/prompt'
        ? (await listPrompts()).find(({ item }) => item.name === ref.name)
        : resourceTemplates.find(({ item }) => item.uriTemplate === ref.uri);
    if (!found) {
      const wanted = ref.type === 'ref/prompt' ? ref.name : ref.uri;
      throw invalidParams(
        `There is nothing to complete at ${JSON.stringify(wanted.slice(0, 200))}.`,
      );
    }
    const { complete } = found.item;
    const values = complete
      ? await complete.call(found.item, await found.service(), argument.name, argument.value)
      : [];
    return {
      completion: {
        values: values.slice(0, MAX_VALUES),
        total: values.length,
        hasMore: values.length > MAX_VALUES,
      },
    };
  });
}
