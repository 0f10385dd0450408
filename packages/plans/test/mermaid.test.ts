import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type DrawnJob, planGraph } from '../src/mermaid.ts';

const draw = (jobs: readonly DrawnJob[]) => planGraph(jobs).mermaid;

const labelOf = (name: string) =>
  /^ {2}j_job\[(.*)\]$/m.exec(draw([{ id: 'job', name, state: '' }]))?.[1];

const many = (count: number, more: (index: number) => Partial<DrawnJob>): DrawnJob[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `job-${index}`,
    state: 'ready',
    ...more(index),
  }));

test('jobs in their groups, all needs, a class for each state that is there', () => {
  const jobs = [
    { id: 'end', state: 'succeeded' },
    { id: 'api--v2', name: 'The API', group: 'backend/api', needs: ['end'], state: 'failed' },
    { id: 'lint', group: 'backend', state: 'succeeded' },
    { id: 'ship', needs: ['end', 'api--v2', 'end', 'nobody'], state: 'blocked' },
  ];
  expect(planGraph(jobs)).toEqual({
    mermaid: `flowchart LR
  j_end["end"]:::succeeded
  j_ship["ship"]:::blocked
  subgraph g1["backend"]
    j_lint["lint"]:::succeeded
    subgraph g2["api"]
      j_api__v2["The API"]:::failed
    end
  end
  j_end --> j_api__v2 & j_ship
  j_api__v2 --> j_ship
  classDef succeeded fill:#1a7f37,stroke:#044f1e,color:#ffffff
  classDef failed fill:#cf222e,stroke:#82071e,color:#ffffff
  classDef blocked fill:#fff8c5,stroke:#9a6700,color:#24292f
`,
    adjacency: { end: ['api--v2', 'ship'], 'api--v2': ['ship'], lint: [], ship: [] },
  });
});

test('ids that are names of an object are ids like others', () => {
  const jobs = [
    { id: 'constructor', state: '' },
    { id: 'to-string', needs: ['constructor'], state: '' },
  ];
  const { adjacency } = planGraph(jobs);
  expect(Object.entries(adjacency)).toEqual([
    ['constructor', ['to-string']],
    ['to-string', []],
  ]);
  expect(planGraph([])).toEqual({ mermaid: 'flowchart LR\n', adjacency: {} });
});

test('the same group is drawn once, wherever its jobs were written', () => {
  const jobs = many(4, (index) => ({ group: ['one', 'two', '/one//', ' '][index] }));
  expect(draw(jobs).split('\n').slice(1, 9)).toEqual([
    '  j_job_3["job-3"]:::ready',
    '  subgraph g1["one"]',
    '    j_job_0["job-0"]:::ready',
    '    j_job_2["job-2"]:::ready',
    '  end',
    '  subgraph g2["two"]',
    '    j_job_1["job-1"]:::ready',
    '  end',
  ]);
});

test('groups deeper than four share the last frame', () => {
  const text = draw(many(1, () => ({ group: Array(500).fill('g').join('/') })));
  expect(text.match(/subgraph/g)).toHaveLength(4);
  expect(text).toContain('subgraph g4["g/g/g/g');
});

test.each([
  ['Build (all), v1.2/x_y-z', '"Build (all), v1.2/x_y-z"'],
  ['Größe 大きさ', '"Größe 大きさ"'],
  ['say "hi"', '"say #quot;hi#quot;"'],
  ['"]:::failed', '"#quot;#93;#58;#58;#58;failed"'],
  ['two\nlines\r\n\tend', '"two lines end"'],
  ['`code` **bold**', '"#96;code#96; #42;#42;bold#42;#42;"'],
  ['<img src=x>&amp;', '"#60;img src#61;x#62;#38;amp#59;"'],
  ['#quot; %%{init}%%', '"#35;quot#59; #37;#37;#123;init#125;#37;#37;"'],
  ['1. First', '"1#46; First"'],
  ['12) First', '"12#41; First"'],
  ['- First', '"#45; First"'],
  ['a\u202eb', '"a#92;u202eb"'],
  ['😀'.repeat(61), `"${'#128512;'.repeat(59)}…"`],
  [' \n ', '"job"'],
])('the name %j is the label %s', (name, label) => {
  expect(labelOf(name)).toBe(label);
});

