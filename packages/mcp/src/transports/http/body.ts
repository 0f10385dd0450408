import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { Code } from '../../protocol-error.ts';
import { errorReply } from '../frame.ts';
import { type Refusal, refusal } from './refusal.ts';

export type Body =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** The client went away while it was still sending. */
  | { readonly kind: 'gone' };

/** The JSON of a request, or why there is none. Bytes beyond the limit are dropped as they come. */
export async function readJson(request: IncomingMessage, limit: number): Promise<Body> {
  const fault = contentFault(request);
  if (fault) return { kind: 'refused', refusal: fault };
  if (Number(request.headers['content-length'] ?? 0) > limit) return tooLarge(limit);
  const bytes = await readBytes(request, limit);
  if (bytes === 'gone') return { kind: 'gone' };
  if (bytes === 'too large') return tooLarge(limit);
  return parse(bytes);
}

function contentFault({ headers }: IncomingMessage): Refusal | undefined {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith('charset='));
  const isJson = type.trim() === 'application/json';
  const isUtf = charset === undefined || /^charset="?utf-8"?$/.test(charset);
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (isJson && isUtf && encoding === 'identity') return undefined;
  return refusal(415, 'unsupported_media_type', 'A message must be plain JSON in UTF-8.', {
    next: 'Send it with the header `Content-Type: application/json` and without compression.',
  });
}

function readBytes(
  request: IncomingMessage,
  limit: number,
): Promise<Buffer | 'gone' | 'too large'> {
  return new Promise((resolve) => {
    const parts: Buffer[] = [];
    let length = 0;
    request.on('data', (part: Buffer) => {
      length += part.length;
      if (length <= limit) parts.push(part);
      else {
        parts.length = 0;
        resolve('too large');
      }
    });
    request.on('end', () => resolve(Buffer.concat(parts)));
    request.on('error', () => resolve('gone'));
    request.on('close', () => resolve('gone'));
  });
}

function tooLarge(limit: number): Body {
  const what = `A message may have at most ${limit} bytes.`;
  return {
    kind: 'refused',
    refusal: refusal(413, 'too_large', what, {
      next: 'Send less at once, or raise the limit with --max-message-bytes.',
    }),
  };
}

function parse(bytes: Buffer): Body {
  try {
    if (!isUtf8(bytes)) throw new Error('the body is not UTF-8');
    return { kind: 'value', value: JSON.parse(bytes.toString()) };
  } catch (error) {
    const reply = errorReply(null, Code.parse, `Parse error: ${(error as Error).message}`);
    return { kind: 'refused', refusal: { status: 400, reply } };
  }
}
