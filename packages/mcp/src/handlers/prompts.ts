import type { Prompt } from '@baton/core';
import { nearest } from '@baton/core';
import type { Connection } from '../adapter.ts';
import { pageOf } from '../paging.ts';
import { invalidParams } from '../protocol-error.ts';
import type { ProtocolServer } from '../protocol-server.ts';

export function handlePrompts(server: ProtocolServer, connection: Connection): void {
  const { prompts } = connection.baton.catalogue;

  server.on('prompts/list', ({ cursor }) => {
    const { items, ...next } = pageOf(prompts, cursor, ({ item }) => item.name);
    return {
      ...next,
      prompts: items.map(({ item }) => ({
        name: item.name,
        title: item.title,
        description: item.description,
        arguments: item.arguments.map((argument) => ({ ...argument })),
      })),
    };
  });

  server.on('prompts/get', async ({ name, arguments: values = {} }) => {
    const found = prompts.find(({ item }) => item.name === name);
    if (!found) {
      const meant = nearest(
        name,
        prompts.map(({ item }) => item.name),
      );
      const hint = meant ? ` Did you mean ${meant}?` : '';
      throw invalidParams(`There is no prompt ${JSON.stringify(name.slice(0, 100))}.${hint}`);
    }
    checkArguments(found.item, values);
    const text = await found.item.render(await found.service(), values);
    return {
      description: found.item.description,
      messages: [{ role: 'user', content: { type: 'text', text } }],
    };
  });
}

function checkArguments(prompt: Prompt, values: Readonly<Record<string, string>>): void {
  const known = prompt.arguments.map((argument) => argument.name);
  const unknown = Object.keys(values).filter((name) => !known.includes(name));
  const missing = prompt.arguments.filter(({ name, required }) => required && !(name in values));
  if (unknown.length === 0 && missing.length === 0) return;
  const problems = [
    ...unknown.slice(0, 5).map((name) => `unknown argument ${JSON.stringify(name.slice(0, 60))}`),
    ...missing.map(({ name }) => `argument "${name}" is missing`),
  ];
  const list = known.length > 0 ? `It takes: ${known.join(', ')}.` : 'It takes no arguments.';
  throw invalidParams(`Prompt ${prompt.name}: ${problems.join(', ')}. ${list}`);
}
