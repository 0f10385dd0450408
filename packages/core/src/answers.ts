import * as z from 'zod';
import type { ClientRequest } from './asking.ts';

/** The answer, unless it makes no sense: it comes from outside, whoever has signed it. */
export function readAnswer(
  request: ClientRequest,
  answer: unknown,
): { readonly value: unknown } | undefined {
  if (answer === null && request.kind === 'ask') return { value: undefined };
  const parsed = schemaOf(request).safeParse(answer);
  return parsed.success ? { value: parsed.data } : undefined;
}

/** Made when it is needed: most processes never ask. */
function schemaOf(request: ClientRequest): z.ZodType {
  switch (request.kind) {
    case 'ask':
      return request.schema;
    case 'sample':
      return z.object({
        model: z.string(),
        // Clients send one part or a list of them.
        content: z.preprocess((given) => (Array.isArray(given) ? given : [given]), z.array(part())),
      });
    case 'roots':
      return z.array(z.object({ uri: z.string(), name: z.string().optional() }));
  }
}

function part(): z.ZodType {
  return z.union([
    z.object({ type: z.literal('text'), text: z.string() }),
    z.object({ type: z.enum(['image', 'audio']), mimeType: z.string(), data: z.string() }),
  ]);
}
