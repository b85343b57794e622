import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { parseRelease } from '../kubeadm/release.js';
import type { KubeObject, Secret } from '../kubernetes/objects.js';
import type { WireQuestion } from '../kubernetes/wire.js';
import { generateKey, privateKeyPem, publicKeyPem } from '../pki/keys.js';
import { joiningDecisions as decisions } from './decisions/index.js';
import { JoinFailed } from './failures.js';
import type { Answer, Asker, Machine, Question } from './ports.js';
import { downloadCerts, uploadCerts } from './shared-certificates.js';

const FOLDER = '/etc/kubernetes/pki';
const cluster = {
  clusterName: 'kubernetes',
  imageRepository: '',
  controlPlaneEndpoint: '',
  certificatesDir: FOLDER,
  kubelet: '',
  fields: {},
};
const release = parseRelease('1.36');
const key = generateKey('ECDSA-P256');

/** An API server that keeps what it is given, and a machine beside it. */
class World implements Asker {
  readonly objects = new Map<string, KubeObject>();
  readonly asked: string[] = [];
  readonly disk = new Map<string, string>();

  async ask({ method = 'GET', path, body }: Question): Promise<Answer> {
    const object = body as KubeObject | undefined;
    const place = method === 'POST' ? `${path}/${object?.metadata.name}` : path;
    this.asked.push(
      `${method} ${object?.kind ?? ''} ${place
        .split('/')
        .at(-1)
        ?.replace(/-[a-z0-9]{6}$/, '-ID')}`,
    );
    const kept = this.objects.get(place);
    const status =
      method === 'POST' ? (kept === undefined ? 201 : 409) : method === 'GET' && kept === undefined ? 404 : 200;
    if (object !== undefined && status < 400) {
      this.objects.set(place, { ...object, metadata: { ...object.metadata, uid: place } });
    }
    const answered = this.objects.get(place);
    return { status, headers: {}, text: JSON.stringify(answered), body: answered };
  }

  get machine(): Machine {
    const { disk } = this;
    return {
      wire: {
        exchange: async ({ url, method }: WireQuestion) => {
          const { status, text } = await this.ask({ method, path: url.replace(/^https:\/\/here|\?.*$/g, '') });
          const headers = { 'content-type': 'application/json' };
          return { kind: 'answer', status, headers, body: Buffer.from(text ?? '') };
        },
      },
      files: {
        exists: (path) => disk.has(path),
        read: (path) => disk.get(path),
        write: (path, text) => void disk.set(path, text),
        link: () => {},
        remove: (path) => void disk.delete(path),
      },
      given: { exists: () => false, read: () => undefined, list: () => [] },
      clock: { now: () => 0, sleep: async () => {} },
      hostName: 'cp-1',
      random: randomBytes,
      tell: () => {},
    };
  }

  upload(certificateKey?: string): Promise<string> {
    const given = certificateKey === undefined ? {} : { certificateKey };
    return uploadCerts({ machine: this.machine, decisions, release, admin: this, ...given }, cluster);
  }

  async download(certificateKey: string): Promise<readonly string[]> {
    const other = new Map<string, string>();
    const files = { ...this.machine.files, write: (path: string, text: string) => void other.set(path, text) };
    const access = { server: 'https://here', trust: 'anybody' as const };
    await downloadCerts({ machine: { ...this.machine, files }, decisions, release, access }, cluster, certificateKey);
    for (const [path, text] of other) assert.equal(text, this.disk.get(path), path);
    return [...other.keys()].map((path) => path.slice(FOLDER.length + 1)).sort();
  }
}

