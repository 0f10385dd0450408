import { argumentsOf } from '../prompts/substitute.ts';
import { readArguments } from './arguments.ts';
import { type Head, readHead } from './front-matter.ts';
import { firstParagraph, itemsOf, outline, type Section } from './outline.ts';
import { KINDS, type Kind, kindOf, type Piece, type Problem } from './piece.ts';
import { givenId, idFromPath, titleFromId } from './read-id.ts';
import { sentencesIn, textIn, wordsIn } from './values.ts';

/** More of them say no more about what a text is about. */
const MOST_HEADINGS = 300;

export interface ReadPiece {
  readonly piece: Piece;
  readonly problems: readonly Problem[];
}

/** Says what is wrong with a value of the front matter. */
type Warn = (name: string, message: string) => void;

const CAPABILITIES = /^(?:core )?capabilit/i;
const USE_WHEN = /^(?:when to use|use (?:this )?when|use cases?)/i;

/**
 * A Markdown file as a piece: a fragment, a skill, an agent's file, or any other text. It says
 * itself what kind it is of, unless that is known.
 */
export async function readPiece(file: string, text: string, known?: Kind): Promise<ReadPiece> {
  const head = await readHead(text);
  const problems: Problem[] = head.problems
    // Whatever follows the first of a line follows from it.
    .filter(({ line }, place, all) => all.findIndex((other) => other.line === line) === place)
    .map((one) => ({ ...one, file, severity: 'warning' }));
  const warn: Warn = (name, message) => {
    problems.push({ file, line: head.lineOf(name), column: 1, severity: 'warning', message });
  };
  const { values, body } = head;
  const sections = outline(body);
  const kind = known ?? readKind(file, head, warn);
  const id = readId(file, head, warn);
  const title = textIn(values.get('title')) || sections.find(({ level }) => level === 1)?.heading;
  const described = textIn(values.get('description')) || textIn(values.get('summary'));
  const declared = readArguments(values.get('arguments') ?? values.get('args'), (message) =>
    warn('arguments', message),
  );
  if (body.trim() === '') warn('', 'There is no text besides the front matter.');
  const sentences = (names: readonly string[], heading: RegExp) => {
    const given = names.map((name) => sentencesIn(values.get(name)));
    return given.find(({ length }) => length > 0) ?? itemsUnder(body, sections, heading);
  };
  const tags = wordsIn(values.get('tags') ?? values.get('keywords'));
  const piece: Piece = {
    kind,
    id,
    title: title || titleFromId(id),
    description: described || textIn(firstParagraph(body, sections)),
    tags: [...new Set(tags.map((tag) => tag.toLowerCase()))],
    capabilities: sentences(['capabilities'], CAPABILITIES),
    useWhen: sentences(
      ['useWhen', 'use-when', 'use_when', 'whenToUse', 'when_to_use', 'when-to-use'],
      USE_WHEN,
    ),
    arguments: kind === 'workflow' ? argumentsOf(declared, body) : declared,
    headings: sections.flatMap(({ heading }) => heading || []).slice(0, MOST_HEADINGS),
    body,
  };
  return { piece, problems };
}

/** Other programs give `type` and `category` meanings of their own. */
function readKind(file: string, { values }: Head, warn: Warn): Kind {
  const named = ['kind', 'category', 'type'].map((name) => ({ name, given: values.get(name) }));
  for (const { name, given } of named) {
    const kind = typeof given === 'string' ? kindOf(given.trim()) : undefined;
    if (kind) return kind;
    if (name === 'type' || typeof given !== 'string') continue;
    const shown = JSON.stringify(given.slice(0, 40));
    warn(name, `There is no kind ${shown}: it is one of ${KINDS.join(', ')}.`);
  }
  if (/(?:^|\/)SKILL\.md$/i.test(file)) return 'skill';
  const folders = file.split('/').slice(0, -1);
  if (folders.includes('commands')) return 'workflow';
  const byFolder = folders.map(kindOf).findLast((kind) => kind !== undefined);
  if (byFolder) return byFolder;
  if (folders.includes('prompts')) return 'workflow';
  return values.has('tools') || values.has('model') ? 'agent' : 'guide';
}

function readId(file: string, { values }: Head, warn: Warn): string {
  for (const name of ['id', 'name']) {
    const given = textIn(values.get(name));
    const id = givenId(given);
    if (id !== undefined) return id;
    if (given === '') continue;
    const shown = JSON.stringify(given.slice(0, 60));
    warn(name, `The id ${shown} is none: letters, digits, ".", "_", "-" and "/".`);
  }
  return idFromPath(file);
}

/** What is listed under a heading, and under those below it. */
function itemsUnder(body: string, sections: readonly Section[], heading: RegExp): string[] {
  const place = sections.findIndex((section) => heading.test(section.heading));
  const found = sections[place];
  if (!found) return [];
  const next = sections.slice(place + 1).find(({ level }) => level <= found.level);
  return sentencesIn(itemsOf(body.slice(found.text, next?.start ?? body.length)));
}
