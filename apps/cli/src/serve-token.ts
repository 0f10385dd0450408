import path from 'node:path';
import {
  checkToken,
  createToken,
  readToken,
  removeToken,
  userTokenFile,
  writeToken,
} from '@baton/runtime';

export interface TokenPlace {
  /** Where the token is, in words. */
  readonly text: string;
  /** What stands for it in a shell. */
  readonly shell: string;
}

export interface ServeToken {
  readonly value: string;
  /** Makes it findable for clients of this user; called once the port is known. */
  publish(port: number): TokenPlace;
  withdraw(): void;
}

/** Given from outside, or the one that lasts, or one for this start only. */
export function chooseToken(given: string | undefined, state: string): ServeToken {
  if (given) {
    const place = { text: 'given in BATON_TOKEN', shell: '$BATON_TOKEN' };
    return kept(checkToken(given, 'BATON_TOKEN'), place);
  }
  const file = userTokenFile();
  const lasting = readToken(file);
  if (lasting) return kept(lasting, { text: `in ${file}, lasting`, shell: contentOf(file) });
  return forThisStart(state);
}

function kept(value: string, place: TokenPlace): ServeToken {
  return { value, publish: () => place, withdraw() {} };
}

function contentOf(file: string): string {
  return `$(cat '${file.replaceAll("'", "'\\''")}')`;
}

function forThisStart(state: string): ServeToken {
  const value = createToken();
  let file: string | undefined;
  return {
    value,
    publish(port) {
      file = path.join(state, `serve-${port}.token`);
      writeToken(file, value);
      const text = `in ${file}, new at each start (\`baton token\` makes one that lasts)`;
      return { text, shell: contentOf(file) };
    },
    withdraw() {
      if (file) removeToken(file);
    },
  };
}
