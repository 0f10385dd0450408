import { BatonError } from '@baton/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { referencesIn, resolveReferences } from '../src/references.ts';

const OUTPUTS = new Map([
  ['build', { version: '1.2', image: 'x' }],
  ['front-end', { url: '${build.version} $& $1 $$' }],
  ['quiet', {}],
]);
const resolve = (text: string) => resolveReferences(text, OUTPUTS);

test.each([
  ['', ''],
  ['v${build.version}', 'v1.2'],
  ['${build.version}${build.image}', '1.2x'],
  ['$${build.version}', '${build.version}'],
  ['$$${build.version}', '$${build.version}'],
  ['$${build.version}${build.version}', '${build.version}1.2'],
  ['${HOME} $HOME $$ $ {build.version}', '${HOME} $HOME $$ $ {build.version}'],
  ['$${HOME}', '$${HOME}'],
  [
    '${x:-a.b} ${build.} ${.version} ${bu.x} ${Build.x}',
    '${x:-a.b} ${build.} ${.version} ${bu.x} ${Build.x}',
  ],
  ['${build.version', '${build.version'],
  ['${${build.image}}', '${x}'],
  ['${build.version.x} ${build. version}', '${build.version.x} ${build. version}'],
  ['<${front-end.url}>', '<${build.version} $& $1 $$>'],
])('%j becomes %j', (text, resolved) => {
  expect(resolve(text)).toBe(resolved);
});

test('references are found as they are resolved', () => {
  expect(
    referencesIn('${a.b} ${build.version} $${build.image} ${x} ${front-end.u_r-l}${build.version}'),
  ).toEqual([
    { job: 'build', output: 'version' },
    { job: 'front-end', output: 'u_r-l' },
    { job: 'build', output: 'version' },
  ]);
});

test.each([
  [
    '${tests.report}',
    '${tests.report} refers to the job tests, which is none that this job needs.',
    'Add tests to the needs of the job, or correct the reference. Write $${tests.report} if the text itself is meant.',
  ],
  [
    '${build.versoin}',
    '${build.versoin} refers to the output versoin, which the job build did not write. It wrote version, image.',
    'Did you mean version? Correct the reference, or let build write a line versoin=value to $BATON_OUTPUT. Write $${build.versoin} if the text itself is meant.',
  ],
  [
    '${quiet.constructor}',
    '${quiet.constructor} refers to the output constructor, which the job quiet did not write. It wrote no outputs.',
    'Correct the reference, or let quiet write a line constructor=value to $BATON_OUTPUT. Write $${quiet.constructor} if the text itself is meant.',
  ],
])('%s is missing', (text, message, next) => {
  expect(() => resolve(text)).toThrow(BatonError);
  expect(() => resolve(text)).toThrow(
    expect.objectContaining({ code: 'output_missing', message, next }),
  );
});

test('a job with many outputs does not fill the message', () => {
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`out${index}`, '']));
  expect(() => resolveReferences('${job-a.zzzzzzzz}', new Map([['job-a', many]]))).toThrow(
    /It wrote out0, .*, out9 and 90 more\.$/,
  );
});

// However they are put together, the only job that is referred to is build, with its version.
const piece = fc.constantFrom(
  ...['$', '{', '}', '.', '${', 'HOME', ' ', 'build.version}', '${build.version}'],
);
const anyText = fc.array(piece, { maxLength: 30 }).map((all) => all.join(''));

test('with one dollar more, no reference is left and the text is what it was', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const escaped = text.replace(/\$\{build\.version\}/g, (written) => `$${written}`);
      expect(referencesIn(escaped)).toEqual([]);
      expect(resolveReferences(escaped, new Map())).toBe(text);
    }),
    { numRuns: 2_000 },
  );
});

test('what is resolved is what is not escaped, piece by piece', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const outputs = new Map([['build', { version: '${build.version}' }]]);
      const resolved = resolveReferences(text, outputs);
      const escapes = text.split('$${build.version}').length - 1;
      expect(resolved.length).toBe(text.length - escapes);
      expect(referencesIn(text).length).toBe(text.split('${build.version}').length - 1 - escapes);
    }),
    { numRuns: 2_000 },
  );
});

test('a text that nearly has references takes no longer than its length', () => {
  const text = '${aaa'.repeat(200_000) + '${build.'.repeat(200_000);
  expect(resolve(text)).toBe(text);
  expect(referencesIn(`${'$'.repeat(1_000_000)}{build.version}`)).toEqual([]);
});
