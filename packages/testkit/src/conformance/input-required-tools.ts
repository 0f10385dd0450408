import { type ClientRequests, contentText, type Tool } from '@baton/core';
import * as z from 'zod';
import { form, NAME, OK, roots, sampling } from './requests.ts';
import { type Bench, type TextTool, textTool } from './text-tool.ts';

type Run = TextTool<z.ZodObject>['run'];

function tool(what: string, description: string, run: Run): Tool<Bench> {
  const name = `test_input_required_result_${what}`;
  return textTool({ name, description, input: z.object({}), run });
}

export const inputRequiredTools: readonly Tool<Bench>[] = [
  tool('elicitation', 'Asks for a name.', (_bench, _input, { askAll }) => {
    const answer = askAll({ user_name: form('What is your name?', NAME) });
    return { text: `Hello, ${answer.user_name?.name ?? 'stranger'}!` };
  }),
  tool('sampling', 'Asks the model for a capital.', (_bench, _input, { askAll }) => {
    const answer = askAll({ capital_question: sampling('What is the capital of France?') });
    return { text: contentText(answer.capital_question.content) };
  }),
  tool('list_roots', 'Asks for the roots of the client.', (_bench, _input, { askAll }) => {
    const answer = askAll({ client_roots: roots });
    return { text: answer.client_roots.map(({ uri }) => uri).join('\n') };
  }),
  tool('request_state', 'Asks for a confirmation.', (_bench, _input, { askAll }) => {
    const { confirm } = askAll({ confirm: form('Please confirm', OK) });
    // The adapter refuses a state that is not ours, so that a tool runs only with a good one.
    return { text: `state-ok, confirmed: ${confirm?.ok ?? false}` };
  }),
  tool('tampered_state', 'Asks for a confirmation.', (_bench, _input, { askAll }) => {
    const { confirm } = askAll({ confirm: form('Please confirm', OK) });
    return { text: `confirmed: ${confirm?.ok ?? false}` };
  }),
  tool('multiple_inputs', 'Asks everybody at once.', (_bench, _input, { askAll }) => {
    const answer = askAll({
      user_name: form('What is your name?', NAME),
      greeting: sampling('Generate a greeting', 50),
      client_roots: roots,
    });
    const greeting = contentText(answer.greeting.content);
    const folders = answer.client_roots.map(({ uri }) => uri).join(', ');
    return { text: `${greeting} ${answer.user_name?.name ?? 'stranger'} in ${folders}` };
  }),
  tool('multi_round', 'Asks twice.', (_bench, _input, { ask }) => {
    const first = ask({ key: 'step1', message: 'Step 1: What is your name?', schema: NAME });
    const second = ask({
      key: 'step2',
      message: 'Step 2: What is your favorite color?',
      schema: z.object({ color: z.string() }),
    });
    return { text: `${first?.name ?? 'Somebody'} likes ${second?.color ?? 'nothing'}.` };
  }),
  tool('capabilities', 'Asks only what the client can answer.', (_bench, _input, asking) => {
    const { can } = asking;
    const requests: ClientRequests = {
      ...(can.ask && { user_name: form('What is your name?', NAME) }),
      ...(can.sample && { greeting: sampling('Generate a greeting', 50) }),
    };
    return { text: `Answered: ${Object.keys(asking.askAll(requests)).join(', ') || 'nothing'}` };
  }),
];
