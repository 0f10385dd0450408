import { AnswersNeeded, type Asking, createAsking } from './asking.ts';
import type { CallContext, PromptOutcome } from './call.ts';
import type { Bound } from './catalogue.ts';
import type { Message } from './content.ts';
import type { TemplateVariables } from './feature.ts';
import { escapeData } from './render.ts';

interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
}

/** What a prompt's `render` is given besides its service and its values. */
interface PromptContext extends Asking {
  readonly signal: AbortSignal;
}

export interface Prompt<Service = unknown> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  complete?(service: Service, argument: string, typed: string): string[] | Promise<string[]>;
  /** What is put to the model: a text in the user's name, or a whole conversation. */
  render(
    service: Service,
    values: TemplateVariables,
    context: PromptContext,
  ): string | readonly Message[] | Promise<string | readonly Message[]>;
}

/** Renders a prompt, or says what it needs to know first. Failures are thrown. */
export async function renderPrompt(
  { item, service }: Bound<Prompt>,
  values: TemplateVariables,
  call: CallContext,
): Promise<PromptOutcome> {
  const context = { ...createAsking(item.name, call), signal: call.signal };
  try {
    const rendered = await item.render(await service(), values, context);
    const messages: readonly Message[] =
      typeof rendered === 'string'
        ? [{ role: 'user', content: { type: 'text', text: rendered } }]
        : rendered;
    return { kind: 'messages', messages: escapeData(messages) };
  } catch (error) {
    if (error instanceof AnswersNeeded) return { kind: 'question', requests: error.requests };
    throw error;
  }
}
