import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded before a server: on a signal it tells the longest time that nothing else had a turn.
const delay = monitorEventLoopDelay({ resolution: 2 });
delay.enable();
process.on('SIGUSR2', () => {
  writeFileSync(process.env.STALL_FILE, `${delay.max / 1e6}\n`);
  delay.reset();
});
