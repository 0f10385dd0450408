/** Of a statement, in characters. */
export const LONGEST_SQL = 20_000;
export const USUAL_ROWS = 100;
export const MOST_ROWS = 1000;
