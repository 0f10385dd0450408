import { DatabaseSync } from '@photostructure/sqlite';
import lunr from 'lunr';
import MiniSearch from 'minisearch';
import type { Document } from './material.ts';

/** Something that ranks documents by a request. */
export interface Engine {
  search(request: string): readonly string[];
  /** What it takes to keep the index in a file. */
  indexBytes(): number;
}

export const PEERS = ['minisearch', 'lunr', 'fts5'] as const;
export type Peer = (typeof PEERS)[number];

/**
 * Each gets the same fields, and of the weights and options in its documentation those that did best
 * on the tuning set.
 */
export const peers: Readonly<Record<Peer, (documents: readonly Document[]) => Engine>> = {
  minisearch,
  lunr: lunrEngine,
  fts5,
};

const FIELDS = ['title', 'tags', 'useWhen', 'capabilities', 'description', 'body'] as const;
const BOOST = { title: 3, tags: 2, useWhen: 4, capabilities: 2, description: 3, body: 1 };
const STRONG_BOOST = { title: 5, tags: 3, useWhen: 10, capabilities: 3, description: 5, body: 1 };
const MOST = 10;
/** Shorter words are not searched for as if they were misspelt: too many others are like them. */
const LONG_ENOUGH = 4;
/** In lunr, what a word counts as it is written, against 1 for one that differs by a letter. */
const AS_WRITTEN = 10;

function fieldsOf({ file, piece }: Document) {
  return {
    id: file,
    title: `${piece.title} ${piece.id}`,
    tags: piece.tags.join(' '),
    useWhen: piece.useWhen.join(' '),
    capabilities: piece.capabilities.join(' '),
    description: piece.description,
    body: piece.body,
  };
}

function minisearch(documents: readonly Document[]): Engine {
  const index = new MiniSearch({
    fields: [...FIELDS],
    processTerm: (term) => (isStopWord(term.toLowerCase()) ? null : term.toLowerCase()),
    searchOptions: {
      boost: BOOST,
      prefix: (term) => term.length >= LONG_ENOUGH,
      fuzzy: (term) => (term.length >= LONG_ENOUGH ? 0.2 : false),
    },
  });
  index.addAll(documents.map(fieldsOf));
  return {
    search: (request) =>
      index
        .search(request)
        .slice(0, MOST)
        .map(({ id }) => String(id)),
    indexBytes: () => Buffer.byteLength(JSON.stringify(index)),
  };
}

/** It brings no list of its own; lunr does. */
function isStopWord(word: string): boolean {
  return lunr.stopWordFilter(new lunr.Token(word, {})) === undefined;
}

function lunrEngine(documents: readonly Document[]): Engine {
  const index = lunr((builder) => {
    builder.ref('id');
    for (const field of FIELDS) builder.field(field, { boost: BOOST[field] });
    for (const document of documents) builder.add(fieldsOf(document));
  });
  return {
    search: (request) =>
      index
        .query((query) => {
          // Its own language of requests would take signs in them for operators.
          for (const word of lunr.tokenizer(request).map(String)) {
            query.term(word, { boost: AS_WRITTEN });
            if (word.length >= LONG_ENOUGH) query.term(word, { editDistance: 1 });
          }
        })
        .slice(0, MOST)
        .map(({ ref }) => ref),
    indexBytes: () => Buffer.byteLength(JSON.stringify(index)),
  };
}

function fts5(documents: readonly Document[]): Engine {
  const database = new DatabaseSync(':memory:');
  database.exec(
    `create virtual table pieces using fts5(file unindexed, ${FIELDS.join(', ')}, tokenize = 'porter unicode61')`,
  );
  const insert = database.prepare(
    `insert into pieces values (?, ${FIELDS.map(() => '?').join(', ')})`,
  );
  database.exec('begin');
  for (const document of documents) {
    const fields = fieldsOf(document);
    insert.run(fields.id, ...FIELDS.map((field) => fields[field]));
  }
  database.exec('commit');
  const weights = FIELDS.map((field) => STRONG_BOOST[field]).join(', ');
  const find = database.prepare(
    `select file from pieces where pieces match ? order by bm25(pieces, 0, ${weights}) limit ${MOST}`,
  );
  const number = (pragma: string) => Number(Object.values(database.prepare(pragma).get() ?? {})[0]);
  return {
    search(request) {
      const words = request.match(/[\p{L}\p{N}]+/gu) ?? [];
      if (words.length === 0) return [];
      const rows = find.all(words.map((word) => `"${word}"`).join(' OR '));
      return rows.map((row) => String((row as { file: unknown }).file));
    },
    indexBytes: () => number('pragma page_count') * number('pragma page_size'),
  };
}
