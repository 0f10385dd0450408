export type { Baton } from './baton.ts';
export type { CallContext, CallOutcome } from './call.ts';
export { type Aliases, type Bound, type Catalogue, createCatalogue } from './catalogue.ts';
export { BatonError, describeError, type ErrorReport } from './errors.ts';
export { createExecutor } from './executor.ts';
export {
  defineFeature,
  type Feature,
  type Prompt,
  type Resource,
  type ResourceContents,
  type ResourceTemplate,
  type TemplateVariables,
} from './feature.ts';
export type {
  Change,
  ChangeFeed,
  Clock,
  Ids,
  Log,
  LogLevel,
  Ports,
  Workspace,
} from './ports.ts';
export { redact } from './redact.ts';
export { renderText } from './render.ts';
export { escapeControls, escapeLine, nearest, truncate } from './text.ts';
export { defineTool, type Effect, type Progress, type Question, type Tool } from './tool.ts';
