import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { it } from 'node:test';
import { connect } from 'node:tls';
import { Liar } from '../../liars/liar.js';
import type { Lie } from '../../liars/lie.js';
import type { Cell } from './cell.js';
import { etcdTimeout, playEtcd } from './etcd-in-cell.js';

const lieOf = (etcd: Lie['etcd']): Lie => ({ name: 'a', server: 'b', right: 'joins', etcd }) as Lie;

it('is given up soon where it never answers well, and waited for as always where it does', () => {
  const timeout = (etcd: Lie['etcd']): unknown => etcdTimeout(lieOf(etcd));
  assert.deepEqual(
    [undefined, {}, { isSick: true }, { isStranger: true }].map((etcd) => timeout(etcd as Lie['etcd'])),
    [{}, {}, { etcdAPICall: '3s' }, { etcdAPICall: '3s' }],
  );
});

/** Where it is asked to listen, and whether what answers there is of etcd's authority; then whether that ends. */
async function played(etcd: Lie['etcd']): Promise<unknown> {
  const asked: string[] = [];
  const servers: Server[] = [];
  const listen = async (host: string, port: number): Promise<Server> => {
    asked.push(`${host}:${port}`);
    const server = createServer().listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return server;
  };
  const liar = new Liar(lieOf(etcd), { endpoint: '127.0.0.1:1', now: Date.now });
  const ends = await playEtcd({ listen } as unknown as Cell, liar);
  const isOwn: boolean[] = [];
  for (const server of servers) {
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const ca = liar.scene.cast.authorities['etcd ca'].certificate.pem;
    const socket = connect({ port, host: '127.0.0.1', ca, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    socket.on('error', () => {});
    await once(socket, 'secureConnect');
    isOwn.push(socket.authorized);
    socket.destroy();
  }
  ends();
  return { asked, isOwn, listening: servers.some((server) => server.listening) };
}

it('listens at the addresses of its members, as itself or as a stranger, until it is ended', async () => {
  const asked = ['127.0.0.1:2379', '192.0.2.20:2379'];
  assert.deepEqual(await played({}), { asked, isOwn: [true, true], listening: false });
  assert.deepEqual(await played({ isStranger: true }), { asked, isOwn: [false, false], listening: false });
  assert.deepEqual(await played(undefined), { asked: [], isOwn: [], listening: false });
});
