import * as z from 'zod';

/** Requests to the client in the words of the suite. */
export function form<Schema extends z.ZodObject>(message: string, schema: Schema) {
  return { kind: 'ask', message, schema } as const;
}

export function sampling(text: string, maxTokens = 100) {
  const messages = [{ role: 'user', content: { type: 'text', text } }] as const;
  return { kind: 'sample', messages, maxTokens } as const;
}

export const roots = { kind: 'roots' } as const;

export const NAME = z.object({ name: z.string() });
export const OK = z.object({ ok: z.boolean() });
