import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AnswerCost, cutText, GAP, lazyTokenCount } from '../parts-under-test.ts';
import { collection } from '../random-collections.ts';

const cost = new AnswerCost(lazyTokenCount());

function cut(text: string, budget: number, about = 'wanted'): string | undefined {
  const excess = (part: string) => cost.ofText(part) - budget;
  const relevance = (part: string) => part.split(about).length - 1;
  return cutText(text, budget, { cost, relevance, excess });
}

test('whatever is cut is in the text, in its order, and within the budget', () => {
  const text = collection.map((files) => String(Object.values(files)[0]).replaceAll('\r\n', '\n'));
  fc.assert(
    fc.property(text, fc.integer({ min: 20, max: 2000 }), (whole, budget) => {
      const parts = cut(whole, budget, 'pagination');
      if (parts === undefined) return;
      expect(cost.ofText(parts)).toBeLessThanOrEqual(budget);
      let at = 0;
      for (const line of parts.split('\n').map((one) => one.replace(GAP, '').trim())) {
        const found = whole.indexOf(line, at);
        if (/^(?:`{3}|~{3})$/.test(line)) continue; // It may close what was cut.
        expect(found, line).toBeGreaterThanOrEqual(at);
        at = found + line.length;
      }
    }),
    { seed: 80_000, numRuns: 100 },
  );
});

test('the most relevant section comes first, even if only a part of it fits', () => {
  const short = '## Short\n\nNothing.\n\n';
  const long = `## Long\n\n${'wanted words. '.repeat(200)}\n\n`;
  expect(cut(`${short}${long}${short}`, 100)).toMatch(
    /^\[…\]\n\n## Long\n\n(?:wanted words\. )+(?:wanted )?\[…\]$/,
  );
});

test('a cut is at the end of a paragraph or a line if that is near', () => {
  const paragraphs = `${'wanted words. '.repeat(10).trim()}\n\n`.repeat(40);
  expect(cut(paragraphs, 1000)).toMatch(/wanted words\.\n\n\[…\]$/);
  const lines = `${'wanted words. '.repeat(10).trim()}\n`.repeat(40);
  expect(cut(lines, 1000)).toMatch(/wanted words\.\n\n\[…\]$/);
});

test('a code block that was cut is closed, so that nothing else gets into it', () => {
  const code = `# wanted\n\n~~~~ts\n${'const wanted = 1;\n\n'.repeat(100)}~~~~\n\nAfter.\n`;
  expect(cut(code, 120)).toMatch(/const wanted = 1;\n~~~~\n\n\[…\]$/);
});

test.each([
  ['Chinese', '分页查询需要稳定的游标'],
  ['emoji', '😀🎉'],
  ['letters with marks', 'e\u0301a\u0300'],
  ['one word', 'QmF0b24'],
])('a line of %s without blanks is cut between characters', (_, part) => {
  const text = cut(part.repeat(5000), 100) ?? '';
  const kept = text.replace(` ${GAP}`, '');
  expect(part.repeat(5000).startsWith(kept)).toBe(true);
  expect(kept).not.toMatch(/[\ud800-\udbff]$/);
  expect(part.repeat(5000).slice(kept.length)).not.toMatch(/^(?:[\udc00-\udfff]|\p{M})/u);
  expect(cost.ofText(text)).toBeGreaterThan(80);
});

test('where nothing worth reading fits, there is nothing', () => {
  expect(cut('wanted words. '.repeat(100), 10)).toBeUndefined();
  expect(cut('', 1000)).toBeUndefined();
});

test('many small sections use the budget as well as one', () => {
  const text = '## wanted words\n\nmore words\n\n'.repeat(1000);
  for (const budget of [100, 300, 3000]) {
    expect(cost.ofText(cut(text, budget) ?? '')).toBeGreaterThanOrEqual(budget * 0.85);
  }
});
