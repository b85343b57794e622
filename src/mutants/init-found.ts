/** Inits that make anew what is there, or use what does not belong together. */
import { inits, overlooks, passesOver, writesFiles } from './init-hooks.js';
import type { Mutant } from './types.js';

const AUTHORITIES = 'P-418';
const CERTIFICATES = 'P-419';
const KUBECONFIGS = 'P-420';
const EXTERNAL = 'P-421';
const ACCOUNTS = 'P-423';

export const mutants: readonly Mutant[] = [
  overlooks('makes-ca-anew', 'the authority of the cluster is made anew', [AUTHORITIES], /\/pki\/ca\.(?:crt|key)$/),
  overlooks(
    'makes-front-proxy-ca-anew',
    'the authority of the front proxy is made anew',
    [AUTHORITIES],
    /front-proxy-ca\.(?:crt|key)$/,
  ),
  overlooks('makes-etcd-ca-anew', 'the authority of etcd is made anew', [AUTHORITIES], /etcd\/ca\.(?:crt|key)$/),
  inits('completes-authorities', 'an authority of which the certificate is missing is made anew', [AUTHORITIES], {
    files: (files) => {
      const isAlone = (path: string): boolean => path.endsWith('ca.key') && !files.exists(path.replace(/key$/, 'crt'));
      return {
        exists: (path) => !isAlone(path) && files.exists(path),
        read: (path) => (isAlone(path) ? undefined : files.read(path)),
        write: (...given) => files.write(...given),
      };
    },
  }),
  passesOver('uses-half-authorities', 'half an authority will do', AUTHORITIES, 'failure loading'),
  passesOver(
    'uses-unreadable-authorities',
    'an authority that cannot be read will do',
    AUTHORITIES,
    "couldn't load CA certificate",
  ),
  passesOver(
    'signs-with-foreign-keys',
    'an authority may have a key of another',
    AUTHORITIES,
    "doesn't match parent's",
  ),
  passesOver('signs-with-leafs', 'any certificate may sign', AUTHORITIES, 'is not a certificate authority'),
  writesFiles(
    'signs-apart',
    'what it makes is of no authority of the disk',
    [AUTHORITIES],
    (write, path, text, ...rest) => write(path, path.endsWith('.crt') ? text.replace(/A/, 'B') : text, ...rest),
  ),
  writesFiles(
    'opens-keys',
    'everybody reads what it writes',
    [AUTHORITIES, ACCOUNTS, 'P-424', 'P-425'],
    (write, path, text) => write(path, text, 0o666),
  ),

  overlooks(
    'makes-certificates-anew',
    'certificates that are there are made anew',
    [CERTIFICATES, AUTHORITIES, KUBECONFIGS, EXTERNAL, 'P-415'],
    /pki\/(?:apiserver|front-proxy-client|etcd\/(?:server|peer|healthcheck))/,
  ),
  passesOver(
    'keeps-foreign-certificates',
    'certificates of another authority are kept',
    CERTIFICATES,
    'not signed by CA certificate',
  ),
  passesOver(
    'keeps-expired-certificates',
    'certificates that have expired are kept',
    CERTIFICATES,
    'expired or is not yet valid',
  ),
  passesOver(
    'keeps-half-pairs',
    'half a pair is kept',
    CERTIFICATES,
    'failure loading apiserver certificate',
    'failure loading etcd/peer',
  ),
  inits(
    'forgives-everything',
    'nothing that is found ends it',
    [AUTHORITIES, CERTIFICATES, KUBECONFIGS, EXTERNAL, ACCOUNTS, 'P-428'],
    {
      minds: () => false,
    },
  ),

  overlooks(
    'writes-kubeconfigs-anew',
    'kubeconfigs that are there are written anew',
    [KUBECONFIGS, EXTERNAL, AUTHORITIES, 'P-415'],
    /\.conf$/,
  ),
  passesOver(
    'keeps-foreign-kubeconfigs',
    'kubeconfigs of another cluster are kept',
    KUBECONFIGS,
    'does not contain a trusted CA',
  ),
  passesOver('keeps-contextless', 'kubeconfigs without a context are kept', KUBECONFIGS, 'CurrentContext'),
  passesOver('keeps-trusting-nobody', 'kubeconfigs without an authority are kept', KUBECONFIGS, 'invalid CA cert'),
  inits('silent-on-servers', 'that a kubeconfig asks another server is not told', [KUBECONFIGS], {
    warnings: (lines) => lines.filter((line) => !line.includes('unexpected API Server URL')),
  }),
  inits('warns-of-all-servers', 'it warns of every kubeconfig', [KUBECONFIGS], {
    warnings: (lines) => [...lines, 'a kubeconfig file exists already but has an unexpected API Server URL'],
  }),

  passesOver(
    'begins-without-signer',
    'it begins without what it could not sign',
    EXTERNAL,
    'invalid or incomplete external',
  ),
  passesOver(
    'begins-without-kubeconfigs',
    'it begins without kubeconfigs that it could not make',
    EXTERNAL,
    'file does not exists',
  ),
  passesOver(
    'uploads-without-keys',
    'shared certificates are handed on without the key of their authority',
    EXTERNAL,
    "can't use upload-certs",
  ),
  writesFiles(
    'signs-for-others',
    'the controller manager is given a key that is elsewhere',
    [EXTERNAL],
    (write, path, text, ...rest) =>
      write(
        path,
        text
          .replace('--cluster-signing-key-file=\n', '--cluster-signing-key-file=/etc/kubernetes/pki/ca.key\n')
          .replace('--cluster-signing-cert-file=\n', ''),
        ...rest,
      ),
  ),
  writesFiles(
    'never-lets-sign',
    'the controller manager is never given a key',
    [EXTERNAL],
    (write, path, text, ...rest) =>
      write(path, text.replace(/--cluster-signing-(cert|key)-file=.*/g, '--cluster-signing-$1-file='), ...rest),
  ),
  writesFiles(
    'makes-a-key',
    'the key of an authority that is elsewhere is made',
    [EXTERNAL, AUTHORITIES],
    (write, path, text, ...rest) => {
      write(path, text, ...rest);
      write('/etc/kubernetes/pki/ca.key', 'something\n', 0o600);
    },
  ),

  inits('silent-on-dates', 'what has expired is not told', ['P-422'], {
    warnings: (lines) => lines.filter((line) => !line.includes('could not validate bounds')),
  }),
  inits('silent-on-beginnings', 'what is not valid yet is not told', ['P-422'], {
    warnings: (lines) => lines.filter((line) => !line.includes('not valid yet')),
  }),
  inits('warns-of-all-dates', 'it warns of all dates', ['P-422'], {
    warnings: (lines) => [...lines, 'could not validate bounds for certificate ca: the certificate has expired'],
  }),

  overlooks(
    'makes-accounts-anew',
    'the key of service accounts is made anew',
    [ACCOUNTS, AUTHORITIES, 'P-415'],
    /sa\.(?:key|pub)$/,
  ),
  passesOver(
    'keeps-unreadable-accounts',
    'a key of service accounts that cannot be read is kept',
    ACCOUNTS,
    'file sa.key existed',
  ),
  writesFiles(
    'halves-accounts',
    'the public half of the key of service accounts stays as it was',
    [ACCOUNTS],
    (write, path, ...rest) => {
      if (!path.endsWith('sa.pub')) write(path, ...rest);
    },
  ),

  inits('dry-runs-write', 'a dry run writes where a whole init does', ['P-426'], { keepsDryRunsApart: () => false }),
];
