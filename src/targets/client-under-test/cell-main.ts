/**
 * The program of a cell: it lives in a network of its own, makes servers there and hands them out, and runs programs.
 * What it is told comes over the channel to its parent; without a parent it ends, and all that it has started.
 */
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { HEALTHZ, HEALTHZ_ELSEWHERE } from '../../liars/addresses.js';
import type { Answer, Order } from './cell.js';
import { runProgram } from './program.js';

let wellAt: number | undefined;

const running = new Map<number, AbortController>();
const tell = (answer: Answer, handle?: ReturnType<typeof createServer>): void => {
  process.send?.(answer, handle, {}, () => handle?.close());
};
const failed = (id: number, error: unknown): void =>
  tell({ id, failed: error instanceof Error ? error.message : String(error) });

function controllerOf(id: number): AbortController {
  const controller = new AbortController();
  running.set(id, controller);
  return controller;
}

async function obey(order: Order): Promise<void> {
  const { id } = order;
  switch (order.kind) {
    case 'listen': {
      const server = createServer();
      server.once('error', (error) => failed(id, error));
      server.listen(order.port, order.host, () => tell({ id }, server));
      return;
    }
    case 'run': {
      const { signal } = controllerOf(id);
      tell({ id, ended: await runProgram({ ...order.program, signal }) });
      return;
    }
    case 'kubelet': {
      const { signal } = controllerOf(id);
      const { bootstrapKubelet } = await import('./stand-in-kubelet.js');
      await bootstrapKubelet(order.root, order.nodeName, signal);
      return;
    }
    case 'health':
      wellAt = order.wellAt;
      tell({ id });
      return;
    case 'stop':
      running.get(order.of)?.abort(new Error('it is over'));
      running.delete(order.of);
  }
}

process.on('message', (order: Order) => {
  obey(order).catch((error: unknown) => failed(order.id, error));
});
process.on('disconnect', () => {
  for (const controller of running.values()) controller.abort(new Error('it is over'));
  process.exit(0);
});
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => {});
for (const port of [HEALTHZ, HEALTHZ_ELSEWHERE])
  createHttpServer((_, response) => (wellAt === port ? response.end('ok') : response.writeHead(500).end('not well')))
    .on('error', () => {})
    .listen(port, '127.0.0.1');
