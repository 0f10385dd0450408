export { findMentions } from '../src/mentions/find-mentions.ts';
export { wordsForPath } from '../src/mentions/words-for-path.ts';
