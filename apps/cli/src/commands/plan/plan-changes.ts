import type { Baton } from '@baton/core';

/** Hears of every change of a plan. Made before the first look, so that nothing is missed. */
export class PlanChanges implements Disposable {
  #isChanged = false;
  #wake = () => {};
  #end = () => {};

  /** The same subscription that an MCP client has to the plan's resource. */
  static async of(baton: Baton, plan: string): Promise<PlanChanges> {
    const changes = new PlanChanges();
    const found = baton.catalogue.resourceTemplates.find(({ item }) => item.name === 'plan');
    const service = await found?.service();
    const end = await found?.item.watch?.(service, { id: plan }, () => changes.tell());
    changes.#end = end ?? changes.#end;
    return changes;
  }

  /** Something has changed. */
  tell(): void {
    this.#isChanged = true;
    this.#wake();
  }

  /** Waits for a change since the last wait, at most so long. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms);
      signal.addEventListener('abort', this.#wake);
    });
    if (!this.#isChanged && !signal.aborted) await woken;
    clearTimeout(timer);
    signal.removeEventListener('abort', this.#wake);
    this.#isChanged = false;
  }

  [Symbol.dispose](): void {
    this.#end();
  }
}