const piece = fc.constantFrom(
  ...['"', ']', '[', '`', '\n', '\r', '\u2028', '\0', '<', '>', '#', ';', '&', '|', '{', '%', '\\'],
  ...['click', 'end', ' ', ':', 'style', '😀', '\ud800'],
);
const nasty = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(piece).map((all) => all.join('')),
);

test('whatever names and groups are, every line is one of ours', () => {
  const LINE =
    /^(flowchart LR|| {2,}j_[a-z0-9_]+\["[^"\n`<>&;\]]+"\]:::ready| {2,}subgraph g\d+\["[^"\n`<>&;\]]+"\]| {2,}end| {2}classDef ready [a-z0-9:,#]+)$/;
  const job = fc.record({ name: nasty, group: nasty });
  fc.assert(
    fc.property(fc.array(job, { maxLength: 6 }), (all) => {
      const text = draw(many(all.length, (index) => all[index] ?? {}));
      // What an entity ends with may stand only where an entity does.
      const plain = text.replace(/#(quot|\d+);/g, '?');
      expect(plain.split('\n').filter((line) => !LINE.test(line))).toEqual([]);
      expect(plain.match(/j_job_/g)?.length ?? 0).toBe(all.length);
    }),
    { numRuns: 2_000 },
  );
});

test('more than a hundred jobs are drawn as their groups', () => {
  const jobs = many(101, (index) => ({
    group: index < 60 ? 'api/inner' : index < 100 ? 'web' : undefined,
    state: index < 50 ? 'succeeded' : 'ready',
    needs: index === 0 ? [] : ['job-0', `job-${index - 1}`],
  }));
  expect(draw(jobs)).toBe(`flowchart LR
  g1["api, 60 jobs (50 succeeded, 10 ready)"]
  g2["web, 40 jobs (40 ready)"]:::ready
  g3["No group, 1 job (1 ready)"]:::ready
  g1 --> g2
  g1 --> g3
  g2 --> g3
  note["101 jobs are too many to draw. These are their groups."]
  classDef ready fill:#ddf4ff,stroke:#0969da,color:#24292f
`);
  expect(Object.keys(planGraph(jobs).adjacency)).toHaveLength(101);
  expect(draw(many(100, () => ({ group: 'api' })))).toContain('j_job_99[');
});

test('groups that would be too many are counted', () => {
  const text = draw(many(500, (index) => ({ group: `group-${index % 60}`, needs: ['job-0'] })));
  expect(text).toContain('  g50["group-49, 8 jobs (8 ready)"]');
  expect(text).not.toContain('g51');
  expect(text).toContain('  more["10 more groups with 80 jobs are left out."]\n');
});

test('no plan is too long to be read', () => {
  const id = (index: number) => `job-${index}`.padEnd(64, '-');
  const plan = fc.record({
    count: fc.constantFrom(1, 30, 99, 100, 101, 500),
    groups: fc.constantFrom(1, 5, 30, 500),
    name: fc.constantFrom('x', '"'.repeat(500), '\u{10ffff}'.repeat(500)),
    needs: fc.constantFrom(0, 1, 30),
  });
  fc.assert(
    fc.property(plan, ({ count, groups, name, needs }) => {
      const jobs = many(count, (index) => ({
        id: id(index),
        name,
        group: `${index % groups}${name}`,
        needs: Array.from({ length: Math.min(index, needs) }, (_, back) => id(index - back - 1)),
      }));
      expect(draw(jobs).length).toBeLessThan(8_000);
    }),
  );
});
