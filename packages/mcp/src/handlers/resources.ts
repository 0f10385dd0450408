import type { Bound, ResourceContents, ResourceTemplate, TemplateVariables } from '@baton/core';
import { UriTemplate } from '@modelcontextprotocol/server';
import type { Connection } from '../adapter.ts';
import { pageOf } from '../paging.ts';
import { invalidParams } from '../protocol-error.ts';
import type { ProtocolServer } from '../protocol-server.ts';

/** A client cannot make Baton remember more than this. */
const MAX_SUBSCRIPTIONS = 1000;
const MAX_URI_LENGTH = 8192;

interface Match {
  readonly template: Bound<ResourceTemplate>;
  readonly variables: TemplateVariables;
}

export function handleResources(server: ProtocolServer, connection: Connection): Set<string> {
  const { resources, resourceTemplates } = connection.baton.catalogue;
  const subscribed = new Set<string>();

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
    const { items, ...next } = pageOf(resourceTemplates, cursor, ({ item }) => item.uriTemplate);
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

  const match = (uri: string): Match | undefined => {
    if (uri.length > MAX_URI_LENGTH) return undefined;
    for (const template of resourceTemplates) {
      const variables = matchTemplate(template.item.uriTemplate, uri);
      if (variables) return { template, variables };
    }
    return undefined;
  };

  const read = async (uri: string, signal: AbortSignal): Promise<ResourceContents | undefined> => {
    const fixed = resources.find(({ item }) => item.uri === uri);
    if (fixed) return fixed.item.read(await fixed.service(), signal);
    const found = match(uri);
    return found?.template.item.read(await found.template.service(), found.variables, signal);
  };

  server.on('resources/read', async ({ uri }, context) => {
    const contents = await read(uri, context.mcpReq.signal);
    if (!contents) throw unknownResource(uri);
    return { contents: [{ uri, ...contents }] };
  });

  server.on('resources/subscribe', ({ uri }) => {
    if (!resources.some(({ item }) => item.uri === uri) && !match(uri)) throw unknownResource(uri);
    if (subscribed.size >= MAX_SUBSCRIPTIONS) {
      throw invalidParams(
        `At most ${MAX_SUBSCRIPTIONS} subscriptions: unsubscribe from some first.`,
      );
    }
    subscribed.add(uri);
    return {};
  });

  server.on('resources/unsubscribe', ({ uri }) => {
    subscribed.delete(uri);
    return {};
  });

  return subscribed;
}

function unknownResource(uri: string) {
  const shown = uri.slice(0, 500);
  return invalidParams(`There is no resource ${shown}. Call resources/list to see what there is.`, {
    uri: shown,
  });
}

function matchTemplate(template: string, uri: string): TemplateVariables | undefined {
  const found = new UriTemplate(template).match(uri);
  if (!found) return undefined;
  try {
    return Object.fromEntries(
      Object.entries(found).map(([name, value]) => [name, decodeURIComponent(String(value))]),
    );
  } catch {
    return undefined; // A stray % is no URI of ours.
  }
}
