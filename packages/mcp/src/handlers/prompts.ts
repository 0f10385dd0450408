import {
  type Bound,
  CannotAsk,
  escapeControls,
  nearest,
  type Prompt,
  renderPrompt,
  type TemplateVariables,
} from '@baton/core';
import type { Connection } from '../adapter.ts';
import { toMcpContent } from '../content.ts';
import { pageOf } from '../paging.ts';
import { invalidParams } from '../protocol-error.ts';
import type { ProtocolServer } from '../protocol-server.ts';
import { type AskingCall, askedBefore, cannotAsk, inputRequired } from './questions.ts';

export function handlePrompts(server: ProtocolServer, connection: Connection): void {
  const { listPrompts } = connection.baton.catalogue;

  server.on('prompts/list', async ({ cursor }) => {
    const { items, ...next } = pageOf(await listPrompts(), cursor, ({ item }) => item.name);
    return { ...next, prompts: items.map(({ item }) => describePrompt(item)) };
  });

  server.on('prompts/get', async ({ name, arguments: given = {} }, context) => {
    const found = findPrompt(await listPrompts(), name);
    checkArguments(found.item, given);
    // An argument may be called `toString`: one that was not given must not be inherited.
    const values: TemplateVariables = Object.assign(Object.create(null), given);
    const call: AskingCall = { method: 'prompts/get', name, args: values, context };
    const before = await askedBefore(server, connection, call);
    const outcome = await renderPrompt(found, values, before).catch((error: unknown) => {
      const isOurs = error instanceof CannotAsk && connection.era === 'modern';
      throw isOurs ? cannotAsk(error, error.missing) : error;
    });
    if (outcome.kind === 'question') {
      return inputRequired(connection, call, outcome.requests, before.answers);
    }
    return {
      description: escapeControls(found.item.description),
      messages: outcome.messages.map(({ role, content }) => ({
        role,
        content: toMcpContent(content),
      })),
    };
  });
}

/** Titles and descriptions may come from a file, and must not act on a terminal. */
function describePrompt({ name, title, description, arguments: taken }: Prompt) {
  return {
    name,
    title: escapeControls(title),
    description: escapeControls(description),
    arguments: taken.map((argument) => ({
      name: argument.name,
      description: escapeControls(argument.description),
      required: argument.required,
    })),
  };
}

function findPrompt(prompts: readonly Bound<Prompt>[], name: string): Bound<Prompt> {
  const found = prompts.find(({ item }) => item.name === name);
  if (found) return found;
  const meant = nearest(
    name,
    prompts.map(({ item }) => item.name),
  );
  const hint = meant ? ` Did you mean ${meant}?` : '';
  throw invalidParams(`There is no prompt ${JSON.stringify(name.slice(0, 100))}.${hint}`);
}

function checkArguments(prompt: Prompt, values: TemplateVariables): void {
  const known = prompt.arguments.map((argument) => argument.name);
  const unknown = Object.keys(values).filter((name) => !known.includes(name));
  const missing = prompt.arguments.filter(
    ({ name, required }) => required && !(Object.hasOwn(values, name) && values[name]),
  );
  if (unknown.length === 0 && missing.length === 0) return;
  const problems = [
    ...unknown.slice(0, 5).map((name) => `unknown argument ${JSON.stringify(name.slice(0, 60))}`),
    ...missing.map(({ name }) => `argument "${name}" is missing`),
  ];
  const list = known.length > 0 ? `It takes: ${known.join(', ')}.` : 'It takes no arguments.';
  throw invalidParams(`Prompt ${prompt.name}: ${problems.join(', ')}. ${list}`);
}
