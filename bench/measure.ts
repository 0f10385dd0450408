import { largeCall } from './messages.ts';
import { EVERYONE, type Name, SERVERS } from './programs.ts';
import * as scenarios from './scenarios.ts';

export interface Rounds {
  readonly startUp: number;
  readonly memory: number;
  readonly pipelined: number;
  readonly sequential: number;
  readonly large: number;
}

export async function measureAll(bench: scenarios.Bench, rounds: Rounds): Promise<void> {
  bench.progress(`start-up, ${rounds.startUp} rounds`);
  await inTurns(rounds.startUp, EVERYONE, (name) => scenarios.firstAnswer(bench, name));
  await inTurns(rounds.startUp, SERVERS, (name) => scenarios.toolsList(bench, name));
  bench.progress(`idle memory, ${rounds.memory} rounds`);
  await inTurns(rounds.memory, SERVERS, (name) => scenarios.idleMemory(bench, name));
  bench.progress(`pipelined calls, ${rounds.pipelined} rounds`);
  await inTurns(rounds.pipelined, SERVERS, (name) => scenarios.pipelined(bench, name));
  bench.progress(`calls one at a time, ${rounds.sequential} rounds`);
  await inTurns(rounds.sequential, SERVERS, (name) => scenarios.sequential(bench, name));
  for (const size of scenarios.LARGE) {
    bench.progress(`one message of ${size.bytes / 1e6} MB, ${rounds.large} rounds`);
    const message = largeCall(size.bytes);
    await inTurns(rounds.large, SERVERS, (name) => scenarios.large(bench, name, size, message));
  }
}

/** Every round starts with another server, so that none always runs after the same one. */
async function inTurns(
  rounds: number,
  names: readonly Name[],
  measure: (name: Name) => Promise<void>,
): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      try {
        await measure(name);
      } catch (error) {
        throw new Error(`${name}: ${error instanceof Error ? error.message : error}`, {
          cause: error,
        });
      }
    }
  }
}
