export type { Alias, Aliases } from './alias.ts';
export { approvalQuestion, describeCommands, notTrusted, type Unapproved } from './approval.ts';
export {
  AnswersNeeded,
  type Asking,
  CannotAsk,
  type ClientAbilities,
  type ClientAbility,
  type ClientRequest,
  type ClientRequests,
  createAsking,
} from './asking.ts';
export type { Baton } from './baton.ts';
export type { CallContext, CallOutcome } from './call.ts';
export { type Caller, createCaller } from './caller.ts';
export { type Bound, type Catalogue, createCatalogue } from './catalogue.ts';
export {
  type CheckDefinition,
  type CommandDefinition,
  commandSchemas,
  commandText,
  type Environment,
  type ProcessCommand,
  plainText,
  type ShellCommand,
} from './command.ts';
export { trustedCommand } from './command-approval.ts';
export { type Content, contentText, type MediaContent, type Message } from './content.ts';
export { BatonError, describeError, type ErrorReport } from './errors.ts';
export { createExecutor } from './executor.ts';
export {
  defineFeature,
  type Feature,
  type Resource,
  type ResourceContents,
  type ResourceTemplate,
  type TemplateVariables,
} from './feature.ts';
export { lazily } from './lazily.ts';
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
export { type Prompt, renderPrompt } from './prompt.ts';
export {
  type ProtectedPlace,
  protectedPlace,
  protectedPlaceError,
  requireUnprotected,
} from './protected-places.ts';
export { readableBlock, readableLine } from './readable.ts';
export { redact } from './redact.ts';
export { escapeData, renderText } from './render.ts';
export { type SchemaProblem, schemaProblems } from './schema-problems.ts';
export { stateUnwritable } from './state-unwritable.ts';
export {
  escapeControls,
  escapeLine,
  hasControls,
  nearest,
  truncate,
} from './text.ts';
export {
  defineTool,
  type Effect,
  type Progress,
  type Tool,
  type ToolContext,
  type ToolDefinition,
} from './tool.ts';
export type {
  CommandFile,
  CommandSource,
  CommandsOfFile,
  Plain,
  Trust,
  TrustedCommand,
} from './trust.ts';
