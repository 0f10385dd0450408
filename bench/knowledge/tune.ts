import { WEIGHTS, type Weights } from '@baton/knowledge/search';
import { batonEngine } from './baton-engine.ts';
import { readMaterial } from './material.ts';
import { measure } from './measures.ts';

/*
 * Looks for better weights on the tuning set: one number at a time, a step up and a step down, as
 * long as that helps. Prints what it has found; whether to take it is for people to decide.
 * `tsx bench/knowledge/tune.ts [rounds]`
 */

type Numbers = Record<string, number>;

const STEPS = [0.7, 0.85, 1.2, 1.45];
/** Less is chance. */
const LEAST_GAIN = 0.0005;

const { documents, requests } = await readMaterial('harbor');
let weights: Weights = WEIGHTS;
const engine = batonEngine(documents, () => weights);

function quality(): number {
  const asked = requests.filter((one) => one.class !== 'none');
  const sum = asked.reduce((all, one) => all + measure(engine.search(one.request), one).ndcg, 0);
  return sum / asked.length;
}

/** All numbers by their path, such as `fields.title.weight`. */
function flatten(value: object, path: string[] = []): Numbers {
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, one]) =>
      typeof one === 'number'
        ? { [[...path, key].join('.')]: one }
        : flatten(one as object, [...path, key]),
    ),
  );
}

function withNumber(value: Weights, path: string, number: number): Weights {
  const copy = structuredClone(value) as unknown as Record<string, unknown>;
  const keys = path.split('.');
  const last = keys.pop() ?? '';
  let at = copy;
  for (const key of keys) at = at[key] as Record<string, unknown>;
  at[last] = last === 'mostConcepts' ? Math.round(number) : Number(number.toPrecision(2));
  return copy as unknown as Weights;
}

let best = quality();
process.stdout.write(`${best.toFixed(4)} to begin with\n`);
for (let round = 0; round < Number(process.argv[2] ?? 2); round++) {
  for (const [path, value] of Object.entries(flatten(weights))) {
    if (value === 0 || path.startsWith('fit.')) continue;
    const before = weights;
    let found = before;
    for (const step of STEPS) {
      weights = withNumber(before, path, value * step);
      const reached = quality();
      if (reached < best + LEAST_GAIN) continue;
      best = reached;
      found = weights;
      process.stdout.write(`${best.toFixed(4)} ${path} ${flatten(found)[path]}\n`);
    }
    weights = found;
  }
}
process.stdout.write(`${JSON.stringify(weights, null, 2)}\n`);
