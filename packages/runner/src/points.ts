/** The moments between taking a job and being done with it, by name: for tests that stop time there. */
export const POINTS = [
  'claimed',
  'leftovers ended',
  'spawned',
  'start recorded',
  'first output',
  'exited',
  'output closed',
  'settled',
] as const;

export type Point = (typeof POINTS)[number];
export type OnPoint = (point: Point, job: string) => void;
