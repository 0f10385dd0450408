const CLOSE = 1e-15;
const MOST_STEPS = 10_000;
/** Keeps continued fractions away from divisions by zero. */
const TINY = 1e-300;

const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** The logarithm of Γ(x), for x > 0, after Lanczos. */
export function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const shifted = x - 1;
  let sum = 0.9999999999998099;
  for (const [at, factor] of LANCZOS.entries()) sum += factor / (shifted + at + 1);
  const base = shifted + LANCZOS.length - 0.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum);
}

/** The upper part of the regularised incomplete gamma function, Q(a, x). */
function gammaTail(a: number, x: number): number {
  if (x <= 0) return 1;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? 1 - front * lowerSeries(a, x) : front * upperFraction(a, x);
}

/** The lower part, P(a, x). */
function gammaHead(a: number, x: number): number {
  if (x <= 0) return 0;
  const front = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? front * lowerSeries(a, x) : 1 - front * upperFraction(a, x);
}

function lowerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let step = 1; step < MOST_STEPS; step++) {
    term *= x / (a + step);
    sum += term;
    if (term < sum * CLOSE) break;
  }
  return sum;
}

function upperFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / b;
  let value = d;
  for (let step = 1; step < MOST_STEPS; step++) {
    const factor = -step * (step - a);
    b += 2;
    d = 1 / awayFromZero(factor * d + b);
    c = awayFromZero(b + factor / c);
    value *= c * d;
    if (Math.abs(c * d - 1) < CLOSE) break;
  }
  return value;
}

function awayFromZero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

/** How likely chi² with these degrees of freedom is at least so large. */
export function chiSquaredTail(value: number, freedom: number): number {
  return gammaTail(freedom / 2, value / 2);
}

/** How likely a standard normal variable is at least so far from 0, on either side. */
export function normalTail(z: number): number {
  return gammaTail(0.5, (z * z) / 2);
}

/** How likely Student's t is at least so far from 0, on either side. */
export function studentTail(t: number, freedom: number): number {
  if (!Number.isFinite(t)) return 0;
  return betaPart(freedom / 2, 0.5, freedom / (freedom + t * t));
}

/** How likely a Poisson variable is at least so large. */
export function poissonAtLeast(count: number, mean: number): number {
  return count <= 0 ? 1 : gammaHead(count, mean);
}

/** How likely it is at most so large. */
export function poissonAtMost(count: number, mean: number): number {
  return gammaTail(count + 1, mean);
}

/** The regularised incomplete beta function. */
function betaPart(a: number, b: number, x: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(
    logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  );
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(a, b, x)) / a
    : 1 - (front * betaFraction(b, a, 1 - x)) / b;
}

function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let step = 1; step < MOST_STEPS; step++) {
    const even = (step * (b - step) * x) / ((a + 2 * step - 1) * (a + 2 * step));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    value *= c * d;
    const odd = (-(a + step) * (a + b + step) * x) / ((a + 2 * step) * (a + 2 * step + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    value *= c * d;
    if (Math.abs(c * d - 1) < CLOSE) break;
  }
  return value;
}