/** A control plane with its files but for those named. */
function world(...without: readonly string[]): World {
  const made = new World();
  for (const name of ['ca', 'front-proxy-ca', 'etcd/ca']) {
    made.disk.set(`${FOLDER}/${name}.crt`, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    made.disk.set(`${FOLDER}/${name}.key`, privateKeyPem(key));
  }
  made.disk.set(`${FOLDER}/sa.key`, privateKeyPem(key));
  made.disk.set(`${FOLDER}/sa.pub`, publicKeyPem(key));
  for (const name of without) made.disk.delete(`${FOLDER}/${name}`);
  return made;
}
const ALL = [
  'ca.crt',
  'ca.key',
  'etcd/ca.crt',
  'etcd/ca.key',
  'front-proxy-ca.crt',
  'front-proxy-ca.key',
  'sa.key',
  'sa.pub',
];
const failsWith = (why: RegExp) => (error: unknown) => error instanceof JoinFailed && why.test(error.message);

describe('shared certificates', () => {
  it('come down as they went up, with the key that was made for them', async () => {
    const one = world();
    const made = await one.upload();
    assert.match(made, /^[0-9a-f]{64}$/);
    assert.deepEqual(one.asked, [
      'POST Secret bootstrap-token-ID',
      'GET  bootstrap-token-ID',
      'POST Secret kubeadm-certs',
      'POST Role kubeadm:kubeadm-certs',
      'POST RoleBinding kubeadm:kubeadm-certs',
    ]);
    assert.deepEqual(await one.download(made), ALL);
  });
  it('are replaced by a second upload', async () => {
    const one = world();
    const first = await one.upload('ab'.repeat(32));
    const second = await one.upload('CD'.repeat(32));
    await assert.rejects(one.download(first), failsWith(/message authentication failed$/));
    assert.deepEqual(await one.download(second), ALL);
  });
  it('need a key that is one, before anything is made', async () => {
    const one = world();
    await assert.rejects(one.upload('zz'), failsWith(/error decoding certificate key/));
    assert.deepEqual(one.asked, []);
  });
  it('leave out what is not there to be shared', async () => {
    const one = world('ca.key');
    const made = await one.upload();
    assert.deepEqual(
      await one.download(made),
      ALL.filter((name) => name !== 'ca.key'),
    );
  });
  it('go with a token that is good for two hours and nothing else', async () => {
    const one = world();
    await one.upload();
    const ends = (name: RegExp): KubeObject | undefined => [...one.objects].find(([place]) => name.test(place))?.[1];
    const token = ends(/bootstrap-token-[a-z0-9]{6}$/);
    const data = Object.fromEntries(
      Object.entries((token as Secret).data ?? {}).map(([name, value]) => [
        name,
        Buffer.from(value, 'base64').toString(),
      ]),
    );
    assert.equal(data.expiration, '1970-01-01T02:00:00Z');
    assert.deepEqual(
      Object.keys(data).filter((name) => /^usage|groups/.test(name)),
      [],
    );
    assert.match(data.description ?? '', /copy|cert/i);
    const [owner, ...more] = ends(/kubeadm-certs$/)?.metadata.ownerReferences ?? [];
    assert.deepEqual([owner?.name, owner?.uid, more], [token?.metadata.name, token?.metadata.uid, []]);
  });
  it('go up nowhere where the server refuses one of the steps', async () => {
    const refusing = async (refused: RegExp, body: unknown, status = 403): Promise<World> => {
      const one = world();
      const ask = one.ask.bind(one);
      one.ask = async (question) => {
        const answer = await ask(question);
        return refused.test(one.asked.at(-1) ?? '') ? { ...answer, status, body } : answer;
      };
      return one;
    };
    for (const [refused, why] of [
      [/^POST Secret bootstrap/, 'unable to create Secret: '],
      [/^GET {2}bootstrap/, 'error to get token reference: '],
      [/^POST Secret kubeadm-certs/, 'unable to create Secret: '],
      [/^POST RoleBinding/, 'unable to create RoleBinding: '],
    ] as const)
      for (const [body, words] of [
        [{ kind: 'Status', message: 'not you' }, 'not you'],
        [undefined, 'the server answered with status 403'],
        [{ message: 7 }, 'the server answered with status 403'],
      ] as const)
        await assert.rejects((await refusing(refused, body)).upload(), { message: why + words });
    const kept = await refusing(/^PUT Secret/, { message: 'no longer' });
    await kept.upload();
    await assert.rejects(kept.upload(), { message: 'unable to update Secret: no longer' });
  });
  it('do not go up where a file cannot be read', async () => {
    const one = world();
    const { machine } = one;
    const unreadable = {
      ...machine,
      files: {
        ...machine.files,
        read: (path: string): string => {
          throw new Error(`open ${path}: permission denied`);
        },
      },
    };
    await assert.rejects(
      uploadCerts({ machine: unreadable, decisions, release, admin: one }, cluster),
      failsWith(/^open \/etc\/kubernetes\/pki\/ca.crt: permission denied$/),
    );
  });
  it('do not come down where one is missing, or is neither a key nor a certificate', async () => {
    const one = world();
    const made = await one.upload();
    const [place, secret] = [...one.objects].find(([name]) => name.endsWith('/kubeadm-certs')) ?? [];
    const data = (secret as Secret).data ?? {};
    const { 'sa.pub': _left, ...rest } = data;
    one.objects.set(place ?? '', { ...secret, data: rest } as KubeObject);
    await assert.rejects(
      one.download(made),
      failsWith(/^error downloading certs: .*required certificate or key - name: sa.pub, path: \/etc.*\/sa.pub$/),
    );
    one.disk.set(`${FOLDER}/sa.pub`, 'nothing');
    const odd = await one.upload();
    await assert.rejects(one.download(odd), failsWith(/unknown data found in Secret entry$/));
  });
  it('are missed where they have expired', async () => {
    await assert.rejects(
      world().download('ab'.repeat(32)),
      failsWith(/"kubeadm-certs" was not found.*might have expired/),
    );
  });
});
