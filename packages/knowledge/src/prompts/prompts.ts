import { escapeLine, type Prompt } from '@baton/core';
import type { FoundPiece } from '../library.ts';
import type { PieceArgument } from '../reading/piece.ts';
import { shortened } from '../reading/shortened.ts';
import type { KnowledgeService } from '../service.ts';
import { substitute } from './substitute.ts';

const LONGEST_HINT = 100;

/** A workflow as a prompt that people choose in their client. */
export function promptOf(piece: FoundPiece): Prompt<KnowledgeService> {
  return {
    name: promptName(piece.id),
    title: escapeLine(piece.title),
    description: escapeLine(piece.description),
    arguments: piece.arguments.map((argument) => ({
      name: argument.name,
      description: escapeLine([argument.description, hintOf(argument)].filter(Boolean).join(' ')),
      required: argument.required,
    })),
    complete(_, argument, typed) {
      const values = piece.arguments.find(({ name }) => name === argument)?.values ?? [];
      return values
        .map(escapeLine)
        .filter((value) => value.toLowerCase().startsWith(typed.toLowerCase()));
    },
    render: (service, values) => substitute(service.textOf(piece), piece.arguments, values),
  };
}

/** What may be given, for clients that show no completions. */
function hintOf({ values, default: initial }: PieceArgument): string {
  const hints = [
    values.length > 0 && `one of ${shortened(values.join(', '), LONGEST_HINT)}`,
    initial !== undefined && `default: ${shortened(initial, LONGEST_HINT)}`,
  ].filter(Boolean);
  return hints.length > 0 ? `(${hints.join('; ')})` : '';
}

/** Clients make commands of it, with slashes of their own. */
function promptName(id: string): string {
  return id.replaceAll('/', '-');
}
