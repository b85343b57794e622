/** What runs on a control plane that joins, in its cell: controller manager and scheduler, at their ports of loopback. */
import { createServer } from 'node:https';
import { LISTENING, type PlayedComponent, startsPods } from '../../liars/components.js';
import type { Liar } from '../../liars/liar.js';
import type { Cell } from './cell.js';

/** Under certificates that they have made for themselves. Returns what ends them. */
export async function playComponents(cell: Cell, { lie, components, scene }: Liar): Promise<() => void> {
  if (!startsPods(lie)) return () => {};
  const { certificatePem: cert, keyPem: key } = scene.cast.serving['self-signed'];
  const ends: (() => void)[] = [];
  for (const [component, port] of Object.entries(LISTENING) as [PlayedComponent, number][]) {
    const server = await cell.listen('127.0.0.1', port);
    const secure = createServer({ cert, key }, ({ url = '' }, response) => {
      response.writeHead(components.answer(component, url.replace(/\?.*$/s, ''))).end();
    });
    secure.on('tlsClientError', () => {});
    server.on('connection', (socket) => secure.emit('connection', socket));
    ends.push(() => {
      server.close();
      secure.closeAllConnections();
    });
  }
  return () => {
    for (const end of ends) end();
  };
}
