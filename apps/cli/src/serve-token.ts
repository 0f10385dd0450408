import path from 'node:path';
import {
  checkToken,
  createToken,
  readToken,
  removeToken,
  userTokenFile,
  writeToken,
} from '@baton/runtime';

export interface ServeToken {
  readonly value: string;
  /** Makes it findable for clients of this user and says where; called once the port is known. */
  publish(port: number): string;
  withdraw(): void;
}

/** Given from outside, or the one that lasts, or one for this start only. */
export function chooseToken(given: string | undefined, state: string): ServeToken {
  if (given) return kept(checkToken(given, 'BATON_TOKEN'), 'given in BATON_TOKEN');
  const lasting = readToken(userTokenFile());
  return lasting ? kept(lasting, `in ${userTokenFile()}, lasting`) : forThisStart(state);
}

function kept(value: string, where: string): ServeToken {
  return { value, publish: () => where, withdraw() {} };
}

function forThisStart(state: string): ServeToken {
  const value = createToken();
  let file: string | undefined;
  return {
    value,
    publish(port) {
      file = path.join(state, `serve-${port}.token`);
      writeToken(file, value);
      return `in ${file}, new at each start (\`baton token\` makes one that lasts)`;
    },
    withdraw() {
      if (file) removeToken(file);
    },
  };
}
