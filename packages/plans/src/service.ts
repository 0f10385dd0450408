import { type Asking, BatonError, type Environment } from '@baton/core';
import { fingerprint, once, type Transaction } from '@baton/store';
import { checkTexts } from './check-jobs.ts';
import type { ControlOptions } from './controlling.ts';
import { addPlan, finalizePlan } from './creating.ts';
import { type JobDefinition, toWork } from './definition.ts';
import { editJobs } from './editing.ts';
import { arranged, repositoriesOf } from './git-jobs.ts';
import type { GitSettings } from './git-settings.ts';
import { checkGraph } from './graph.ts';
import { controlSafely, type SavedWork } from './kept-work.ts';
import { type LandingOptions, landingTargets } from './landing.ts';
import { openGate } from './lifecycle.ts';
import { lookAtPlan, type PlanLook, type Waiting } from './looking.ts';
import {
  findPlan,
  gitOf,
  jobsOf,
  type Plan,
  planIds,
  planTopic,
  updatePlan,
} from './plan-repository.ts';
import { commandsIn, readPlanFile } from './plan-source.ts';
import type { FoundRepository, PlanPorts } from './ports.ts';
import { DEFAULT_PARALLEL } from './scheduling.ts';
import { type JobToStore, sealed, toStore } from './stored-job.ts';
import { listPlans, type PlanQuery } from './views/list-view.ts';
import { watchLog } from './watch-log.ts';
import { referringTexts, variablesOf } from './work-texts.ts';
import { recordBase, repositoryRow } from './worktrees.ts';

export interface PlanToCreate {
  readonly name?: string | undefined;
  readonly jobs?: readonly JobDefinition[] | undefined;
  readonly file?: string | undefined;
  readonly env?: Environment | undefined;
  readonly maxParallel?: number | undefined;
  readonly after?: string | undefined;
  readonly paused?: boolean | undefined;
  readonly draft?: boolean | undefined;
  readonly git?: GitSettings | undefined;
  readonly key?: string | undefined;
}

export interface PlanChanges {
  readonly plan: string;
  readonly upsert?: readonly JobDefinition[] | undefined;
  readonly remove?: readonly string[] | undefined;
  readonly set?:
    | {
        readonly name?: string | undefined;
        readonly env?: Environment | undefined;
        readonly maxParallel?: number | undefined;
      }
    | undefined;
  readonly finalize?: boolean | undefined;
}

/** A plan as an action has left it. */
export type Controlled = Plan & {
  /** What people had done in worktrees that are removed now. */
  readonly saved: readonly SavedWork[];
};

/** Everything that changes plans, for tools and the command line alike. */
export class PlanService {
  readonly ports: PlanPorts;

  constructor(ports: PlanPorts) {
    this.ports = ports;
  }

  async create(given: PlanToCreate, asking: Asking): Promise<Plan> {
    const { ids, sealer, store, workspace, environment } = this.ports;
    const { source, ...definition } = given.file
      ? await this.#fromFile(given, asking)
      : { ...given, source: '' };
    const { name, jobs = [], env = {}, maxParallel = DEFAULT_PARALLEL, after } = definition;
    if (!name || (jobs.length === 0 && !given.draft)) throw incomplete();
    checkGraph(jobs);
    checkVariables(jobs);
    const { git } = definition;
    const stored = arranged(
      jobs.map((job) => toStore(job, sealer)),
      git,
    );
    const found = git ? await this.#examine(git, stored, asking) : [];
    const plan = {
      workspace,
      name,
      git,
      jobs: stored,
      maxParallel,
      after,
      source,
      baseEnv: sealed(environment, sealer),
      env: sealed(env, sealer),
    };
    const make = async (tx: Transaction) => {
      const draft = await addPlan(tx, ids, plan);
      const isPaused = definition.paused ?? false;
      // What starts later begins with what is there then.
      if (!given.draft && !isPaused && after === undefined) await beginWith(tx, draft, found);
      if (!given.draft) await finalizePlan(tx, draft, { isPaused });
      return draft.id;
    };
    const { key, ...asked } = { ...given, ...definition };
    const scope = `plan_create ${workspace}`;
    const print = await fingerprint(asked);
    const created = await store.write('durable', async (tx) => {
      const id = key
        ? await once(tx, { scope, key, fingerprint: print }, () => make(tx))
        : await make(tx);
      return findPlan(tx, workspace, id);
    });
    if (created.state === 'running') await this.ports.workers.ensure();
    return created;
  }

