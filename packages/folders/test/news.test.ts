import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { News } from '../src/index.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function createNews() {
  const state = { text: 'a', isBroken: false, told: 0 };
  const news = new News(
    async () => {
      if (state.isBroken) throw new Error('not now');
      return state.text;
    },
    () => {
      state.told += 1;
    },
  );
  const change = async () => {
    news.somethingChanged();
    await vi.advanceTimersByTimeAsync(1000);
  };
  return { news, state, change };
}

test('only something else is told, once', async () => {
  const { news, state, change } = createNews();
  news.told('a');
  await change();
  expect(state.told).toBe(0);
  state.text = 'b';
  news.somethingChanged();
  await change();
  expect(state.told).toBe(1);
  await change();
  expect(state.told).toBe(1);
});

test('what nobody has been given is no news', async () => {
  const { state, change } = createNews();
  state.text = 'b';
  await change();
  expect(state.told).toBe(0);
});

test('what cannot be looked at now is told with the next change', async () => {
  const { news, state, change } = createNews();
  news.told('a');
  state.text = 'b';
  state.isBroken = true;
  await change();
  expect(state.told).toBe(0);
  state.isBroken = false;
  await change();
  expect(state.told).toBe(1);
});
