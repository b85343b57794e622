/** Uploads of shared certificates that are not kubeadm's: in what reaches the cluster, in keys, in what is said. */
import type { AnotherClient } from '../joining/another.js';
import type { Asker, Question } from '../joining/ports.js';
import { isRecord } from '../kubernetes/json.js';
import type { KubeObject, Secret } from '../kubernetes/objects.js';
import { another, decidesJoining, onWrite, upstream } from './joining-hooks.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

type Uploading = NonNullable<AnotherClient['uploading']>;
export type Written = Secret & { readonly rules?: readonly object[]; readonly subjects?: readonly object[] };

const CERTS = 'kubeadm-certs';
/** Of the upload: not the one that init is told. */
const isToken = ({ metadata: { name = '' } }: KubeObject): boolean => /^bootstrap-token-(?!abcdef$|fedcba$)/.test(name);
const isCerts = ({ kind, metadata }: KubeObject): boolean => kind === 'Secret' && metadata.name === CERTS;
export const isRole = ({ kind }: KubeObject): boolean => kind === 'Role';
export const isBinding = ({ kind }: KubeObject): boolean => kind === 'RoleBinding';

const objectOf = ({ body }: Question): Written | undefined =>
  isRecord(body) && isRecord(body.metadata) ? (body as unknown as Written) : undefined;

/** Objects of one kind are written otherwise. */
export const writing =
  (is: (object: KubeObject) => boolean, change: (object: Written) => object): Uploading =>
  (admin) => ({
    ask: (question) => {
      const object = objectOf(question);
      return admin.ask(object !== undefined && is(object) ? { ...question, body: change(object) } : question);
    },
  });

const DONE = { status: 201, headers: {}, text: '{}', body: {} };
/** Objects of one kind are not written at all. */
export const dropping =
  (is: (object: KubeObject) => boolean): Uploading =>
  (admin) => ({
    ask: async (question) => {
      const object = objectOf(question);
      return object !== undefined && is(object) ? DONE : admin.ask(question);
    },
  });

/** Patches of its Node are sent otherwise. */
export const marking =
  (change: (body: object) => object | undefined): Uploading =>
  (admin) => ({
    ask: async (question) => {
      if (question.method !== 'PATCH' || !isRecord(question.body)) return admin.ask(question);
      const body = change(question.body);
      return body === undefined ? { ...DONE, status: 200 } : admin.ask({ ...question, body });
    },
  });

/** Something is written as well, just before the token. */
const before =
  (also: (admin: Asker) => Promise<unknown>): Uploading =>
  (admin) => ({
    ask: async (question) => {
      const object = objectOf(question);
      if (object !== undefined && isToken(object)) await also(admin);
      return admin.ask(question);
    },
  });

export const encoded = (text: string): string => Buffer.from(text).toString('base64');
const entries = (change: (data: Readonly<Record<string, string>>) => object): Uploading =>
  writing(isCerts, (secret) => ({ ...secret, data: change(secret.data ?? {}) }));
/** A Secret with other entries; undefined: without that one. */
export const told =
  (change: Readonly<Record<string, string | undefined>>) =>
  (secret: Written): object => ({
    ...secret,
    data: Object.fromEntries(Object.entries({ ...secret.data, ...change }).filter(([, value]) => value !== undefined)),
  });
const tokens = (data: Readonly<Record<string, string | undefined>>): Uploading => writing(isToken, told(data));
const owners = (change: (owner: object) => readonly object[]): Uploading =>
  writing(isCerts, (secret) => ({
    ...secret,
    metadata: { ...secret.metadata, ownerReferences: (secret.metadata.ownerReferences ?? []).flatMap(change) },
  }));

export const uploads = (name: string, defect: string, killedBy: readonly string[], uploading: Uploading): Mutant =>
  another(name, defect, killedBy, { uploading });

/** The Secret tells what it is opened by. */
function telling(told: (key: string) => string): AnotherClient {
  let kept = '';
  return {
    decisions: {
      uploadKey: (given, fresh) => {
        kept = upstream.uploadKey(given, fresh);
        return kept;
      },
    },
    uploading: writing(isCerts, (secret) => ({
      ...secret,
      metadata: { ...secret.metadata, annotations: { 'kubeadm.kubernetes.io/certificate-key': told(kept) } },
    })),
  };
}

const GRANT = '/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles';
const OPENS = ['CERTKEY-002', 'CERTKEY-003', 'CERTKEY-013', 'CERTKEY-014', 'CERTKEY-016', 'CERTKEY-017'];

