import type { Io } from '../../io.ts';
import { styleFor } from '../../style.ts';
import { isActive } from './job-lines.ts';
import type { PlanTools } from './plan-tools.ts';
import { Screen } from './screen.ts';
import { type Snapshot, snapshots } from './snapshots.ts';
import { Tails } from './tails.ts';
import { viewLines } from './view-lines.ts';

const SHORTEST_MS = 100;
/** The times of what runs go on, even if nothing else happens. */
const TICK_MS = 1000;

/** Shows a plan in place while it moves. Returns what was seen last. */
export async function showLive(
  io: Io,
  plans: PlanTools,
  id: string,
): Promise<Snapshot | undefined> {
  const { clock } = plans.session.baton;
  const screen = new Screen(io.stdout);
  const style = styleFor(io);
  let last: Snapshot | undefined;
  let timer: NodeJS.Timeout | undefined;
  const draw = (isEnd = false) => {
    clearTimeout(timer);
    timer = undefined;
    if (!last) return;
    const tailOf = (job: string) => tails.linesOf(job);
    // The line below the last one is where the cursor stands.
    const rows = screen.size.rows - 1;
    screen.draw(viewLines(last, { style, rows, now: isEnd ? last.at : clock.now(), tailOf }));
  };
  const drawSoon = () => {
    timer ??= setTimeout(draw, SHORTEST_MS);
  };
  const tails = new Tails(plans, id, drawSoon);
  const ticks = setInterval(drawSoon, TICK_MS);
  io.stdout.on('resize', drawSoon);
  try {
    for await (const snapshot of snapshots(plans, id)) {
      last = snapshot;
      tails.follow(snapshot.jobs.filter(isActive).map((job) => job.id));
      draw();
    }
  } finally {
    clearInterval(ticks);
    io.stdout.off('resize', drawSoon);
    draw(true);
    tails.end();
    await screen.end();
  }
  return last;
}
