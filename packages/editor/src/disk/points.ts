/** The moments of a change, by name: for tests that stop time there. */
export type Point =
  | 'recovered'
  | 'checked'
  | 'journal written'
  | 'temporary file written'
  | 'prepared'
  | 'committed'
  | 'replaced'
  | 'writes noted'
  | 'folder made'
  | 'linked'
  | 'moved'
  | 'move noted'
  | 'settled'
  | 'done'
  | 'turned back'
  | 'taken back';

export type OnPoint = (point: Point) => void | Promise<void>;
