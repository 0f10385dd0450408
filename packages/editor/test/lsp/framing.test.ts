import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FrameReader, frame } from '../lsp-under-test.ts';

function readAll(bytes: Buffer, cuts: readonly number[]): unknown[] {
  const reader = new FrameReader();
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b)];
  return places.flatMap((start, index) => [
    ...reader.read(bytes.subarray(start, places[index + 1] ?? bytes.length)),
  ]);
}

test('messages arrive as they were sent, wherever the bytes are cut', () => {
  const message = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 2 }));
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.nat()), (messages, cuts) => {
      const sent = JSON.parse(JSON.stringify(messages));
      const bytes = Buffer.concat(messages.map((one) => frame(one)));
      expect(readAll(bytes, cuts)).toEqual(sent);
    }),
  );
});

test('other headers are passed over, in any case of letters', () => {
  const body = '{"a":1}';
  const head = `Content-Type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length: ${body.length}\r\n\r\n`;
  expect(readAll(Buffer.from(head + body), [])).toEqual([{ a: 1 }]);
});

test.each([
  ['a head without an end', 'x'.repeat(5000)],
  ['a head without a length', 'Content-Type: x\r\n\r\n{}'],
  ['a length that nobody sends', 'Content-Length: 999999999999\r\n\r\n{}'],
  ['what is no JSON', 'Content-Length: 2\r\n\r\n{]'],
])('%s is an error', (_, bytes) => {
  expect(() => readAll(Buffer.from(bytes), [])).toThrow();
});
