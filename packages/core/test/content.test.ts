import { expect, test } from 'vitest';
import { contentText } from '../src/index.ts';

test('content as text: texts as they are, the rest by kind and size', () => {
  const text = contentText([
    { type: 'text', text: 'one' },
    { type: 'image', mimeType: 'image/png', data: btoa('12345') },
    { type: 'resource', uri: 'a://b', mimeType: 'text/plain', text: 'two' },
  ]);
  expect(text).toBe('one\n[image/png, 5 bytes]\ntwo');
});
