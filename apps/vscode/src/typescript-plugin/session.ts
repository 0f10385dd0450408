/** Answers a command of TypeScript's server. */
export type Handler<Arguments = never, Response = unknown> = (request: {
  readonly arguments: Arguments;
}) => { readonly response?: Response; readonly responseRequired?: boolean };

export type Handlers = Pick<Map<string, Handler>, 'get' | 'has' | 'set'>;

/** As much as is used of a session of TypeScript's server. */
export interface Session {
  /** Private there. */
  readonly handlers?: Handlers;
  addProtocolHandler(command: string, handler: Handler): void;
}
