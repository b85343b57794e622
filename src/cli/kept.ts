/**
 * The thread that a command runs in: signals come as orders of the keeper, and what the command needs to know of the
 * terminal with it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { Order, Terminal, Word } from './keeper.js';
import { main } from './main.js';

const terminal = workerData as Terminal;
for (const name of ['stdin', 'stdout', 'stderr'] as const) Object.assign(process[name], { isTTY: terminal[name] });

const say = (word: Word): void => parentPort?.postMessage(word);
const end = (code: number): never => {
  say({ code });
  process.exit(code);
};
parentPort?.on('message', (order: Order) => {
  say({ alive: true });
  if (!('signal' in order)) return;
  if (process.listenerCount(order.signal) > 0) {
    process.emit(order.signal, order.signal);
    return;
  }
  process.stderr.write(`joinproof: interrupted (${order.signal}); nothing is reported.\n`);
  end(3);
});
// Orders alone are no reason to stay.
parentPort?.unref();
await main(process.argv.slice(2), end);
