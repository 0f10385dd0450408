import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileNameOf } from '../documents-under-test.ts';

test.each([
  [14, 'Log in again: nothing happens!', 'T-0014-log-in-again-nothing-happens.md'],
  [1, '日本語', 'T-0001.md'],
  [1, '../../etc/passwd', 'T-0001-etc-passwd.md'],
  [12, 'Äpfel™ für İnes', 'T-0012-apfeltm-fur-ines.md'],
  [123_456, 'word '.repeat(20), `T-123456${'-word'.repeat(9)}.md`],
  [1, 'x'.repeat(99), `T-0001-${'x'.repeat(50)}.md`],
])('%i %s', (number, title, name) => {
  expect(fileNameOf({ number, title })).toBe(name);
});

test('every file system takes it', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 999_999_999 }),
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.lorem({ maxCount: 30 })),
      (number, title) => {
        const name = fileNameOf({ number, title });
        expect(name).toMatch(/^T-\d{4,}(-[a-z0-9]+)*\.md$/);
        expect(name.length).toBeLessThanOrEqual(60);
      },
    ),
  );
});
