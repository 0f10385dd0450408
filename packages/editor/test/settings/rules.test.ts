import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  DENIED_FAMILIES,
  DENIED_WORDS,
  HARMLESS_KEYS,
  OBJECT_KEYS,
  RUNS_FORMATTERS,
  refusalOf,
} from '../settings-under-test.ts';
import { DANGEROUS } from './dangerous-keys.ts';
import { HARMLESS } from './harmless-settings.ts';

const OF_ALL = ['*', '*.*', '.*', ''];

/** What users could write to allow a key, more than any of them should. */
function everyPattern(key: string): string[] {
  const segments = key.split('.');
  return [...OF_ALL, key, ...segments.map((_, index) => `${segments.slice(0, index).join('.')}.*`)];
}

describe(`${cites('T7')} a setting that weakens safety`, () => {
  test.each(DANGEROUS)('%s is refused by the rule %s', (key, rule) => {
    expect(refusalOf(key, true)).toEqual({ rule, key, why: expect.any(String) });
  });

  const LIFTED = ['not-known', 'runs-formatters'];
  test.each(DANGEROUS.filter(([, rule]) => !LIFTED.includes(rule)))(
    '%s stays refused by %s whatever its value is and the user allows',
    (key, rule) => {
      for (const value of [undefined, false, null, 'off', [], {}]) {
        expect(refusalOf(key, value, everyPattern(key))?.rule).toBe(rule);
      }
    },
  );

  test.each(DANGEROUS.filter(([, rule]) => LIFTED.includes(rule)))(
    '%s may be allowed by the user',
    (key, rule) => {
      expect(refusalOf(key, true, [key])).toBeUndefined();
      expect(refusalOf(key, true, OF_ALL)?.rule).toBe(rule);
    },
  );

  test('each rule is shown by a key', () => {
    const shown = new Set(DANGEROUS.map(([, rule]) => rule));
    const rules = [...DENIED_FAMILIES, ...DENIED_WORDS, RUNS_FORMATTERS].map(({ name }) => name);
    expect(rules.filter((name) => !shown.has(name))).toEqual([]);
    expect(DANGEROUS.length).toBeGreaterThan(80);
  });

  test.each(DANGEROUS)('%s is refused by %s inside a block for a language too', (key, rule) => {
    const block = { 'editor.tabSize': 2, [key]: true };
    expect(refusalOf('[typescript]', block)).toMatchObject({ rule, key });
  });

  test.each([
    ['prettier.x', { path: '/tmp/x' }, 'runs-programs', 'prettier.x.path'],
    ['prettier.x', [{ a: [{ nodePath: 1 }] }], 'runs-programs', 'prettier.x.a.nodePath'],
    ['prettier', { 'a.b': { autoApprove: true } }, 'permissions', 'prettier.a.b.autoApprove'],
    ['editor', { formatOnSave: true }, 'runs-formatters', 'editor.formatOnSave'],
    ['editor', { unicodeHighlight: {} }, 'hidden-text', 'editor.unicodeHighlight'],
  ])('what a user allows, %s, brings in nothing with %j', (key, value, rule, inner) => {
    expect(refusalOf(key, value, [key])).toMatchObject({ rule, key: inner });
  });

  test.each([
    'editor.minimap',
    'editor.fontSize',
    'typescript.preferences.x',
    'workbench.colorTheme',
    'git.timeline.date',
  ])('%s takes no object, whose names VS Code would take for keys', (key) => {
    expect(refusalOf(key, { enabled: true })?.rule).toBe('invalid-value');
    expect(refusalOf(key, [[{ enabled: true }]])?.rule).toBe('invalid-value');
  });

  test.each([
    ['editor.fontFamily', '[x](command:workbench.action.terminal.new)'],
    ['window.title', 'x ${COMMAND:evil.run}'],
    ['files.exclude', { '${env:HOME}': true }],
    ['editor.rulers', ['${input:x}']],
  ])('%s cannot refer to a command: %j', (key, value) => {
    expect(refusalOf(key, value)?.rule).toBe('refers-to-command');
  });
});

describe(`${cites('T7')} a block for a language replaces all that was in it`, () => {
  const safe = { 'editor.unicodeHighlight.invisibleCharacters': true, 'files.eol': '\n' };
  const key = 'editor.unicodeHighlight.invisibleCharacters';

  test.each([
    ['left out', { 'editor.tabSize': 2 }],
    ['removed with the block', undefined],
    ['changed', { ...safe, [key]: false }],
    ['changed to what only looks like it', { ...safe, [key]: [true] }],
  ])('what keeps a person safe cannot be %s', (_, value) => {
    expect(refusalOf('[markdown]', value, ['editor.*'], safe)).toMatchObject({
      rule: 'hidden-text',
      key,
    });
  });

  test('what stays as it is, and what is harmless, may be written', () => {
    const value = { ...safe, 'files.eol': 'auto', 'editor.tabSize': 2 };
    expect(refusalOf('[markdown]', value, [], safe)).toBeUndefined();
    expect(refusalOf('[markdown]', undefined, [], { 'editor.tabSize': 2 })).toBeUndefined();
    expect(refusalOf('[markdown]', undefined, [], 'no block')).toBeUndefined();
  });
});

describe('a setting that is known to be harmless', () => {
  test.each(HARMLESS)('%s may be %j', (key, value) => {
    expect(refusalOf(key, value)).toBeUndefined();
    expect(refusalOf(key, undefined)).toBeUndefined();
    expect(HARMLESS.length).toBeGreaterThan(60);
  });

  test.each([...HARMLESS_KEYS])('%s is refused by no rule', (key) => {
    expect(refusalOf(key, OBJECT_KEYS.has(key) ? {} : true)).toBeUndefined();
  });

  test.each([...OBJECT_KEYS])('%s may hold an object', (key) => {
    expect(refusalOf(key, { a: { b: false } })).toBeUndefined();
  });
});

describe('what the user allows', () => {
  test.each([
    ['prettier.semi', ['prettier.*'], true],
    ['prettier.a.b', ['prettier.*'], true],
    ['prettier.semi', ['prettier.semi'], true],
    ['prettier', ['prettier.*'], false],
    ['prettier.semi', ['prettier.s*'], false],
    ['prettier.semi', ['prettier'], false],
    ['prettier.semi', ['Prettier.*'], false],
    ['prettierx.semi', ['prettier.*'], false],
    ['editor.formatOnSave', ['editor.*'], true],
  ])('%s is in %j: %s', (key, allowed, isAllowed) => {
    expect(refusalOf(key, true, allowed) === undefined).toBe(isAllowed);
  });
});

test(`${cites('T7')} whatever stands around it, a dangerous word in a key is refused`, () => {
  const words = ['autoApprove', 'executablePath', 'shellArgs', 'nodePath', 'apiToken', 'proxyUrl'];
  const segment = fc.stringMatching(/^[a-zA-Z0-9_-]{1,12}$/);
  fc.assert(
    fc.property(
      fc.constantFrom('editor', 'explorer', 'workbench.editor', 'prettier'),
      fc.array(segment, { maxLength: 4 }),
      fc.constantFrom(...words),
      (family, segments, word) => {
        const key = [family, ...segments, word].join('.');
        expect(refusalOf(key, 'x', [key, `${family}.*`])).toBeDefined();
      },
    ),
  );
});

test(`${cites('T7')} no key is allowed that is neither in the lists nor the user's`, () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.jsonValue(), (key, value) => {
      fc.pre(!/^(?:\[[^\]]+\])+$/.test(key));
      expect(refusalOf(key, value)).toBeDefined();
    }),
  );
});
