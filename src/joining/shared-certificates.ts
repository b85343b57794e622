/**
 * Phases download-certs and upload-certs: what control planes share, encrypted in Secret kubeadm-certs.
 * Source: cmd/kubeadm/app/phases/copycerts/copycerts.go.
 */

import { kubeadmDecisions } from '../kubeadm/decisions/index.js';
import { CERTS_TOKEN_DESCRIPTION, CERTS_TTL, certsSecret, ownerOf } from '../kubeadm/phases/copy-certs.js';
import { grantsFor } from '../kubeadm/rbac.js';
import { isRecord, record, textMap } from '../kubernetes/json.js';
import { KUBE_SYSTEM, TOKEN_SECRET_PREFIX } from '../kubernetes/names.js';
import type { KubeObject, Secret } from '../kubernetes/objects.js';
import { pathOf, resourceOfKind, resources } from '../kubernetes/resources.js';
import { parsePrivateKey } from '../pki/keys.js';
import { pemBlocks } from '../pki/pem.js';
import { Calls, readObject } from './calls.js';
import type { Asking, ClusterConfiguration } from './cluster-configuration.js';
import { inContext, JoinFailed } from './failures.js';
import type { Answer, Asker } from './ports.js';

const NAME = 'kubeadm-certs';
/** Of AES-256. */
const KEY_BYTES = 32;

/** Writes the shared files. `certificateKey` in hex. Throws JoinFailed. */
export function downloadCerts(asking: Asking, cluster: ClusterConfiguration, certificateKey: string): Promise<void> {
  return inContext('error downloading certs', async () => {
    const { decisions, machine } = asking;
    machine.tell(
      '[download-certs] Downloading the certificates in Secret "kubeadm-certs" in the "kube-system" Namespace',
    );
    const secret = await fetchSecret(asking);
    const key = Buffer.from(certificateKey, 'hex');
    const open = (value: Buffer): Buffer => {
      if (decisions.skipsEntry(value)) return value;
      const decrypted = decisions.decrypt(value, key);
      if ('problem' in decrypted)
        throw new JoinFailed(`error decoding secret data with provided key: ${decrypted.problem}`);
      return decrypted.plain;
    };
    const encrypted = new Map(
      Object.entries(textMap(record(secret.data))).map(([name, value]) => [name, Buffer.from(value, 'base64')]),
    );
    const early = decisions.decryptsFirst();
    const values = early ? new Map([...encrypted].map(([name, value]) => [name, open(value)])) : encrypted;
    machine.tell(`[download-certs] Saving the certificates to the folder: "${cluster.certificatesDir}"`);
    for (const { name, path } of decisions.sharedFiles(cluster.certificatesDir, cluster.externalEtcd)) {
      const value = values.get(decisions.secretKey(name));
      if (value === undefined && decisions.mayBeMissing(name)) continue;
      if (value === undefined)
        throw new JoinFailed(
          `the Secret does not include the required certificate or key - name: ${name}, path: ${path}`,
        );
      const plain = early ? value : open(value);
      if (!decisions.skipsEntry(plain)) write(asking, path, plain.toString('utf8'));
    }
  });
}

/** Keys and certificates by what they hold. Throws JoinFailed. */
function write({ machine, decisions }: Asking, path: string, pem: string): void {
  const [block] = pemBlocks(pem);
  if (block === undefined) throw new JoinFailed('unknown data found in Secret entry');
  const what =
    parsePrivateKey(pem) !== undefined ? 'private key' : block.label === 'CERTIFICATE' ? 'certificate' : 'public key';
  machine.files.write(path, pem, decisions.fileMode(what));
}

async function fetchSecret({ machine, decisions, access }: Asking): Promise<Readonly<Record<string, unknown>>> {
  const path = pathOf(resources.secrets, { namespace: KUBE_SYSTEM, name: NAME });
  const result = await new Calls(machine, decisions).make(access, { path });
  const got = readObject(result, 'Secret', { resource: 'secrets', name: NAME });
  if (got.kind === 'got') return got.object;
  const why =
    got.status === 404
      ? `Secret "${NAME}" was not found in the "${KUBE_SYSTEM}" Namespace. This Secret might have expired. ` +
        'Please, run ' +
        '`kubeadm init phase upload-certs --upload-certs` on a control plane to generate a new one'
      : got.why;
  throw new JoinFailed(`error downloading the secret: ${why}`);
}

