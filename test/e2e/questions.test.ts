import { type Program, type Reply, startProgram } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';
import { type ElicitAnswer, ways } from './ways.ts';

const ANSWERS: Record<string, ElicitAnswer> = {
  'Really deploy?': { action: 'accept', content: { yes: true } },
  'Why?': { action: 'accept', content: { reason: 'it is Friday' } },
};

describe.each(ways)('questions over $name', ({ open, era }) => {
  test(`${cites('ASK')} reach the person, one after the other`, async () => {
    const asked: string[] = [];
    const elicit = (message: string) => {
      asked.push(message);
      return ANSWERS[message] ?? { action: 'cancel' as const };
    };
    const peer = await open({ elicit });
    const result = await peer.request('tools/call', {
      name: 'confirm',
      arguments: { subject: 'deploy' },
    });
    expect(result.structuredContent).toEqual({ outcome: 'confirmed because it is Friday' });
    expect(asked).toEqual(['Really deploy?', 'Why?']);
    await peer.close();
  });

  test(`${cites('ASK', 'T29')} can be declined, and deceive nobody`, async () => {
    const asked: string[] = [];
    const elicit = (message: string) => {
      asked.push(message);
      return { action: 'decline' as const };
    };
    const peer = await open({ elicit });
    const result = await peer.request('tools/call', {
      name: 'confirm',
      arguments: { subject: 'x\u001b[2J' },
    });
    expect(result.structuredContent).toEqual({ outcome: 'declined' });
    expect(asked).toEqual(['Really x\\u001b[2J?']);
    await peer.close();
  });

  test(`${cites('ASK-SIGNED', 'T35')} are not answered before they were asked`, async () => {
    const asked: string[] = [];
    const elicit = (message: string) => {
      asked.push(message);
      return { action: 'decline' as const };
    };
    const peer = await open({ elicit });
    const accept = (content: object) => ({ action: 'accept', content });
    const result = await peer.request('tools/call', {
      name: 'confirm',
      arguments: { subject: 'deploy' },
      inputResponses: { sure: accept({ yes: true }), why: accept({ reason: 'I say so' }) },
    });
    expect(result.structuredContent).toEqual({ outcome: 'declined' });
    expect(asked).toEqual(['Really deploy?']);
    await peer.close();
  });

  test(`${cites('ASK-UNABLE')} are an error that says so if the client cannot ask`, async () => {
    const peer = await open();
    const call = peer.request('tools/call', { name: 'confirm', arguments: { subject: 'x' } });
    if (era === 'modern') {
      await expect(call).rejects.toMatchObject({
        code: -32021,
        message: expect.stringMatching(/Really x\?.*supports elicitation/),
        data: { requiredCapabilities: { elicitation: {} } },
      });
    } else {
      expect(await call).toMatchObject({
        isError: true,
        structuredContent: { code: 'cannot_ask', message: expect.stringContaining('Really x?') },
      });
    }
    await peer.close();
  });

  test(`${cites('ASK-SEVERAL')} of every kind are answered at once`, async () => {
    const elicit = () => ({ action: 'accept' as const, content: { name: 'Ada' } });
    const peer = await open({ elicit, sample: 'A bridge.', roots: ['file:///src'] });
    const result = await peer.request('tools/call', { name: 'consult' });
    expect(result.structuredContent).toEqual({
      name: 'Ada',
      idea: 'A bridge.',
      places: ['file:///src'],
    });
    await peer.close();
  });

  test(`${cites('ASK-SEVERAL', 'ASK-UNABLE')} name each capability that is missing`, async () => {
    const peer = await open({ roots: [] });
    const call = peer.request('tools/call', { name: 'consult' });
    if (era === 'modern') {
      await expect(call).rejects.toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { elicitation: {}, sampling: {} } },
      });
    } else {
      expect((await call).structuredContent.next).toContain('elicitation and sampling');
    }
    await peer.close();
  });

  test(`${cites('ASK-PROMPT')} can come from a prompt`, async () => {
    const elicit = () => ({ action: 'accept' as const, content: { topic: 'bridges' } });
    const peer = await open({ elicit });
    const { messages } = await peer.request('prompts/get', { name: 'interview' });
    const text = 'Ask me about bridges.';
    expect(messages).toEqual([
      { role: 'user', content: { type: 'text', text } },
      { role: 'assistant', content: { type: 'text', text: 'What shall I ask first?' } },
      {
        role: 'user',
        content: {
          type: 'resource',
          resource: { uri: 'fixture://topic', mimeType: 'text/plain', text },
        },
      },
    ]);
    await peer.close();
  });

  test(`${cites('ASK-PROMPT', 'ASK-UNABLE')} fail the prompt if the client cannot ask`, async () => {
    const peer = await open();
    await expect(peer.request('prompts/get', { name: 'interview' })).rejects.toMatchObject({
      code: era === 'modern' ? -32021 : -32603,
      message: expect.stringMatching(/What about\?.*supports elicitation/),
    });
    await peer.close();
  });
});

test(`${cites('ASK-UNABLE')} the new era's error keeps Baton's own code and advice`, async () => {
  await using running = startProgram(fixtureProgram);
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
  };
  const params = { name: 'confirm', arguments: { subject: 'x' }, _meta };
  const { error } = await running.request(1, 'tools/call', params);
  expect(error).toMatchObject({
    code: -32021,
    data: {
      requiredCapabilities: { elicitation: { form: {} } },
      code: 'cannot_ask',
      next: expect.stringContaining('elicitation'),
    },
  });
});

