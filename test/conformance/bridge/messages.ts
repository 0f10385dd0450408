export type Id = string | number;

/** A JSON-RPC message, as far as the bridge looks into it. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: Id | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

type Meta = Readonly<Record<string, unknown>>;

export function metaOf({ params }: Message): Meta {
  return (params?._meta as Meta | undefined) ?? {};
}

export function withMeta(message: Message, more: Meta): Message {
  return {
    ...message,
    params: { ...message.params, _meta: { ...metaOf(message), ...more } },
  };
}

export function errorReply(id: Id | null, code: number, message: string): Message {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
