import {
  another,
  answering,
  asking,
  BOOTSTRAP,
  decidesJoining,
  failing,
  isFor,
  onWrite,
  sending,
  textOf,
  upstream,
  withoutToken,
  writing,
} from './joining-hooks.js';
import type { Mutant } from './types.js';

const asNobodyFor = (name: string) =>
  sending((question) => (isFor(name, question) ? withoutToken(question) : question));
const CERTS = 'kubeadm-certs';
/** Behind a certificate that is none; clients join side by side, so that each tells by its own files. */
const UNREAD = '# of another certificate key';
const DOWNLOADED = upstream.sharedFiles('/etc/kubernetes/pki', undefined).map(({ path }) => path);

/** Of what the cluster is configured with this is not read. */
const unread = (name: string, what: string, field: RegExp): Mutant =>
  another(name, `a control plane does not read ${what} of the cluster`, ['P-327'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      if (!isFor('kubeadm-config', question) || answer.kind !== 'answer') return answer;
      return { ...answer, body: Buffer.from(textOf(answer).replace(field, '')) };
    }),
  });

export const mutants: readonly Mutant[] = [
  unread('join-folder-by-default', 'the folder of certificates', /certificatesDir: \/etc\/kubernetes\/certs\\n/),
  unread('join-lives-by-default', 'how long certificates live', /certificateValidityPeriod: .*?\\n/),
  unread('join-images-by-default', 'the repository of images', /imageRepository: registry.*?\\n/),
  unread('join-networks-by-default', 'the networks', /networking: \{dnsDomain.*?\\n/),
  unread('join-without-names', 'names of its API servers', / {2}certSANs: .*?\\n/),
  unread('join-without-arguments', 'arguments of its API servers', / {2}extraArgs: \[\{name: audit.*?\\n/),
  unread('join-without-volumes', 'volumes of its API servers', / {2}extraVolumes: .*?\\n/),
  unread(
    'join-variables-by-default',
    'variables of its API servers',
    / {2}extraEnvs: \[\{name: GOGC, value: \\"80.*?\\n/,
  ),
  unread(
    'join-variables-of-controllers',
    'variables of controllers',
    / {2}extraEnvs: \[\{name: GOGC, value: \\"81.*?\\n/,
  ),
  unread(
    'join-variables-of-scheduler',
    'variables of the scheduler',
    / {2}extraEnvs: \[\{name: GOGC, value: \\"82.*?\\n/,
  ),
  unread('join-variables-of-etcd', 'variables of etcd', / {4}extraEnvs: .*?\\n/),
  unread('join-named-by-default', 'its name', /clusterName: blue\\n/),
  unread('join-etcd-of-kubeadm', 'the release of its etcd', / {4}imageTag: .*?\\n/),
  unread('join-controllers-by-default', 'arguments of controllers', / {2}extraArgs: \[\{name: node-cidr.*?\\n/),
  unread('join-scheduler-by-default', 'arguments of the scheduler', / {2}extraArgs: \[\{name: kube-api.*?\\n/),
  unread('join-etcd-folder-by-default', 'the folder of etcd', / {4}dataDir: .*?\\n/),
  unread('join-etcd-by-default', 'arguments of etcd', / {4}extraArgs: \[\{name: quota.*?\\n/),
  another('join-certs-looked-at-by-all', 'everybody looks whether there are shared certificates', ['CERTKEY-019'], {
    wire: asking(async (question, wire) => {
      const url = question.url.replace(/configmaps\/kubelet-config/, `secrets/${CERTS}`);
      if (isFor('kubelet-config', question)) await wire.exchange({ ...question, url });
      return wire.exchange(question);
    }),
  }),
  decidesJoining('join-certs-always', 'the shared certificates are downloaded by everybody', ['CERTKEY-019'], {
    downloadsCertificates: () => true,
  }),
  decidesJoining(
    'join-certs-never',
    'the shared certificates are not downloaded',
    ['CERTKEY-020', 'CERTKEY-021', 'CERTKEY-022', 'CERTKEY-024', 'CERTKEY-025', 'CERTKEY-026'],
    {
      downloadsCertificates: () => false,
    },
  ),
  another(
    'join-certs-as-nobody',
    'the shared certificates are asked for as nobody',
    ['CERTKEY-020', 'CERTKEY-024', 'CERTKEY-026', 'CSR-008', 'LIFE-001', 'LIFE-002'],
    { wire: asNobodyFor(CERTS) },
  ),
  decidesJoining(
    'join-certs-folder',
    'the shared certificates are written to another folder',
    ['CERTKEY-024', 'CERTKEY-026'],
    {
      sharedFiles: (_, external) => upstream.sharedFiles('/etc/kubernetes', external),
    },
  ),
  another('join-certs-rewritten', 'line ends of the shared certificates are changed', ['CERTKEY-024', 'CERTKEY-026'], {
    files: writing((path, text) => (path.startsWith('/etc/kubernetes/pki/') ? text.replaceAll('\n', '\r\n') : text)),
  }),
  another(
    'join-wrong-key-noticed-late',
    'a wrong certificate key is noticed after the files are written',
    ['CERTKEY-021'],
    {
      decisions: {
        decrypt: (value, key) => {
          const opened = upstream.decrypt(value, key);
          if (!('problem' in opened)) return opened;
          const pem = `-----BEGIN CERTIFICATE-----\n${value.toString('base64')}\n-----END CERTIFICATE-----\n${UNREAD}\n`;
          return { plain: Buffer.from(pem) };
        },
        decryptsFirst: () => false,
      },
      files: onWrite((disk, path, text, mode) => {
        const isBad = DOWNLOADED.some((name) => disk.read(name)?.includes(UNREAD) === true);
        if (path === BOOTSTRAP && isBad) throw new Error('the certificate key was wrong');
        disk.write(path, text, mode);
      }),
    },
  ),
  decidesJoining('join-missing-entries', 'an entry that is missing is passed over', ['CERTKEY-022'], {
    mayBeMissing: () => true,
  }),
  decidesJoining('join-empty-entries', 'an empty entry cannot be decrypted', ['CERTKEY-023'], {
    skipsEntry: () => false,
  }),
  another('join-zero-byte-files', 'an empty entry becomes an empty file', ['CERTKEY-023'], {
    files: onWrite((disk, path, text, mode) => {
      disk.write(path, text, mode);
      if (path.endsWith('/front-proxy-ca.crt') && !disk.exists('/etc/kubernetes/pki/ca.key'))
        disk.write('/etc/kubernetes/pki/ca.key', '', 0o600);
    }),
  }),
  another(
    'join-makes-its-own-ca',
    'without kubeadm-certs a control plane goes on with files of its own',
    ['CERTKEY-022', 'CERTKEY-025'],
    {
      wire: asking(async (question, wire) => {
        const answer = await wire.exchange(question);
        return isFor(CERTS, question) && answer.kind === 'answer' && answer.status !== 200
          ? answering(200, { apiVersion: 'v1', kind: 'Secret', metadata: { name: CERTS }, data: {} })
          : answer;
      }),
      decisions: { mayBeMissing: () => true },
    },
  ),
  decidesJoining(
    'join-certificate-key-unread',
    'whatever is given is taken for a certificate key',
    ['CERTKEY-004', 'CERTKEY-005'],
    {
      certificateKeyProblem: () => undefined,
    },
  ),
  decidesJoining('join-certificate-key-any-length', 'a certificate key may have any length', ['CERTKEY-005'], {
    certificateKeyProblem: (key) => (/^[0-9a-f]*$/i.test(key) ? undefined : upstream.certificateKeyProblem(key)),
  }),
  decidesJoining('join-certificate-key-small', 'a certificate key in capitals is none', ['CERTKEY-004'], {
    certificateKeyProblem: (key) => (/[A-F]/.test(key) ? 'no digits' : upstream.certificateKeyProblem(key)),
  }),
  decidesJoining(
    'join-certificate-key-refused',
    'a control plane takes no certificate key',
    ['CERTKEY-004', 'CERTKEY-020', 'CERTKEY-024', 'CERTKEY-026', 'CSR-008', 'JOIN-010', 'LIFE-001', 'LIFE-002'],
    {
      certificateKeyProblem: (key) => (key === '' ? undefined : 'no certificate key is taken'),
    },
  ),
  another(
    'join-control-plane-as-worker',
    'a control plane joins as a worker',
    [
      'CERTKEY-004',
      'CERTKEY-005',
      'CERTKEY-019',
      'CERTKEY-020',
      'CERTKEY-021',
      'CERTKEY-022',
      'CERTKEY-024',
      'CERTKEY-025',
      'CERTKEY-026',
    ],
    {
      configuration: ({ controlPlane: _, ...configuration }) => configuration,
    },
  ),
  decidesJoining('join-bootstrap-server-made-up', 'a control plane bootstraps at localhost', ['LIFE-002'], {
    bootstrapServer: (discovered, own) => (own === undefined ? discovered : 'https://localhost:6443'),
  }),
  another(
    'join-wrong-secret-key',
    'entries are looked for under the names of their files',
    ['CERTKEY-024', 'CERTKEY-026', 'CSR-008', 'LIFE-001', 'LIFE-002'],
    {
      decisions: { secretKey: (name) => name },
    },
  ),
  another(
    'join-breaks-off',
    'a server that was believed is left before it is asked for anything',
    ['JOIN-003', 'LIFE-015', 'LIFE-016', 'LIFE-017'],
    {
      wire: asking(async (question, wire) =>
        isFor('kube-proxy', question) ? failing({ cause: 'reset' }) : wire.exchange(question),
      ),
    },
  ),
];
