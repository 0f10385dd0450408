import type { ServerProcess } from '../server-process.ts';
import type { Options, Results, Role } from './protocol.ts';

export type StartWorker = (role: Role, options: Options) => ServerProcess;

export interface Asked<Of extends Role> {
  readonly role: Of;
  readonly options: Options;
}

/** Runs workers at the same time: none begins before all are ready. */
export async function runWorkers<Of extends Role>(
  start: StartWorker,
  asked: readonly Asked<Of>[],
): Promise<Results[Of][]> {
  const workers = asked.map(({ role, options }) => start(role, options));
  try {
    await Promise.all(workers.map(readLine));
    for (const worker of workers) await worker.send(Buffer.from('go\n'));
    const answers = await Promise.all(workers.map(readLine));
    return answers.map((answer) => (answer as { result: Results[Of] }).result);
  } finally {
    await Promise.all(workers.map((worker) => worker[Symbol.asyncDispose]()));
  }
}

async function readLine(worker: ServerProcess): Promise<unknown> {
  await worker.received(1);
  const answer: unknown = JSON.parse(worker.takeLines()[0] ?? 'null');
  const { error } = answer as { readonly error?: string };
  if (error !== undefined) throw new Error(error);
  return answer;
}
