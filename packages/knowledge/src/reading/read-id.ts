import path from 'node:path';
import { kindOf } from './piece.ts';

const ID = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._/-]{0,119}$/u;
const NOT_IN_IDS = /[^\p{L}\p{N}\p{M}._/-]+/gu;
const LONGEST = 120;

/** The id that a file gives itself, or `undefined` if that is none. */
export function givenId(given: string): string | undefined {
  const id = given.trim().normalize('NFC').replace(/\s+/g, '-');
  const isPath = id.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  return ID.test(id) && isPath ? id : undefined;
}

/** By its place: without the folder of its kind, and a skill by its folder. */
export function idFromPath(file: string): string {
  const parts = file
    .normalize('NFC')
    .replace(/\.[^./]+$/, '')
    .split('/');
  if (parts.length > 1 && /^skill$/i.test(parts.at(-1) ?? '')) parts.pop();
  const kept = parts.filter((part, index) => {
    const isLast = index === parts.length - 1;
    return isLast || (part !== '_fragments' && kindOf(part) === undefined);
  });
  const id = [...kept.join('/').replace(NOT_IN_IDS, '-')].slice(0, LONGEST).join('');
  return id || 'unnamed';
}

export function titleFromId(id: string): string {
  const words = path.posix
    .basename(id)
    .replace(/[-_.]+/g, ' ')
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1) || id;
}
