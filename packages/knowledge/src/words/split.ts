import { stem } from './stem.ts';
import { STOP_WORDS } from './stop-words.ts';

/** A word of a text as it stands there, and what else it can be found by. */
export interface Word {
  /** In lower case, without accents. */
  readonly text: string;
  readonly stem: string;
  /** Whether it says nothing about what a text is about. */
  readonly isStopWord: boolean;
  /** Stems of other forms: joined with what follows, or without its number. */
  readonly others: readonly string[];
  /** Stems of the parts of a name, such as `crash` and `loop` of `CrashLoop`. */
  readonly parts: readonly string[];
}

// Names whose signs belong to them come first; then words, with what joins them to the next.
const WORD =
  /\b[cC]\+\+|\b[cCfF]#|\.(?:NET|net)\b|\b[nN]\s?\+\s?1\b|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:(?:['’_.\-/]|::)[\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu;
const SIGNED_NAME = /^(?:[cf][+#]|\.net$|n\s?\+)/;
const JOINT = /['’_.\-/]|::/;
const HUMP = /(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;
/** Scripts that put no blanks between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;
const ACCENT = /[\u0300-\u036f]/g;
const LONGEST_WORD = 48;
const MOST_PARTS = 4;

/** Names with humps that are one word all the same: `JavaScript` has nothing to do with Java. */
const ONE_WORD = new Set(
  `javascript typescript coffeescript graphql postgresql mysql nosql sqlite mongodb dynamodb couchdb mariadb influxdb cockroachdb
  github gitlab bitbucket devops devsecops gitops mlops finops fastapi openapi pytorch tensorflow langchain langgraph llamaindex rabbitmq
  youtube linkedin whatsapp webassembly jquery circleci powershell ios macos ipados watchos tvos iphone ipad openai chatgpt huggingface
  bigquery clickhouse cloudflare cloudformation cloudfront cloudwatch opentelemetry oauth oauth2 elasticsearch opensearch wordpress phpunit junit pytest
  nestjs nextjs nodejs vuejs reactjs expressjs threejs webgl webrtc webpack esbuild eslint npm pnpm numpy scipy matplotlib opencv
  intellij vscode webstorm xcode testflight playstation powerbi sharepoint onedrive paypal netsuite salesforce hubspot terraform kotlin swiftui`.split(
    /\s+/,
  ),
);

/** Words as they were found before: most of a text are words that others have, too. */
const known = new Map<string, readonly Word[]>();
const MOST_KNOWN = 20_000;

/** Cuts a text into words. */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  for (const found of plain(text).match(WORD) ?? []) {
    if (found.length > LONGEST_WORD * MOST_PARTS) continue;
    let made = known.get(found);
    if (!made) {
      made = wordsIn(found);
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(found, made);
    }
    for (const word of made) words.push(word);
  }
  return words;
}

function plain(text: string): string {
  if (!/\P{ASCII}/u.test(text)) return text;
  return text.normalize('NFKD').replace(ACCENT, '').normalize('NFC');
}

function wordsIn(found: string): readonly Word[] {
  const lower = found.toLowerCase().replaceAll('’', "'");
  if (SIGNED_NAME.test(lower)) return [word(lower.replaceAll(' ', ''))];
  if (UNSPACED.test(found)) return pairsOf(lower);
  const parts = found.split(JOINT);
  if (parts.length === 1) return [single(found)];
  if (isContraction(lower)) {
    return [STOP_WORDS.has(lower) ? word(lower) : single(lower.split("'")[0] ?? lower)];
  }
  const joined = parts.join('').toLowerCase();
  const isName = parts.length <= MOST_PARTS && joined.length <= LONGEST_WORD;
  return parts.map((part, index) => single(part, index === 0 && isName ? [joined] : []));
}

/** Every two neighbouring letters: longer words are found by all of theirs. */
function pairsOf(text: string): readonly Word[] {
  const letters = [...text];
  if (letters.length < 2) return [word(text)];
  return letters.slice(1).map((letter, index) => word(`${letters[index]}${letter}`));
}

function isContraction(lower: string): boolean {
  return /^\p{L}+'\p{L}+$/u.test(lower);
}

function single(found: string, joined: readonly string[] = []): Word {
  const text = found.toLowerCase();
  if (text.length > LONGEST_WORD) return word(text.slice(0, LONGEST_WORD), joined);
  const unnumbered = /^(\p{L}{3,})\d+$/u.exec(text)?.[1];
  return word(text, unnumbered ? [...joined, unnumbered] : joined, humpsOf(found, text));
}

function word(text: string, others: readonly string[] = [], parts: readonly string[] = []): Word {
  return {
    text,
    stem: stem(text),
    isStopWord: STOP_WORDS.has(text),
    others: stemsOf(others),
    parts: stemsOf(parts),
  };
}

function stemsOf(words: readonly string[]): readonly string[] {
  return words.filter((one) => !STOP_WORDS.has(one)).map(stem);
}

function humpsOf(found: string, text: string): readonly string[] {
  if (ONE_WORD.has(text)) return [];
  const humps = found.split(HUMP);
  if (humps.length < 2 || humps.length > 2 * MOST_PARTS) return [];
  return humps.filter((hump) => hump.length > 1).map((hump) => hump.toLowerCase());
}
