import { BatonError, type ResourceContents } from '@baton/core';
import type { Connection } from '../adapter.ts';
import { pageOf } from '../paging.ts';
import { invalidParams, refused } from '../protocol-error.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import { matchTemplates } from '../resource-templates.ts';
import type { Subscriptions } from '../subscriptions.ts';

export function handleResources(
  server: ProtocolServer,
  connection: Connection,
  subscribed: Subscriptions<string>,
): void {
  const { resources, resourceTemplates } = connection.baton.catalogue;

  server.on('resources/list', ({ cursor }) => {
    const { items, ...next } = pageOf(resources, cursor, ({ item }) => item.uri);
    return {
      ...next,
      resources: items.map(({ item: { uri, name, title, description, mimeType } }) => ({
        uri,
        name,
        title,
        description,
        mimeType,
      })),
    };
  });

  server.on('resources/templates/list', ({ cursor }) => {
    const listed = resourceTemplates.filter(({ item }) => !item.isHidden);
    const { items, ...next } = pageOf(listed, cursor, ({ item }) => item.uriTemplate);
    return {
      ...next,
      resourceTemplates: items.map(
        ({ item: { uriTemplate, name, title, description, mimeType } }) => ({
          uriTemplate,
          name,
          title,
          description,
          mimeType,
        }),
      ),
    };
  });

  const match = (uri: string) => matchTemplates(resourceTemplates, uri);

  const read = async (uri: string, signal: AbortSignal): Promise<ResourceContents | undefined> => {
    const fixed = resources.find(({ item }) => item.uri === uri);
    if (fixed) {
      const service = await fixed.service();
      return refusable(async () => fixed.item.read(service, signal));
    }
    const found = match(uri);
    if (!found) return undefined;
    const { template, variables } = found;
    const service = await template.service();
    return refusable(async () => template.item.read(service, variables, signal));
  };

  server.on('resources/read', async ({ uri }, context) => {
    const contents = await read(uri, context.mcpReq.signal);
    if (!contents) throw unknownResource(uri);
    return { contents: [{ uri, ...contents }] };
  });

  server.on('resources/subscribe', ({ uri }) => {
    if (!resources.some(({ item }) => item.uri === uri) && !match(uri)) throw unknownResource(uri);
    if (!subscribed.has(uri)) subscribed.add(uri, [uri]);
    return {};
  });

  server.on('resources/unsubscribe', ({ uri }) => {
    subscribed.remove(uri);
    return {};
  });
}

/** What a resource says about its URI is for the client; that a feature cannot start is not. */
async function refusable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof BatonError ? refused(error) : error;
  }
}

function unknownResource(uri: string) {
  const shown = uri.slice(0, 500);
  return invalidParams(`There is no resource ${shown}. Call resources/list to see what there is.`, {
    uri: shown,
  });
}
