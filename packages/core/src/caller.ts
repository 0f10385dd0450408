/** Who calls, as far as the transport knows. */
export interface Caller {
  /**
   * The same for all calls of one connection; absent where requests stand alone. At least 122
   * random bits.
   */
  readonly connection?: string;
  /** What the client calls itself: for people, never for decisions. */
  readonly name?: string;
}

const MAX_NAME_LENGTH = 100;

export function createCaller(connection: string | undefined, name: string | undefined): Caller {
  return {
    ...(connection !== undefined && { connection }),
    ...(name && { name: name.slice(0, MAX_NAME_LENGTH) }),
  };
}
