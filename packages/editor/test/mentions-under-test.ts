export { findMentions } from '../src/mentions/find-mentions.ts';
export { wordsForPackage, wordsForPath } from '../src/mentions/words-for-path.ts';
