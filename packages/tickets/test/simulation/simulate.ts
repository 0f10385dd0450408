import { createRandom, type Random } from '@baton/testkit';
import { createWorld, Refused, type World } from '../world.ts';
import { checkRows } from './checks.ts';

interface Claim {
  readonly id: string;
  readonly token: string;
}

/** Several agents, a person and the passing of time, in an order that the seed decides. */
class Simulation {
  readonly world: World;
  readonly random: Random;
  /** What each agent believes to have. */
  readonly claims = new Map<string, Claim>();
  /** Who must have each ticket, by what was answered. */
  readonly holders = new Map<string, string>();
  /** Who got which token. */
  readonly owners = new Map<string, string>();
  readonly counts = new Map<string, number>();
  readonly trace: string[] = [];
  #created = 0;

  constructor(world: World, seed: number) {
    this.world = world;
    this.random = createRandom(seed);
  }

  async step(): Promise<void> {
    const steps = [
      () => this.#create(),
      () => this.#create(),
      () => this.#claim(),
      () => this.#claim(),
      () => this.#claim(),
      () => this.#report(),
      () => this.#report(),
      () => this.#report(),
      () => this.#endChecks(),
      () => this.#endChecks(),
      () => this.#link(),
      () => this.#move(),
      () => this.#renew(),
      () => this.#pass(),
    ];
    await this.random.pick(steps)();
    await checkRows(this.world);
  }

  async #create(): Promise<void> {
    if (this.#created >= 12) return;
    this.#created += 1;
    const others = this.#some(2);
    await this.#attempt('create', {
      title: `ticket ${this.#created}`,
      priority: 1 + this.random.integer(5),
      maxAttempts: 1 + this.random.integer(3),
      ...(this.random.integer(3) === 0 && { needs: others }),
      ...(this.random.integer(4) === 0 && others[0] && { parent: others[0] }),
      ...(this.random.integer(3) === 0 && { checks: ['true'] }),
    });
  }

  async #claim(): Promise<void> {
    const agent = this.#agent();
    const leaseSeconds = this.random.pick([5, 20, 60]);
    const found = await this.#attempt('next', { agent, leaseSeconds });
    if (!found?.ticket) return;
    const { id } = found.ticket;
    const holder = this.holders.get(id);
    // The same agent gets the same claim; anybody else only what nobody has.
    const isFree =
      holder === undefined || (holder === found.token && this.owners.get(holder) === agent);
    this.#expect(isFree, `${id} was handed out twice`);
    this.owners.set(found.token, agent);
    this.claims.set(agent, { id, token: found.token });
    this.holders.set(id, found.token);
  }

  async #report(): Promise<void> {
    const agent = this.#agent();
    const claim = this.claims.get(agent);
    if (!claim) return;
    const outcome = this.random.pick(['done', 'done', 'done', 'failed', 'partial', 'blocked']);
    const waitsFor = this.random.pick(['anna', ...this.#some(1)]);
    const more = { summary: 's', waitSeconds: 0, ...(outcome === 'blocked' && { waitsFor }) };
    const answer = await this.#attempt('report', { ...claim, outcome, ...more });
    if (!answer) return;
    const holder = this.holders.get(claim.id);
    this.#expect(holder === undefined || holder === claim.token, `${claim.id} was reported late`);
    if (answer.state !== 'verifying' && answer.state !== 'claimed') this.holders.delete(claim.id);
  }

  async #endChecks(): Promise<void> {
    const open = [...this.world.runs.values()].filter((run) => !run.evidence && !run.isCancelled);
    if (open.length === 0) return;
    const verdict = this.random.pick(['passed', 'failed', 'failed', 'cancelled'] as const);
    this.random.pick(open).evidence = { verdict, dirty: true, checks: [] };
    await this.#look();
  }

  async #link(): Promise<void> {
    const [id, ticket] = this.#some(2);
    if (!id || !ticket) return;
    const type = this.random.pick(['needs', 'blocks', 'parent', 'subtask', 'related', 'duplicate']);
    const remove = this.random.integer(3) === 0;
    await this.#attempt('update', { id, links: [{ type, ticket, remove }] });
    await this.#look();
  }

  /** A person does as they like. */
  async #move(): Promise<void> {
    const [id] = this.#some(1);
    if (!id) return;
    const state = this.random.pick(['ready', 'ready', 'cancelled', 'done', 'blocked', 'deleted']);
    const take = this.random.integer(2) === 0;
    await this.#attempt('update', {
      id,
      state,
      take,
      ...(state === 'blocked' && { waitsFor: 'x' }),
    });
    await this.#look();
  }

  async #renew(): Promise<void> {
    const claim = this.claims.get(this.#agent());
    if (claim) await this.#attempt('update', { ...claim, note: 'still here' });
  }

  async #pass(): Promise<void> {
    this.world.pass(this.random.pick([1, 4, 10, 30]));
    if (this.random.integer(10) === 0) this.world.restart();
    await this.#look();
  }

  /** What has run out or was concluded is known from now on. */
  async #look(): Promise<void> {
    const { tickets } = await this.world.call('ticket_find', { state: 'all', limit: 100 });
    const held = new Set<string>();
    for (const { id, state } of tickets) {
      if (state === 'claimed' || state === 'verifying') held.add(id);
      this.#count(state);
    }
    for (const id of this.holders.keys()) if (!held.has(id)) this.holders.delete(id);
  }

  async #attempt(tool: string, args: object) {
    // A person stands behind every client, and says yes.
    const yes = { can: { ask: true, sample: false, roots: false } };
    const call = (more: object) => this.world.call(`ticket_${tool}`, args, { ...yes, ...more });
    try {
      let answer = await call({});
      if (answer.kind === 'question') {
        const [key] = Object.keys(answer.requests);
        answer = await call({ answers: { [String(key)]: { yes: true } } });
      }
      this.#count(tool);
      return answer;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#count(error.code);
      return undefined;
    } finally {
      // Every call may have given back what has run out.
      if (tool !== 'report') await this.#look();
    }
  }

  #some(count: number): string[] {
    const refs = Array.from({ length: this.#created }, (_, index) => `T-${index + 1}`);
    return Array.from({ length: Math.min(count, refs.length) }, () => this.random.pick(refs));
  }

  #agent(): string {
    return this.random.pick(['ada', 'bob', 'cy']);
  }

  #count(what: string): void {
    this.trace.push(what);
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  #expect(isTrue: boolean, message: string): void {
    if (!isTrue) throw new Error(message);
  }
}

/** What was done, and how often what happened, so that a test can see that everything does. */
export async function simulate(seed: number, steps: number) {
  await using world = await createWorld();
  const simulation = new Simulation(world, seed);
  const { counts, trace } = simulation;
  try {
    for (let step = 0; step < steps; step += 1) await simulation.step();
    return { counts, trace };
  } catch (error) {
    return { counts, trace, error };
  }
}
