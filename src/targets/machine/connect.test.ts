/** Whether a connection may be used, by what the server shows and whom the client trusts. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { CertificateProblem, WireQuestion } from '../../kubernetes/wire.js';
import { authority, type LocalServer, serve } from '../local-server.testing.js';
import { NotConnected, open } from './connect.js';

const { signal } = new AbortController();
const servers: LocalServer[] = [];
after(async () => {
  for (const server of servers) await server.close();
});
const ca = authority();
const HOUR = 3_600_000;
async function serving(options: Parameters<typeof serve>[1]): Promise<LocalServer> {
  const server = await serve((_request, response) => response.end('ok'), { ca, ...options });
  servers.push(server);
  return server;
}

/** What is wrong; undefined: nothing. */
async function wrong(
  server: Pick<LocalServer, 'port'>,
  host = '127.0.0.1',
  trust: WireQuestion['trust'] = { caPem: ca.certificate.pem },
  more: { readonly secure?: boolean; readonly hostCaPem?: string } = {},
): Promise<unknown> {
  const { secure = true, hostCaPem } = more;
  try {
    const socket = await open({ host, port: server.port, secure }, { trust }, { signal, hostCaPem });
    socket.destroy();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof NotConnected, String(error));
    return error.failure;
  }
}
const certificate = (problem: object): object => ({ cause: 'untrusted', problem: problem as CertificateProblem });

describe('a connection', () => {
  it('is opened to a server of the names that it is asked by', async () => {
    const server = await serving({ names: { dns: ['localhost'], ip: ['127.0.0.1'] } });
    for (const host of ['127.0.0.1', 'localhost']) assert.equal(await wrong(server, host), undefined);
    const other = await serving({ names: { dns: ['a.example', 'b.example'], ip: ['192.0.2.1', 'fd00::1'] } });
    assert.deepEqual(
      await wrong(other),
      certificate({ kind: 'name', host: '127.0.0.1', names: ['192.0.2.1', 'FD00:0:0:0:0:0:0:1'] }),
    );
    assert.deepEqual(
      await wrong(other, 'localhost'),
      certificate({ kind: 'name', host: 'localhost', names: ['a.example', 'b.example'] }),
    );
    assert.equal(await wrong(other, '127.0.0.1', 'anybody'), undefined);
  });

  it('is opened to who is trusted alone', async () => {
    const server = await serving({});
    const strange = { caPem: authority().certificate.pem };
    assert.deepEqual(await wrong(server, '127.0.0.1', strange), certificate({ kind: 'authority' }));
    assert.deepEqual(await wrong(server, '127.0.0.1', 'host'), certificate({ kind: 'authority' }));
    assert.equal(await wrong(server, '127.0.0.1', 'host', { hostCaPem: ca.certificate.pem }), undefined);
    assert.equal(await wrong(server, '127.0.0.1', 'anybody'), undefined);
  });

  it('is opened within the time of the certificate', async () => {
    for (const [now, validity] of [
      [Date.now() - 48 * HOUR, 24 * HOUR],
      [Date.now() + 24 * HOUR, 24 * HOUR],
    ] as const) {
      const server = await serving({ now, validity });
      const { problem } = (await wrong(server)) as { problem: Extract<CertificateProblem, { kind: 'dates' }> };
      assert.equal(problem.kind, 'dates');
      assert.ok(Math.abs(problem.notAfter - now - validity) < 1000);
      assert.ok(Math.abs(problem.notBefore - now) <= 301_000);
    }
  });

  it('is opened to who speaks', async () => {
    const plain = await serving({ plain: true });
    assert.deepEqual(await wrong(plain), { cause: 'not tls' });
    assert.equal(await wrong(plain, '127.0.0.1', 'anybody', { secure: false }), undefined);
    await plain.close();
    assert.deepEqual(await wrong(plain), { cause: 'refused' });
  });
});
