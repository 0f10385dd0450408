import type { Bound, ResourceTemplate, TemplateVariables } from '@baton/core';
import { UriTemplate } from '@modelcontextprotocol/server';

const MAX_URI_LENGTH = 8192;

export interface TemplateMatch {
  readonly template: Bound<ResourceTemplate>;
  readonly variables: TemplateVariables;
}

/** The first template that a URI fits. */
export function matchTemplates(
  templates: readonly Bound<ResourceTemplate>[],
  uri: string,
): TemplateMatch | undefined {
  if (uri.length > MAX_URI_LENGTH) return undefined;
  for (const template of templates) {
    const variables = variablesIn(template.item, uri);
    if (variables) return { template, variables };
  }
  return undefined;
}

/** A URI that cannot be read, because of a stray % for example, is none of the template's. */
function variablesIn(template: ResourceTemplate, uri: string): TemplateVariables | undefined {
  try {
    return template.match ? template.match(uri) : decoded(template.uriTemplate, uri);
  } catch {
    return undefined; // Thrown while a client subscribes, it would end the connection.
  }
}

function decoded(uriTemplate: string, uri: string): TemplateVariables | undefined {
  const found = new UriTemplate(uriTemplate).match(uri);
  if (!found) return undefined;
  return Object.fromEntries(
    Object.entries(found).map(([name, value]) => [name, decodeURIComponent(String(value))]),
  );
}
