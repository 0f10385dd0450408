/** Parts of a pattern. What one character must be is a test of it alone. */
export type Part =
  | { readonly kind: 'character'; readonly test: (character: string) => boolean }
  | { readonly kind: 'assertion'; readonly holds: Assertion }
  | { readonly kind: 'all'; readonly parts: readonly Part[] }
  | { readonly kind: 'any'; readonly options: readonly Part[] }
  | { readonly kind: 'repeat'; readonly part: Part; readonly min: number; readonly max: number };

/** Whether a place between characters is the one that is meant. */
export type Assertion = (characters: readonly string[], place: number) => boolean;

type Step =
  | { readonly test: (character: string) => boolean }
  | { readonly holds: Assertion }
  | { to: readonly number[] }
  | 'found';

const MOST_STEPS = 2000;
const MOST_PARTS = 10_000;

export class TooLarge extends Error {}

/** The steps of a pattern. Each is looked at once a character, so that time is linear. */
export function compileProgram(pattern: Part): (text: string) => boolean {
  const steps: Step[] = [];
  const progress = { parts: 0 };
  emit(pattern, steps, progress);
  steps.push('found');
  return (text) => run(steps, Array.from(text));
}

function emit(part: Part, steps: Step[], progress: { parts: number }): void {
  progress.parts += 1;
  if (steps.length > MOST_STEPS || progress.parts > MOST_PARTS) throw new TooLarge();
  if (part.kind === 'character') steps.push({ test: part.test });
  else if (part.kind === 'assertion') steps.push({ holds: part.holds });
  else if (part.kind === 'all') for (const one of part.parts) emit(one, steps, progress);
  else if (part.kind === 'any') emitOptions(part.options, steps, progress);
  else emitRepeated(part, steps, progress);
}

function emitOptions(options: readonly Part[], steps: Step[], progress: { parts: number }): void {
  const fork: { to: readonly number[] } = { to: [] };
  steps.push(fork);
  const ends = options.map((option) => {
    fork.to = [...fork.to, steps.length];
    emit(option, steps, progress);
    const end: { to: readonly number[] } = { to: [] };
    steps.push(end);
    return end;
  });
  for (const end of ends) end.to = [steps.length];
}

function emitRepeated(
  { part, min, max }: Part & { kind: 'repeat' },
  steps: Step[],
  progress: { parts: number },
): void {
  for (let count = 0; count < min; count += 1) emit(part, steps, progress);
  if (max === Number.POSITIVE_INFINITY) {
    const start = steps.length;
    const fork: { to: readonly number[] } = { to: [] };
    steps.push(fork);
    emit(part, steps, progress);
    steps.push({ to: [start] });
    fork.to = [start + 1, steps.length];
    return;
  }
  const forks: { to: readonly number[] }[] = [];
  for (let count = min; count < max; count += 1) {
    const fork = { to: [steps.length + 1] };
    forks.push(fork);
    steps.push(fork);
    emit(part, steps, progress);
  }
  for (const fork of forks) fork.to = [...fork.to, steps.length];
}

function run(steps: readonly Step[], characters: readonly string[]): boolean {
  // The step that was last put in line at which place.
  const seen = new Int32Array(steps.length).fill(-1);
  let waiting: number[] = [];
  for (let place = 0; place <= characters.length; place += 1) {
    const active = reachable(steps, [...waiting, 0], seen, characters, place);
    if (active === 'found') return true;
    const character = characters[place];
    if (character === undefined) return false;
    waiting = active.flatMap((index) => {
      const step = steps[index];
      return typeof step === 'object' && 'test' in step && step.test(character) ? index + 1 : [];
    });
  }
  return false;
}

/** The steps that want a character, from those where matching stands. */
function reachable(
  steps: readonly Step[],
  todo: number[],
  seen: Int32Array,
  characters: readonly string[],
  place: number,
): readonly number[] | 'found' {
  const active: number[] = [];
  for (let index = todo.pop(); index !== undefined; index = todo.pop()) {
    if (seen[index] === place) continue;
    seen[index] = place;
    const step = steps[index];
    if (step === 'found') return step;
    if (step === undefined) continue;
    if ('test' in step) active.push(index);
    else if ('to' in step) todo.push(...step.to);
    else if (step.holds(characters, place)) todo.push(index + 1);
  }
  return active;
}
