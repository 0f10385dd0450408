/** More characters than there are in a token of most texts. */
const CHARACTERS = 8;
/** Where there are more, it is blanks or lines drawn with signs. */
const MOST_CHARACTERS = 32;
/** Of the room, this may stay unused. */
const PRECISION = 0.02;

export interface Beginning {
  readonly length: number;
  readonly price: number;
}

/**
 * How much of the beginning of a text costs no more than there is room for; nearly the most. A long
 * text is counted a few times, and never much more of it than there is room for.
 */
export function longestWithin(
  text: string,
  room: number,
  priceOf: (text: string) => number,
): Beginning {
  const most = Math.min(text.length, room * MOST_CHARACTERS);
  let fitting: Beginning = { length: 0, price: 0 };
  let tooLong: Beginning | undefined;
  for (let guess = room * CHARACTERS; !tooLong; guess *= 2) {
    const length = Math.min(guess, most);
    const tried = { length, price: priceOf(text.slice(0, length)) };
    if (tried.price > room) tooLong = tried;
    else if (length === most) return tried;
    else fitting = tried;
  }
  while (tooLong.length - fitting.length > 1 && fitting.price < room * (1 - PRECISION) - 1) {
    const length = between(fitting, tooLong, room);
    const tried = { length, price: priceOf(text.slice(0, length)) };
    if (tried.price > room) tooLong = tried;
    else fitting = tried;
  }
  return fitting;
}

/** The price grows with the length: not evenly, so the middle is where the guess may not leave. */
function between(fitting: Beginning, tooLong: Beginning, room: number): number {
  const share = (room - fitting.price) / (tooLong.price - fitting.price);
  const guess = Math.min(0.9, Math.max(0.1, share * 0.98));
  const length = fitting.length + Math.floor((tooLong.length - fitting.length) * guess);
  return Math.min(tooLong.length - 1, Math.max(fitting.length + 1, length));
}
