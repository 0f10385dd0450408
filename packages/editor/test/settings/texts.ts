import fc from 'fast-check';

const COMMENTS = ['', '', '/* c */', '// c\n', '// "a": {[,\n', '/* }\n */', '/**/', '//\n'];
const BLANKS = ['', ' ', '\n', '  ', '\n    ', '\t', '\n\n\t', ' \n'];

/** What may stand between any two parts of a text: blanks and comments. */
const between = fc
  .array(fc.constantFrom(...BLANKS, ...COMMENTS), { maxLength: 4 })
  .map((parts) => parts.join(''));

export const anyKey = fc.oneof(
  fc.constantFrom('a', 'editor.fontSize', 'files.exclude', '[typescript]', '__proto__', ''),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

/** JSON has no negative zero that anybody would get back. */
export const anyValue = fc
  .jsonValue({ maxDepth: 4 })
  .map((value): unknown => JSON.parse(JSON.stringify(value)));

/** Few keys, so that many are there twice. */
const fewKeys = fc.oneof({ weight: 3, arbitrary: fc.constantFrom('a', 'b') }, anyKey);

const property = fc
  .tuple(between, fewKeys, between, between, anyValue, between, fc.constantFrom(0, 1, 4))
  .map(
    ([one, key, two, three, value, four, indent]) =>
      `${one}${JSON.stringify(key)}${two}:${three}${JSON.stringify(value, undefined, indent)}${four}`,
  );

const object = fc
  .tuple(fc.array(property, { maxLength: 5 }), fc.boolean(), between)
  .map(
    ([all, hasComma, end]) => `{${all.join(',')}${hasComma && all.length > 0 ? ',' : ''}${end}}`,
  );

/** Any text of a settings.json that has an object, written in any way. */
export const anyText = fc
  .tuple(
    fc.constantFrom('', '\ufeff'),
    between,
    object,
    between,
    fc.constantFrom('\n', '\r\n', '\r'),
  )
  .map(([mark, before, root, after, eol]) =>
    `${mark}${before}${root}${after}`.replaceAll('\n', eol),
  );