/** What an upload needs. */
export interface Uploading extends Pick<Asking, 'machine' | 'decisions' | 'release'> {
  /** Who may write Secrets and roles. */
  readonly admin: Asker;
  /** 64 hex digits; undefined: a new one. */
  readonly certificateKey?: string;
}

/**
 * Phase upload-certs: key, token of two hours, encryption, owner, Secret, roles. `cluster` says where files lie.
 * Returns
 * the certificate key. Throws JoinFailed; a key that is none leaves nothing behind.
 */
export async function uploadCerts(
  uploading: Uploading,
  cluster: Pick<ClusterConfiguration, 'certificatesDir' | 'externalEtcd'>,
): Promise<string> {
  const { machine, decisions, release, admin } = uploading;
  const key = decisions.uploadKey(uploading.certificateKey, () => decisions.newCertificateKey(machine.random));
  const problem = decisions.certificateKeyProblem(key);
  if (problem !== undefined) throw new JoinFailed(`error decoding certificate key: ${problem}`);
  const [id = '', secret = ''] = kubeadmDecisions.newToken(machine.random).split('.');
  const token = kubeadmDecisions.tokenSecret({
    id,
    secret,
    description: CERTS_TOKEN_DESCRIPTION,
    expires: machine.clock.now() + CERTS_TTL * 1000,
    usages: [],
    groups: [],
  });
  await create(admin, token);
  const files = decisions
    .sharedFiles(cluster.certificatesDir, cluster.externalEtcd)
    .map(({ name, path }): [string, string | undefined] => [name, read(uploading, path)]);
  const stored = await admin.ask({
    path: pathOf(resources.secrets, { namespace: KUBE_SYSTEM, name: TOKEN_SECRET_PREFIX + id }),
  });
  if (stored.status !== 200) throw new JoinFailed(`error to get token reference: ${said(stored)}`);
  const there = files.flatMap(([name, pem]) => (pem === undefined ? [] : [[name, pem]]));
  const absent = files.flatMap(([name, pem]) => (pem === undefined ? [[decisions.secretKey(name), '']] : []));
  const owner = ownerOf(stored.body as Secret);
  const bytes = Buffer.from(key, 'hex');
  if (bytes.length !== KEY_BYTES) throw new JoinFailed(`crypto/aes: invalid key size ${bytes.length}`);
  const secrets = certsSecret(Object.fromEntries(there), bytes, owner, machine.random);
  const written = { ...secrets, data: { ...secrets.data, ...Object.fromEntries(absent) } };
  for (const object of [written, ...grantsFor('kubeadm-certs', release)]) await createOrUpdate(admin, object);
  return key;
}

/** undefined: there is none. Throws JoinFailed where it cannot be read. */
function read({ machine, decisions }: Uploading, path: string): string | undefined {
  try {
    return machine.files.read(path);
  } catch (error) {
    if (!decisions.demandsReadable()) return undefined;
    throw new JoinFailed(error instanceof Error ? error.message : String(error));
  }
}

const said = ({ status, body }: Answer): string =>
  isRecord(body) && typeof body.message === 'string' ? body.message : `the server answered with status ${status}`;

function placeOf(object: KubeObject): { readonly collection: string; readonly own: string } {
  const resource = resourceOfKind(object.kind) ?? resources.secrets;
  const { namespace, name = '' } = object.metadata;
  return { collection: pathOf(resource, { namespace }), own: pathOf(resource, { namespace, name }) };
}

async function create(admin: Asker, object: KubeObject): Promise<void> {
  const answer = await admin.ask({ method: 'POST', path: placeOf(object).collection, body: object });
  if (answer.status !== 201) throw new JoinFailed(`unable to create ${object.kind}: ${said(answer)}`);
}

/** Source: util/apiclient/idempotency.go CreateOrUpdate. */
export async function createOrUpdate(admin: Asker, object: KubeObject): Promise<void> {
  const { collection, own } = placeOf(object);
  const created = await admin.ask({ method: 'POST', path: collection, body: object });
  if (created.status === 201) return;
  if (created.status !== 409) throw new JoinFailed(`unable to create ${object.kind}: ${said(created)}`);
  const updated = await admin.ask({ method: 'PUT', path: own, body: object });
  if (updated.status !== 200) throw new JoinFailed(`unable to update ${object.kind}: ${said(updated)}`);
}
