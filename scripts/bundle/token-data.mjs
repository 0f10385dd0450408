import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tokenizer = path.join(root, 'node_modules/gpt-tokenizer');

/** The tokens of o200k as packages/knowledge/src/tokens/token-data.ts reads them, and whose they are. */
export function makeTokenData() {
  const licence = readFileSync(path.join(tokenizer, 'LICENSE'));
  return { 'o200k.bin': encode(readTokens()), 'o200k.LICENSE': licence };
}

/** A digest, how many tokens there are, the length of each in the order of ranks, their bytes. */
function encode(tokens) {
  const count = Buffer.alloc(4);
  count.writeUInt32LE(tokens.length);
  const data = Buffer.concat([count, Buffer.from(tokens.map(({ length }) => length)), ...tokens]);
  return Buffer.concat([createHash('sha256').update('baton o200k 1').update(data).digest(), data]);
}

function readTokens() {
  const lines = readFileSync(path.join(tokenizer, 'data/o200k_base.tiktoken'), 'latin1');
  return lines
    .trimEnd()
    .split('\n')
    .map((line, place) => {
      const [token, rank] = line.split(' ');
      if (Number(rank) !== place) throw new Error(`No token of o200k has the rank ${place}`);
      return Buffer.from(token, 'base64');
    });
}
