import { BatonError } from '@baton/core';
import { type ParseError, printParseErrorCode } from 'jsonc-parser';

const FAULTS: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a key in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'something follows the end of the settings',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a text has no end',
  UnexpectedEndOfNumber: 'a number has no end',
  InvalidUnicode: 'an escape in a text is not valid',
  InvalidEscapeCharacter: 'an escape in a text is not valid',
  InvalidCharacter: 'a text contains a control character',
};

export function faultOf({ error }: ParseError): string {
  return FAULTS[printParseErrorCode(error)] ?? 'this is neither a value nor a comment';
}

export function unreadable(text: string, offset: number, fault: string): BatonError {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  const column = (lines.at(-1)?.length ?? 0) + 1;
  return new BatonError(
    'settings_unreadable',
    `settings.json cannot be read: line ${lines.length}, column ${column}: ${fault}.`,
    'Correct the file there, or ask the person who owns it to, and call again. Nothing was changed.',
  );
}