  #examine(git: GitSettings, jobs: readonly JobToStore[], asking: Asking) {
    const definitions = jobs.map(({ definition }) => definition);
    return this.ports.repositories.examine(git, repositoriesOf(definitions), asking);
  }

  async #fromFile(given: PlanToCreate, asking: Asking) {
    const { file = '', name, jobs, env, maxParallel, git, draft: _, ...rest } = given;
    const parts = [name, jobs, env, maxParallel, git];
    if (parts.some((part) => part !== undefined)) throw fileAndMore();
    const { text, source } = await this.ports.files.read(file);
    const plan = await readPlanFile(text, source);
    const { trust, workspace } = this.ports;
    await trust.require({ workspace, source, ...commandsIn(plan) }, asking);
    return {
      ...plan,
      ...rest,
      after: rest.after ?? plan.after,
      paused: rest.paused ?? plan.paused,
      source,
    };
  }

  async edit(
    { plan: id, upsert = [], remove = [], set, finalize }: PlanChanges,
    asking: Asking,
  ): Promise<Plan> {
    const { store, sealer, workspace, workers } = this.ports;
    const jobs = upsert.map((job) => toStore(job, sealer));
    const git = gitOf(await store.read((tx) => findPlan(tx, workspace, id)));
    if (git && jobs.length > 0) await this.#examine(git, jobs, asking);
    const sealedEnv = set?.env && sealed(set.env, sealer);
    const edited = await store.write('durable', async (tx) => {
      let plan = await findPlan(tx, workspace, id);
      if (upsert.length > 0 || remove.length > 0) {
        await checkNewVariables(tx, plan, upsert);
        plan = await editJobs(tx, plan, { upsert: jobs, remove });
      }
      if (set) plan = await changeSettings(tx, plan, { ...set, sealedEnv });
      if (finalize && plan.state !== 'draft') throw notADraft(plan);
      return finalize ? finalizePlan(tx, plan, { isPaused: false }) : plan;
    });
    if (edited.state === 'running') await workers.ensure();
    return edited;
  }

  look(query: PlanLook, call: Waiting) {
    return lookAtPlan(this.ports, query, call);
  }

  list(query: PlanQuery) {
    const { store, workspace } = this.ports;
    return store.read((tx) => listPlans(tx, workspace, query));
  }

  idsBeginningWith(typed: string): Promise<string[]> {
    const { store, workspace } = this.ports;
    return store.read((tx) => planIds(tx, workspace, typed));
  }

  /** Calls back whenever something of a plan has changed, until it is ended. */
  async watch(id: string, changed: () => void): Promise<() => void> {
    const { store, workspace } = this.ports;
    const plan = await store.read((tx) => findPlan(tx, workspace, id));
    return store.changes.subscribe({ workspace, topic: planTopic(plan.id) }, changed);
  }

  /** The same for the newest output of one of its jobs. */
  watchLog(id: string, jobId: string, changed: () => void): Promise<() => void> {
    return watchLog(this.ports, id, jobId, changed);
  }

  async control(id: string, options: ControlOptions): Promise<Controlled> {
    const { workers, logs } = this.ports;
    if (options.action === 'land') await this.#requireTargets(id, options);
    const { plan, removedLogs, saved } = await controlSafely(this.ports, id, options);
    for (const log of removedLogs) await logs.remove(log);
    const leaves = plan.git !== '' && ['clean', 'archive', 'delete'].includes(options.action);
    const moves = ['running', 'cancelling', 'pausing'].includes(plan.state);
    if (moves || leaves) await workers.ensure();
    return { ...plan, saved };
  }

  /** Before anything is verified, which may take long and would make a failed plan of it. */
  async #requireTargets(id: string, options: LandingOptions): Promise<void> {
    const { store, workspace, repositories } = this.ports;
    const targets = await store.read(async (tx) =>
      landingTargets(tx, await findPlan(tx, workspace, id), options),
    );
    for (const { repository, target, intoDefault } of targets) {
      if (target) await repositories.requireTarget(repository, target, intoDefault ?? false);
    }
  }
}

async function beginWith(tx: Transaction, plan: Plan, found: readonly FoundRepository[]) {
  for (const { repository, ...rest } of found) {
    await repositoryRow(tx, plan, repository);
    await recordBase(tx, plan.id, repository, rest);
  }
}

interface Settings {
  readonly name?: string | undefined;
  readonly maxParallel?: number | undefined;
  readonly sealedEnv?: string | undefined;
}

async function changeSettings(
  tx: Transaction,
  plan: Plan,
  { name, maxParallel, sealedEnv }: Settings,
): Promise<Plan> {
  const changed = await updatePlan(tx, plan, {
    ...(sealedEnv !== undefined && { env: sealedEnv }),
    ...(name !== undefined && { name }),
    ...(maxParallel !== undefined && { max_parallel: maxParallel }),
  });
  if (maxParallel !== undefined && plan.state === 'running') await openGate(tx, changed);
  return changed;
}

/** Variables may refer to outputs; later they are sealed and cannot be looked into. */
function checkVariables(
  jobs: readonly JobDefinition[],
  all: Parameters<typeof checkTexts>[0] = jobs,
) {
  for (const { id, work: given } of jobs) {
    const work = toWork(given);
    checkTexts(all, id, [...Object.values(variablesOf(work)), ...referringTexts(work)]);
  }
}

async function checkNewVariables(tx: Transaction, plan: Plan, upsert: readonly JobDefinition[]) {
  const all = new Map<string, { id: string; needs?: readonly string[] | undefined }>(
    (await jobsOf(tx, plan.id)).map(({ id, definition }) => [id, definition]),
  );
  for (const job of upsert) all.set(job.id, job);
  const jobs = [...all.values()];
  checkGraph(jobs);
  checkVariables(upsert, jobs);
}

function incomplete(): BatonError {
  return new BatonError(
    'plan_incomplete',
    'A plan needs a name and jobs.',
    'Pass `name` and `jobs`, or `file`; with `draft: true` jobs can be added later.',
  );
}

function fileAndMore(): BatonError {
  return new BatonError(
    'plan_incomplete',
    'A plan comes from a file or from the call, not from both.',
    'Pass `file` alone, or `name` and `jobs` without it.',
  );
}

function notADraft({ id, state }: Plan): BatonError {
  return new BatonError(
    'plan_state',
    `Plan ${id} is ${state}, not a draft. Nothing was changed.`,
    'Only a draft can be finalized.',
  );
}