describe('the state of a question', () => {
  /** A UUID of version 4 has 122 random bits. */
  const RANDOM = /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b/g;
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  let nextId = 0;

  function confirm(running: Program, subject: string, more: object = {}): Promise<Reply> {
    nextId += 1;
    const params = { name: 'confirm', arguments: { subject }, _meta: META, ...more };
    return running.request(nextId, 'tools/call', params);
  }
  const yes = { inputResponses: { sure: { action: 'accept', content: { yes: true } } } };
  const refusal = { error: { code: -32602, message: 'Invalid or expired requestState' } };

  test(`${cites('ASK-SIGNED', 'T35')} is used once, and only for its own call`, async () => {
    await using running = startProgram(fixtureProgram);
    const first = await confirm(running, 'deploy');
    expect(first.result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { sure: { method: 'elicitation/create' } },
    });
    const { requestState } = first.result;
    expect(await confirm(running, 'erase everything', { ...yes, requestState })).toMatchObject(
      refusal,
    );
    const again = await confirm(running, 'deploy');
    const state = again.result.requestState;
    expect(
      (await confirm(running, 'deploy', { ...yes, requestState: state })).result,
    ).toMatchObject({
      inputRequests: { why: {} },
    });
    expect(await confirm(running, 'deploy', { ...yes, requestState: state })).toMatchObject(
      refusal,
    );
  });

  test(`${cites('ASK-SIGNED', 'T35')} lets nobody answer what was not asked with it`, async () => {
    await using running = startProgram(fixtureProgram);
    const { requestState } = (await confirm(running, 'deploy')).result;
    const why = { action: 'accept', content: { reason: 'I say so' } };
    const inputResponses = { ...yes.inputResponses, why };
    const second = await confirm(running, 'deploy', { requestState, inputResponses });
    expect(second.result).toMatchObject({ inputRequests: { why: { method: expect.any(String) } } });
    const last = { requestState: second.result.requestState, inputResponses: { why } };
    expect((await confirm(running, 'deploy', last)).result.structuredContent).toEqual({
      outcome: 'confirmed because I say so',
    });
  });

  test(`${cites('ASK-SIGNED', 'T35')} is made of random bits, for each question anew`, async () => {
    await using running = startProgram(fixtureProgram);
    const states = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { requestState } = (await confirm(running, 'deploy')).result;
        const [, payload = ''] = (requestState as string).split('.');
        return JSON.parse(Buffer.from(payload, 'base64url').toString());
      }),
    );
    const found = states.map((state) => JSON.stringify(state).match(RANDOM) ?? []);
    // Two in each: whose question it is, which all have in common, and which question it is.
    expect(found.map(({ length }) => length)).toEqual(Array(20).fill(2));
    expect(new Set(found.flat()).size).toBe(21);
  });

  test(`${cites('ASK-SIGNED')} carries what was answered while the rest is asked again`, async () => {
    await using running = startProgram(fixtureProgram);
    const clientCapabilities = { elicitation: {}, sampling: {}, roots: {} };
    const _meta = { ...META, 'io.modelcontextprotocol/clientCapabilities': clientCapabilities };
    const consult = (id: string, more: object = {}) =>
      running.request(id, 'tools/call', { name: 'consult', _meta, ...more });
    const first = await consult('first');
    expect(first.result.inputRequests).toMatchObject({
      who: { method: 'elicitation/create', params: { mode: 'form', message: 'Who are you?' } },
      idea: {
        method: 'sampling/createMessage',
        params: { maxTokens: 50, systemPrompt: 'Be brief.', messages: [{ role: 'user' }] },
      },
      places: { method: 'roots/list' },
    });
    const second = await consult('second', {
      requestState: first.result.requestState,
      inputResponses: {
        who: { action: 'accept', content: { name: 'Ada' } },
        idea: { role: 'assistant', model: 'm', content: { type: 'mumble' } },
        places: 12345,
        unheard: { action: 'accept' },
      },
    });
    expect(Object.keys(second.result.inputRequests)).toEqual(['idea', 'places']);
    const third = await consult('third', {
      requestState: second.result.requestState,
      inputResponses: {
        idea: { role: 'assistant', model: 'm', content: { type: 'text', text: 'Rest.' } },
        places: { roots: [{ uri: 'file:///home' }] },
      },
    });
    expect(third.result.structuredContent).toEqual({
      name: 'Ada',
      idea: 'Rest.',
      places: ['file:///home'],
    });
  });

  test(`${cites('ASK-SIGNED', 'T35')} cannot be changed in any byte, nor taken elsewhere`, async () => {
    await using running = startProgram(fixtureProgram);
    await using other = startProgram(fixtureProgram);
    const { requestState } = (await confirm(running, 'deploy')).result as { requestState: string };
    expect(await confirm(other, 'deploy', { ...yes, requestState })).toMatchObject(refusal);
    const forged = Array.from(requestState, (letter, index) => {
      const changed = letter === 'A' ? 'B' : 'A';
      return requestState.slice(0, index) + changed + requestState.slice(index + 1);
    });
    // The last character of a base64url text carries bits that stand for nothing.
    const replies = await Promise.all(
      forged
        .slice(0, -1)
        .map((state) => confirm(running, 'deploy', { ...yes, requestState: state })),
    );
    expect(replies.filter(({ error }) => error?.code !== -32602)).toEqual([]);
    // None of that has used it up.
    const answered = await confirm(running, 'deploy', { ...yes, requestState });
    expect(answered.result.inputRequests).toMatchObject({ why: {} });
    for (const odd of ['', 'v1..', 'v1.e30.AA', 5, { a: 1 }, 'x'.repeat(100_000)]) {
      const reply = await confirm(running, 'deploy', { ...yes, requestState: odd });
      expect(reply.error?.code).toBe(-32602);
    }
  });
});
