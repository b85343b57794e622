import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Secret } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import type { Reference } from '../../reference/index.js';
import { OWN_ADDRESS } from '../client-under-test/cell.js';
import { TOKEN } from './circumstances.js';
import { type Uploader, Uploads } from './uploads.js';

const NAMESPACE = 'kube-system';
const OWNER = 'bootstrap-token-fedcba';
const encoded = (data: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));

/** Writes the Secret of shared certificates, of an owner where there is one. */
function write({ api }: Reference, owner: string | undefined): void {
  const uid = owner === undefined ? undefined : api.get(resources.secrets, NAMESPACE, owner)?.metadata.uid;
  const ownerReferences =
    owner === undefined || uid === undefined
      ? {}
      : { ownerReferences: [{ apiVersion: 'v1', kind: 'Secret', name: owner, uid, controller: true }] };
  const metadata = { name: 'kubeadm-certs', namespace: NAMESPACE, ...ownerReferences };
  api.create(resources.secrets, { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data: {} } as Secret);
}

/** An owner that may do these. */
function own({ api }: Reference, usages: Readonly<Record<string, string>>): void {
  api.create(resources.secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'bootstrap.kubernetes.io/token',
    metadata: { name: OWNER, namespace: NAMESPACE },
    data: encoded({ 'token-id': 'fedcba', 'token-secret': 'fedcba9876543210', ...usages }),
  } as Secret);
}

async function uploaded(uploader: Uploader, ...names: readonly string[]) {
  const uploads = new Uploads('1.36', uploader);
  try {
    const runs = [];
    for (const name of names.length === 0 ? ['a key told'] : names) runs.push(await uploads.upload(name));
    return runs;
  } finally {
    await uploads.close();
  }
}

const ended = { exit: 0, said: ['so'] };

describe('what is uploaded', () => {
  it('is told with what its owner is good for, and whether it goes with it', async () => {
    const of = async (usages: Readonly<Record<string, string>>, isOwned = true) => {
      const [run] = await uploaded(async ({ cluster }) => {
        own(cluster, usages);
        write(cluster, isOwned ? OWNER : undefined);
        return ended;
      });
      return [run?.login, run?.signs, run?.outlives];
    };
    assert.deepEqual(await of({}), [401, false, false]);
    assert.deepEqual(await of({ 'usage-bootstrap-authentication': 'true' }), [200, false, false]);
    assert.deepEqual(await of({ 'usage-bootstrap-signing': 'true' }), [401, true, false]);
    assert.deepEqual(await of({ 'usage-bootstrap-authentication': 'true' }, false), [undefined, undefined, undefined]);
  });

  it('is told with its time, its words, its key and what lies beside it, and where it is', async () => {
    const began: number[] = [];
    const [run] = await uploaded(async ({ cluster, key }) => {
      began.push(Date.now());
      write(cluster, undefined);
      return { exit: 3, said: [`key ${key?.length}`] };
    });
    assert.ok(run);
    assert.deepEqual([run.circumstance, run.token], ['a key told', TOKEN]);
    assert.match(run.server, new RegExp(`^https://${OWN_ADDRESS.replaceAll('.', '\\.')}:6443$`));
    assert.match(run.authorityPem, /^-----BEGIN CERTIFICATE-----/);
    assert.equal(run.made, undefined);
    const [time, ...others] = run.times;
    assert.ok(time);
    assert.deepEqual([others, time.exit, time.said, time.told?.length], [[], 3, ['key 64'], 64]);
    assert.ok(Math.abs(time.began - (began[0] ?? 0)) < 60_000);
    const kinds = new Set(time.objects.map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), ['ConfigMap', 'Role', 'RoleBinding', 'Secret']);
    assert.ok(time.objects.every(({ metadata }) => metadata.namespace === NAMESPACE));
  });

  it('finds nothing of what was uploaded before', async () => {
    const found: (readonly string[])[] = [];
    await uploaded(
      async ({ cluster }) => {
        const secrets = cluster.api.list(resources.secrets, NAMESPACE) as readonly Secret[];
        found.push(
          secrets.flatMap(({ metadata: { name = '' }, type }) =>
            name === 'kubeadm-certs' || type === 'bootstrap.kubernetes.io/token' ? [name] : [],
          ),
        );
        own(cluster, {});
        write(cluster, undefined);
        return ended;
      },
      'a key told',
      'a key told',
    );
    assert.deepEqual(found, [[], []]);
  });

  it('is nothing in circumstances that nobody knows', async () => {
    assert.deepEqual(await uploaded(async () => assert.fail('it is uploaded'), 'of no kind'), [undefined]);
  });
});
