import { ERAS } from './http-messages.ts';
import * as httpScenarios from './http-scenarios.ts';
import { inTurns } from './in-turns.ts';
import { largeCall } from './messages.ts';
import { EVERYONE, HTTP_SERVERS, SERVERS } from './programs.ts';
import * as scenarios from './scenarios.ts';

export interface Rounds {
  readonly startUp: number;
  readonly memory: number;
  readonly pipelined: number;
  readonly pipelinedCalls: number;
  readonly sequential: number;
  readonly large: number;
  /** The longest message; the SDKs take most of a minute for the largest of them. */
  readonly largestBytes: number;
  readonly http: number;
  readonly sessions: number;
}

export async function measureAll(bench: scenarios.Bench, rounds: Rounds): Promise<void> {
  bench.progress(`start-up, ${rounds.startUp} rounds`);
  await inTurns(rounds.startUp, EVERYONE, (name) => scenarios.firstAnswer(bench, name));
  await inTurns(rounds.startUp, SERVERS, (name) => scenarios.toolsList(bench, name));
  bench.progress(`idle memory, ${rounds.memory} rounds`);
  await inTurns(rounds.memory, SERVERS, (name) => scenarios.idleMemory(bench, name));
  bench.progress(`pipelined calls, ${rounds.pipelined} rounds`);
  await inTurns(rounds.pipelined, SERVERS, (name) =>
    scenarios.pipelined(bench, name, rounds.pipelinedCalls),
  );
  bench.progress(`calls one at a time, ${rounds.sequential} rounds`);
  await inTurns(rounds.sequential, SERVERS, (name) => scenarios.sequential(bench, name));
  for (const size of scenarios.LARGE.filter(({ bytes }) => bytes <= rounds.largestBytes)) {
    bench.progress(`one message of ${size.bytes / 1e6} MB, ${rounds.large} rounds`);
    const message = largeCall(size.bytes);
    await inTurns(rounds.large, SERVERS, (name) => scenarios.large(bench, name, size, message));
  }
  for (const era of ERAS) {
    bench.progress(`calls over HTTP, ${era} era, ${rounds.http} rounds`);
    await inTurns(rounds.http, HTTP_SERVERS, (name) => httpScenarios.calls(bench, name, era));
  }
  bench.progress(`idle sessions, ${rounds.sessions} rounds`);
  await inTurns(rounds.sessions, HTTP_SERVERS, (name) => httpScenarios.idleSessions(bench, name));
}
