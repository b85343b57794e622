/** Authorities that may not sign what they have signed, and what an API server shows by name. */
import { createAuthority, issueCredential } from '../pki/authority.js';
import { createCertificate, keyIdentifier } from '../pki/certificate.js';
import type { Extension } from '../pki/extensions.js';
import type { ExtendedKeyUsage } from '../pki/oids.js';
import { added, all, authorityOn, flag, onDisk, PKI } from './node-disk.js';
import type { Mutant } from './types.js';

const API = 'kube-apiserver';
const DAY = 86_400_000;

interface Limits {
  readonly usages?: readonly ExtendedKeyUsage[];
  readonly extensions?: readonly Extension[];
}

/** Name constraints of one subtree that is excluded: tag and content of its base. */
function excluding(tag: number, content: Buffer): Extension {
  const base = Buffer.concat([Buffer.from([tag, content.length]), content]);
  const subtree = Buffer.concat([Buffer.from([0x30, base.length]), base]);
  const list = Buffer.concat([Buffer.from([0xa1, subtree.length]), subtree]);
  return { oid: '2.5.29.30', critical: true, value: Buffer.concat([Buffer.from([0x30, list.length]), list]) };
}
const withoutName = (name: string): Extension => excluding(0x82, Buffer.from(name));
const withoutNetwork = (...bytes: readonly number[]): Extension => excluding(0x87, Buffer.from(bytes));

/** The same authority, with its own key, that may sign less. */
const limited =
  (name: string, { usages, extensions }: Limits) =>
  (disk: Parameters<typeof authorityOn>[0]) => {
    const { facts, key } = authorityOn(disk, name);
    const { pem } = createCertificate({
      subject: { commonName: facts.commonName },
      publicKey: key,
      signingKey: key,
      notBefore: facts.notBefore,
      notAfter: facts.notAfter,
      keyUsage: ['digitalSignature', 'keyEncipherment', 'keyCertSign'],
      basicConstraints: { ca: true },
      subjectKeyId: keyIdentifier(key),
      ...(usages === undefined ? {} : { extendedKeyUsage: usages }),
      ...(extensions === undefined ? {} : { extensions }),
    });
    disk.write(`${PKI}/${name}.crt`, pem, 0o644);
  };

const may = (authority: string, what: string, limits: Limits): Mutant =>
  onDisk(
    `${authority.replace('/', '-')}-may-not-${what}`,
    `${authority}.crt may not sign all that it has signed`,
    ['P-202'],
    limited(authority, limits),
  );

/** A certificate that everybody believes, for a name of the company. */
const publicPair = (disk: Parameters<typeof authorityOn>[0]): void => {
  const now = Date.now();
  const root = createAuthority({ commonName: 'public', key: 'ECDSA-P256', now });
  const { certificatePem, keyPem } = issueCredential(root, {
    subject: { commonName: 'k8s.example.com' },
    key: 'ECDSA-P256',
    now,
    validity: 90 * DAY,
    extendedKeyUsage: ['serverAuth'],
    altNames: { dns: ['k8s.example.com'], ip: [] },
  });
  disk.write(`${PKI}/public.crt`, certificatePem, 0o644);
  disk.write(`${PKI}/public.key`, keyPem, 0o600);
};
const shown = (pair: string): ReturnType<typeof flag> => flag(API, 'tls-sni-cert-key', pair);

const archive = (path: string, bits: number, ...names: readonly string[]): ReturnType<typeof added> =>
  all(added(path, 'x', bits), (disk) => {
    disk.members.set(path, names);
  });

export const mutants: readonly Mutant[] = [
  may('ca', 'be-for-servers', { usages: ['clientAuth'] }),
  may('ca', 'be-for-clients', { usages: ['serverAuth'] }),
  may('ca', 'name-its-services', { extensions: [withoutName('kubernetes.default')] }),
  may('front-proxy-ca', 'be-for-clients', { usages: ['serverAuth'] }),
  may('etcd/ca', 'be-for-clients', { usages: ['serverAuth'] }),
  may('etcd/ca', 'name-loopback', { extensions: [withoutNetwork(127, 0, 0, 0, 255, 0, 0, 0)] }),
  {
    ...onDisk(
      'authority-with-limits',
      'the authority of etcd may sign for all but another network',
      [],
      limited('etcd/ca', {
        usages: ['serverAuth', 'clientAuth'],
        extensions: [withoutNetwork(203, 0, 113, 0, 255, 255, 255, 0)],
      }),
    ),
    name: 'harmless-node-authority-with-limits',
  },
  onDisk(
    'api-server-shows-what-is-etcds',
    'the API server shows the certificate of etcd by name',
    ['P-196'],
    shown(`${PKI}/etcd/server.crt,${PKI}/etcd/server.key`),
  ),
  onDisk(
    'api-server-shows-by-another-key',
    'the API server shows a certificate by name, and has another key for it',
    ['P-196'],
    shown(`${PKI}/apiserver.crt,${PKI}/front-proxy-client.key:k8s.example.com`),
  ),
  {
    ...onDisk(
      'api-server-shows-a-public-certificate',
      'the API server shows a certificate by name that everybody believes',
      [],
      all(publicPair, shown(`${PKI}/public.crt,${PKI}/public.key:k8s.example.com`)),
    ),
    name: 'harmless-node-api-server-shows-a-public-certificate',
  },
  // archives, told by the names of what they hold
  onDisk(
    'archive-of-keys-in-a-home',
    'anybody reads an archive of keys in a home, whatever it is called',
    ['P-198'],
    archive('/home/ops/monday.tgz', 0o644, 'etc/kubernetes/pki/ca.key'),
  ),
  onDisk(
    'archive-of-keys-thrown-away',
    'an archive of keys is closed, and lies where everybody may put another',
    ['P-198'],
    archive('/tmp/monday.tgz', 0o600, 'etc/kubernetes/admin.conf'),
  ),
  {
    ...onDisk(
      'archives-that-are-closed',
      'an archive of keys is closed, and one of something else is not',
      [],
      all(
        archive('/root/monday.tgz', 0o600, 'etc/kubernetes/pki/ca.key', 'etc/kubernetes/admin.conf'),
        archive('/home/ops/site.tgz', 0o644, 'site/index.html', 'site/tls.key'),
      ),
    ),
    name: 'harmless-node-archives-that-are-closed',
  },
];
