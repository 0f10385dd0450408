import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { parsePlan, SCHEMAS } from './plan-schemas.ts';

/** Within the limit of what is read. */
const BYTES = 120_000;
/** Proportionate reading takes a tenth of this. */
const MAX_CPU_MS = 3000;

function repeated(text: string, bytes: number): string {
  return text.repeat(Math.floor(bytes / text.length));
}

function numbered(bytes: number, line: (number: number) => string): string {
  const lines: string[] = [];
  for (let left = bytes, number = 0; left > 0; number++) {
    const next = line(number);
    left -= next.length;
    lines.push(next);
  }
  return lines.join('');
}

const BOMBS: Readonly<Record<string, (bytes: number) => string>> = {
  keys: (bytes) => numbered(bytes, (number) => `k${number}: v\n`),
  'keys in one line': (bytes) => `x: {${numbered(4 * bytes, (number) => `k${number},`)}}`,
  'the same key': (bytes) => repeated('a: v\n', bytes),
  'keys with aliases': (bytes) => `a: &a 1\n${numbered(bytes, (number) => `b${number}: *a\n`)}`,
  'aliases of nothing': (bytes) => `b:\n${repeated('- *a\n', bytes)}`,
  tags: (bytes) => `a:\n${repeated('- !x y\n', bytes)}`,
  quotes: (bytes) => `a: ${repeated(`"'`, bytes)}`,
};

async function refusal(text: string) {
  const start = process.cpuUsage();
  const refused = await parsePlan(text, SCHEMAS.union).catch((error: unknown) => error);
  const { user, system } = process.cpuUsage(start);
  expect(refused).toBeInstanceOf(Error);
  expect(String(refused).length).toBeLessThan(5000);
  return { message: String(refused), cpuMs: (user + system) / 1000 };
}

test.each(Object.entries(BOMBS))(
  `${cites('T46', 'T26')} a YAML file of %s costs little, and is refused in a few lines`,
  async (_, bomb) => {
    expect((await refusal(bomb(BYTES))).cpuMs).toBeLessThan(MAX_CPU_MS);
  },
);

test(`${cites('T46', 'T26')} a YAML file of more than can be read at little cost is not read`, async () => {
  const { message, cpuMs } = await refusal(`a: ${'['.repeat(500_000)}`);
  expect(message).toContain('plan.yaml:1:1: The file has more than 300000 words and marks');
  expect(cpuMs).toBeLessThan(MAX_CPU_MS);
});

test(`${cites('T46')} a plan of as many jobs as there may be is read`, async () => {
  const jobs = Array.from(
    { length: 5000 },
    (_, number) => `  - id: job-${number}\n    work: make all\n    needs: [job-0, job-1]\n`,
  );
  const plan = await parsePlan(`name: many\njobs:\n${jobs.join('')}`, SCHEMAS.union);
  expect(plan.jobs).toHaveLength(5000);
});
