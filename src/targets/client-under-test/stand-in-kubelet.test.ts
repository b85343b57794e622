import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { record, text } from '../../kubernetes/json.js';
import { lies } from '../../liars/lies/index.js';
import { payload, TOKEN } from '../../liars/scene.js';
import { LiarServer } from '../../liars/server.js';
import { parseRequestPem } from '../../pki/request.js';
import { bootstrapKubelet } from './stand-in-kubelet.js';

const BOOTSTRAP = 'etc/kubernetes/bootstrap-kubelet.conf';
const KUBELET = 'etc/kubernetes/kubelet.conf';

/** A kubelet before the server of this name, with a bootstrap kubeconfig that is there. */
async function before(name: string, act: (root: string, server: LiarServer) => Promise<void>): Promise<void> {
  const lie = lies.find((one) => one.name === name);
  assert.ok(lie !== undefined);
  const root = mkdtempSync(path.join(tmpdir(), 'joinproof-kubelet-'));
  const server = await LiarServer.start(lie);
  try {
    mkdirSync(path.join(root, path.dirname(BOOTSTRAP)), { recursive: true });
    const around = {
      contexts: '[{name: c, context: {cluster: kubernetes, user: u}}]',
      current: 'c',
      users: `[{name: u, user: {token: ${TOKEN}}}]`,
    };
    writeFileSync(path.join(root, BOOTSTRAP), payload(server.liar.scene, [{ name: 'kubernetes' }], around));
    await act(root, server);
  } finally {
    await server.close();
    rmSync(root, { recursive: true, force: true });
  }
}

const requestsOf = (liar: LiarServer['liar']): readonly string[] =>
  liar.journal.flatMap((entry) => (entry.kind === 'request' && entry.method === 'POST' ? [entry.body] : []));

const namesAsked = (liar: LiarServer['liar']): readonly string[] =>
  requestsOf(liar).map((body) => {
    const { request } = record(record(JSON.parse(body)).spec);
    return parseRequestPem(Buffer.from(text(request), 'base64').toString()).commonName;
  });

describe('the kubelet that stands in', () => {
  it('bootstraps with the kubeconfig that it finds', () =>
    before('ok-pin', async (root, { liar }) => {
      await bootstrapKubelet(root, 'worker-9', new AbortController().signal);
      assert.match(readFileSync(path.join(root, KUBELET), 'utf8'), /client-certificate/);
      const asked = liar.journal.filter((entry) => entry.kind === 'request' && entry.method === 'POST');
      assert.deepEqual(
        asked.map((entry) => entry.kind === 'request' && entry.authorization),
        [`Bearer ${TOKEN}`],
      );
    }));

  it('has the name that kubeadm tells it', () =>
    before('ok-pin', async (root, { liar }) => {
      mkdirSync(path.join(root, 'var/lib/kubelet'), { recursive: true });
      const flags = 'KUBELET_KUBEADM_ARGS="--node-ip=192.0.2.9 --hostname-override=Worker-9.rack.example --v=1"\n';
      writeFileSync(path.join(root, 'var/lib/kubelet/kubeadm-flags.env'), flags);
      await bootstrapKubelet(root, 'worker-9', new AbortController().signal);
      assert.deepEqual(namesAsked(liar), ['system:node:worker-9.rack.example']);
    }));

  it('asks for the same key by the same name where no answer comes', () =>
    before('kubelet-unrotated', async (root, { liar }) => {
      await bootstrapKubelet(root, 'worker-9', new AbortController().signal);
      const [first, again] = requestsOf(liar).map((body) => text(record(record(JSON.parse(body)).metadata).name));
      assert.match(first ?? '', /^node-csr-/);
      assert.equal(again, first);
    }));

  it('goes on where nobody signs, until it is ended', () =>
    before('no-autoapprove', async (root, { liar }) => {
      const over = new AbortController();
      const ended = bootstrapKubelet(root, 'worker-9', over.signal);
      while (!liar.journal.some((entry) => entry.kind === 'request' && entry.method === 'POST'))
        await new Promise((resolve) => setTimeout(resolve, 5));
      over.abort(new Error('it is over'));
      await assert.rejects(ended);
    }));
});
