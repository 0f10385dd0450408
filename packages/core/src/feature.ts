import type { Ports } from './ports.ts';
import type { Prompt } from './prompt.ts';
import type { Tool } from './tool.ts';

/** A text, or bytes in base64. */
export type ResourceContents =
  | { readonly mimeType: string; readonly text: string }
  | { readonly mimeType: string; readonly blob: string };

export interface Resource<Service = unknown> {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  read(service: Service, signal: AbortSignal): ResourceContents | Promise<ResourceContents>;
}

export type TemplateVariables = Readonly<Record<string, string>>;

export interface ResourceTemplate<Service = unknown> {
  readonly uriTemplate: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** An old form of URI: it works as it did, but is not listed any more. */
  readonly isHidden?: true;
  /** Reads a URI where the template alone cannot, `undefined` if it is none of its own. */
  match?(uri: string): TemplateVariables | undefined;
  /** Values for a variable that continue what has been typed. */
  complete?(service: Service, variable: string, typed: string): string[] | Promise<string[]>;
  /** `undefined` when there is no such resource; a BatonError says what is wrong with the URI. */
  read(
    service: Service,
    variables: TemplateVariables,
    signal: AbortSignal,
  ): ResourceContents | undefined | Promise<ResourceContents | undefined>;
  /** Calls back when it has changed, while a client is subscribed to it, until it is ended. */
  watch?(service: Service, variables: TemplateVariables, changed: () => void): Promise<() => void>;
}

export interface Feature<Service = unknown> {
  readonly id: string;
  /** What a model should know about the feature in one or two sentences. */
  readonly instructions?: string;
  readonly tools: readonly Tool<Service>[];
  readonly resources?: readonly Resource<Service>[];
  readonly resourceTemplates?: readonly ResourceTemplate<Service>[];
  readonly prompts?: readonly Prompt<Service>[];
  /**
   * Prompts that come from files and can change at any time, asked for by each request that needs
   * them. Whoever finds out that they have changed publishes `{ kind: 'prompts' }`. Their names and
   * those of their arguments are shown as they are, so offer none with control characters.
   */
  findPrompts?(service: Service): readonly Prompt<Service>[] | Promise<readonly Prompt<Service>[]>;
  /** Called on first use, once per process: whatever is slow belongs here. */
  create(ports: Ports): Service | Promise<Service>;
}

export function defineFeature<Service>(feature: Feature<Service>): Feature<Service> {
  return Object.freeze(feature);
}
