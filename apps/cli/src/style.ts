import type { Io } from './io.ts';

type Paint = (text: string) => string;

export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
}

const plain: Paint = (text) => text;
const NO_STYLE: Style = {
  bold: plain,
  dim: plain,
  red: plain,
  green: plain,
  yellow: plain,
  cyan: plain,
};

function paint(on: number, off: number): Paint {
  return (text) => `\u001b[${on}m${text}\u001b[${off}m`;
}

const COLOURS: Style = {
  bold: paint(1, 22),
  dim: paint(2, 22),
  red: paint(31, 39),
  green: paint(32, 39),
  yellow: paint(33, 39),
  cyan: paint(36, 39),
};

/** A terminal that understands more than text. */
export function isDrawable({ stdout, env }: Io): boolean {
  return Boolean(stdout.isTTY) && env.TERM !== 'dumb';
}

/** See no-color.org. */
export function styleFor(io: Io): Style {
  return isDrawable(io) && !io.env.NO_COLOR ? COLOURS : NO_STYLE;
}

/** 3.2 s, 4 min 10 s, 2 h 5 min. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** How long ago: 5 min ago, 3 h ago, 2 days ago. */
export function ago(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.floor(hours / 24)} days ago`;
}
