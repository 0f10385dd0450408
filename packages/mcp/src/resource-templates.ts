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
    const variables = variablesIn(template.item.uriTemplate, uri);
    if (variables) return { template, variables };
  }
  return undefined;
}

function variablesIn(template: string, uri: string): TemplateVariables | undefined {
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