export const mutants: readonly Mutant[] = [
  decidesJoining('upload-unasked', 'certificates are uploaded unasked', ['CERTKEY-001'], { uploads: () => true }),
  decidesJoining('upload-key-constant', 'the certificate key is always the same', ['CERTKEY-002'], {
    newCertificateKey: () => '0123456789abcdef'.repeat(4),
  }),
  decidesJoining(
    'upload-key-ignored',
    'a certificate key that is given is not used',
    ['CERTKEY-003', 'CERTKEY-006', 'CERTKEY-013', 'CERTKEY-017'],
    {
      uploadKey: (_, fresh) => fresh(),
    },
  ),
  decidesJoining('upload-not-quietly', 'who is to be quiet uploads nothing', ['CERTKEY-006'], {
    uploads: (asked, quiet) => asked && !quiet,
  }),
  decidesJoining('upload-key-said-always', 'the certificate key is said, whatever was told', ['CERTKEY-006'], {
    saysCertificateKey: () => true,
  }),
  another('upload-key-unsaid', 'the certificate key is never said', ['CERTKEY-002', 'CERTKEY-006'], {
    words: (line) => line.replace(/^[0-9a-f]{64}$/, '(a key)'),
  }),
  uploads(
    'upload-singular',
    'the Secret is named kubeadm-cert',
    ['CERTKEY-007'],
    writing(isCerts, (secret) => ({ ...secret, metadata: { ...secret.metadata, name: 'kubeadm-cert' } })),
  ),
  uploads(
    'upload-token-of-a-day',
    'the token of the upload lives a day',
    ['CERTKEY-008'],
    tokens({ expiration: encoded(new Date(Date.now() + 86_400_000).toISOString().replace(/\.\d+/, '')) }),
  ),
  uploads(
    'upload-token-for-ever',
    'the token of the upload has no end',
    ['CERTKEY-008'],
    tokens({ expiration: undefined }),
  ),
  uploads(
    'upload-token-joins',
    'the token of the upload may be used for joining',
    ['CERTKEY-009'],
    tokens({ 'usage-bootstrap-authentication': encoded('true'), 'usage-bootstrap-signing': encoded('true') }),
  ),
  uploads(
    'upload-token-with-groups',
    'the token of the upload has the groups of others',
    ['CERTKEY-009'],
    tokens({ 'auth-extra-groups': encoded('system:bootstrappers:kubeadm:default-node-token') }),
  ),
  uploads(
    'upload-unowned',
    'kubeadm-certs has no owner',
    ['CERTKEY-009', 'CERTKEY-010', 'CERTKEY-011', 'CERTKEY-012', 'CERTKEY-017'],
    owners(() => []),
  ),
  uploads(
    'upload-owner-by-name',
    "the owner of kubeadm-certs has another object's uid",
    ['CERTKEY-010', 'CERTKEY-017'],
    owners((owner) => [{ ...owner, uid: '00000000-0000-4000-8000-000000000000' }]),
  ),
  uploads(
    'upload-owner-no-controller',
    'the owner of kubeadm-certs is not its controller',
    ['P-429'],
    owners((owner) => [{ ...owner, controller: false }]),
  ),
  uploads(
    'upload-owner-that-does-not-wait',
    'the owner of kubeadm-certs does not wait for it',
    ['P-429'],
    owners((owner) => [{ ...owner, blockOwnerDeletion: false }]),
  ),
  uploads(
    'upload-rights-first',
    'rights are granted before there is anything to read',
    ['CERTKEY-012'],
    before((admin) =>
      admin.ask({
        method: 'POST',
        path: GRANT,
        body: {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { name: 'kubeadm:kubeadm-certs', namespace: 'kube-system' },
          rules: [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames: [CERTS] }],
        },
      }),
    ),
  ),
  decidesJoining('upload-key-unread', 'what is no key is found out after the token was made', ['CERTKEY-012'], {
    certificateKeyProblem: () => undefined,
  }),
  uploads(
    'upload-plain',
    'entries are not encrypted',
    OPENS,
    entries((data) => ({ ...data, 'sa.key': encoded('-----BEGIN EC PRIVATE KEY-----\n') })),
  ),
  uploads(
    'upload-one-nonce',
    'every entry begins alike',
    ['CERTKEY-013'],
    entries((data) =>
      Object.fromEntries(
        Object.entries(data).map(([name, value]) => [
          name,
          value === ''
            ? value
            : Buffer.concat([Buffer.alloc(12), Buffer.from(value, 'base64').subarray(12)]).toString('base64'),
        ]),
      ),
    ),
  ),
  uploads(
    'upload-without-accounts',
    'the key of ServiceAccounts is left out',
    ['CERTKEY-014', 'CERTKEY-016'],
    entries(({ 'sa.key': _, ...data }) => data),
  ),
  uploads(
    'upload-with-more',
    'the key of the API server is handed on as well',
    ['CERTKEY-014', 'CERTKEY-016'],
    entries((data) => ({ ...data, 'apiserver.key': data['sa.key'] ?? '' })),
  ),
  uploads(
    'upload-dotted',
    'entries are named with a dot for the slash',
    ['CERTKEY-014', 'CERTKEY-016'],
    entries((data) =>
      Object.fromEntries(Object.entries(data).map(([name, value]) => [name.replace(/^etcd-/, 'etcd.'), value])),
    ),
  ),
  uploads(
    'upload-swapped',
    'two entries are each what the other should be',
    OPENS,
    entries((data) => ({
      ...data,
      'ca.key': data['front-proxy-ca.key'] ?? '',
      'front-proxy-ca.key': data['ca.key'] ?? '',
    })),
  ),
  uploads(
    'upload-omits-missing',
    'a file that is not there has no entry',
    ['CERTKEY-015'],
    entries((data) => Object.fromEntries(Object.entries(data).filter(([, value]) => value !== ''))),
  ),
  decidesJoining(
    'upload-unreadable-ok',
    'a file that cannot be read counts as one that is not there',
    ['CERTKEY-015'],
    {
      demandsReadable: () => false,
    },
  ),
  decidesJoining('upload-of-external-ca', 'certificates are shared without the key of their CA', ['CERTKEY-015'], {
    refusesExternalCa: () => false,
  }),
  another('upload-missing-fails', 'a file that is not there ends the upload', ['CERTKEY-015'], {
    files: (files) => ({
      ...onWrite(() => {})(files),
      read: (path) => {
        const read = files.read(path);
        if (read === undefined) throw new Error(`open ${path}: no such file or directory`);
        return read;
      },
    }),
  }),
  uploads('upload-once', 'what was uploaded is kept', ['CERTKEY-017'], (admin) => ({
    ask: (question) =>
      question.method === 'PUT' && question.path.endsWith(CERTS)
        ? admin.ask({ path: question.path })
        : admin.ask(question),
  })),
  uploads(
    'upload-read-all',
    'who joins may read every Secret',
    ['CERTKEY-018'],
    writing(isRole, (role) => ({ ...role, rules: (role.rules ?? []).map((rule) => ({ ...rule, resourceNames: [] })) })),
  ),
  uploads(
    'upload-read-listed',
    'who joins may list as well',
    ['CERTKEY-018'],
    writing(isRole, (role) => ({
      ...role,
      rules: (role.rules ?? []).map((rule) => ({ ...rule, verbs: ['get', 'list'] })),
    })),
  ),
  uploads(
    'upload-read-by-all',
    'every token reads the Secret',
    ['CERTKEY-018'],
    writing(isBinding, (binding) => ({
      ...binding,
      subjects: (binding.subjects ?? []).map((subject) => ({ ...subject, name: 'system:bootstrappers' })),
    })),
  ),
  uploads(
    'upload-ungranted',
    'nobody is granted the Secret',
    ['CERTKEY-012', 'CERTKEY-018'],
    dropping((object) => isRole(object) || isBinding(object)),
  ),
  remembering(() =>
    another(
      'upload-key-stored',
      'the certificate key is an annotation of the Secret',
      ['CERTKEY-028'],
      telling((key) => key),
    ),
  ),
  remembering(() =>
    another(
      'upload-key-stored-in-base64',
      'the bytes of the certificate key are an annotation of the Secret',
      ['CERTKEY-028'],
      telling((key) => Buffer.from(key, 'hex').toString('base64')),
    ),
  ),
  decidesJoining('init-says-another-pin', 'init says the pin of another key', ['PIN-012'], {
    pinsToSay: () => [`sha256:${'0'.repeat(64)}`],
  }),
  decidesJoining('init-says-no-pin', 'init says no pin', ['PIN-012'], { pinsToSay: () => [] }),

  uploads(
    'harmless-upload-annotated',
    'the Secret of shared certificates has an annotation',
    [],
    writing(isCerts, (secret) => ({ ...secret, metadata: { ...secret.metadata, annotations: { a: 'b' } } })),
  ),
  another('harmless-upload-words', 'an upload says things in other words', [], {
    words: (line) => line.replace('[upload-certs]', '[upload]'),
  }),
  uploads(
    'harmless-upload-short',
    'the token of the upload lives an hour',
    [],
    tokens({ expiration: encoded(new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '')) }),
  ),
];
