import { type Program, type Reply, startProgram } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';
import { type ElicitAnswer, ways } from './ways.ts';

const ANSWERS: Record<string, ElicitAnswer> = {
  'Really deploy?': { action: 'accept', content: { yes: true } },
  'Why?': { action: 'accept', content: { reason: 'it is Friday' } },
};

describe.each(ways)('questions over $name', ({ open }) => {
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

  test(`${cites('ASK')} can be declined`, async () => {
    const peer = await open({ elicit: () => ({ action: 'decline' }) });
    const result = await peer.request('tools/call', {
      name: 'confirm',
      arguments: { subject: 'x' },
    });
    expect(result.structuredContent).toEqual({ outcome: 'declined' });
    await peer.close();
  });

  test(`${cites('ASK-UNABLE')} are an error that says so if the client cannot ask`, async () => {
    const peer = await open();
    const result = await peer.request('tools/call', {
      name: 'confirm',
      arguments: { subject: 'x' },
    });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { code: 'cannot_ask', message: expect.stringContaining('Really x?') },
    });
    await peer.close();
  });
});

describe('the state of a question', () => {
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
    expect(replies.filter((reply) => reply.result)).toEqual([]);
    for (const odd of ['', 'v1..', 'v1.e30.AA', 5, { a: 1 }, 'x'.repeat(100_000)]) {
      const reply = await confirm(running, 'deploy', { ...yes, requestState: odd });
      expect(reply.error?.code).toBe(-32602);
    }
  });
});
