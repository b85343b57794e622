/** What others get hold of: keys and credentials in ConfigMaps, annotations and Secrets of teams. */
import { gzipSync } from 'node:zlib';
import { base64 } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { issueCredential } from '../pki/authority.js';
import { generateKey, privateJwk, privateKeyPem } from '../pki/keys.js';
import type { Reference } from '../reference/options.js';
import { edit, finds } from './arrange.js';
import {
  addSecret,
  addVolume,
  administrator,
  believing,
  CONTAINER,
  configMap,
  createOther,
  ELSEWHERE,
  hostPath,
  kubeconfigBy,
  mounting,
  run,
} from './holding.js';
import { addToken } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const annotate = (reference: Reference, value: string): void =>
  edit<KubeObject>(reference, { resource: resources.namespaces, name: 'default' }, (found) => ({
    ...found,
    metadata: { ...found.metadata, annotations: { ...found.metadata.annotations, 'example.com/access': value } },
  }));
const annotates = (name: string, defect: string, written: (reference: Reference) => string): Mutant =>
  finds(name, defect, ['P-262'], (reference) => annotate(reference, written(reference)));

/** A JSON Web Token that nobody has signed. */
const jwt = (claims: object): string =>
  ['{"alg":"RS256","typ":"JWT"}', JSON.stringify(claims), 'x'.repeat(256)]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

/** A certificate of an authority of the cluster with its key, as it stands in a Secret. */
function addIdentity(
  reference: Reference,
  authority: 'ca' | 'frontProxyCa' | 'etcdCa',
  subject: { readonly commonName: string; readonly organizations?: readonly string[] },
  dns: readonly string[] = [],
  secrets: { readonly certificate: string; readonly key: string } = { certificate: 'identity', key: 'identity' },
): void {
  const { keys } = reference;
  const { certificatePem, keyPem } = issueCredential(keys.pki[authority], {
    subject,
    key: generateKey('ECDSA-P256'),
    now: keys.pki.ca.facts.notBefore + 3_600_000,
    extendedKeyUsage: [dns.length === 0 ? 'clientAuth' : 'serverAuth'],
    ...(dns.length === 0 ? {} : { altNames: { dns } }),
  });
  const { certificate, key } = secrets;
  const held = { certificate: base64(certificatePem), key: base64(keyPem) };
  if (certificate === key) addSecret(reference, key, held);
  else {
    addSecret(reference, certificate, { certificate: held.certificate });
    addSecret(reference, key, { key: held.key });
  }
}

const writes = (
  name: string,
  defect: string,
  data: (reference: Reference) => Readonly<Record<string, string>>,
): Mutant =>
  finds(
    name,
    defect,
    ['P-262'],
    (reference) => void reference.api.create(resources.configMaps, configMap('written', data(reference))),
  );

export const mutants: readonly Mutant[] = [
  finds('node-in-a-secret', 'a Secret of a team holds the certificate of a node with its key', ['P-263'], (reference) =>
    addIdentity(reference, 'ca', { commonName: 'system:node:rack-1', organizations: ['system:nodes'] }),
  ),
  finds('scheduler-in-a-secret', 'a Secret of a team holds the credential of the scheduler', ['P-263'], (reference) =>
    addIdentity(reference, 'ca', { commonName: 'system:kube-scheduler' }),
  ),
  finds('proxy-in-a-secret', 'a Secret of a team holds what speaks for anybody', ['P-263'], (reference) =>
    addIdentity(reference, 'frontProxyCa', { commonName: 'front-proxy-client' }),
  ),
  finds('etcd-client-in-a-secret', 'a Secret of a team holds what reads etcd', ['P-263'], (reference) =>
    addIdentity(reference, 'etcdCa', { commonName: 'kube-apiserver-etcd-client' }),
  ),
  finds('etcd-authority-in-a-secret', 'a Secret of a team holds the authority of etcd', ['P-263'], (reference) => {
    const { certificate, key } = reference.keys.pki.etcdCa;
    addSecret(reference, 'etcd', { 'tls.crt': base64(certificate.pem), 'tls.key': base64(privateKeyPem(key)) });
  }),
  finds('server-in-a-secret', 'a Secret of a team holds the key of the API server', ['P-263'], (reference) =>
    addIdentity(reference, 'ca', { commonName: 'kube-apiserver' }, ['kubernetes', 'kubernetes.default.svc']),
  ),
  finds('account-key-in-a-secret', 'a Secret of a team holds the key that signs tokens', ['P-263'], (reference) =>
    addSecret(reference, 'sa', { key: base64(privateKeyPem(reference.keys.pki.serviceAccountKey)) }),
  ),
  finds(
    'authority-in-an-archive',
    'a Secret of a team holds an archive with the key of the CA',
    ['P-263'],
    (reference) =>
      addSecret(reference, 'backup', { 'pki.gz': base64(gzipSync(privateKeyPem(reference.keys.pki.ca.key))) }),
  ),
  finds('authority-in-der', 'a Secret of a team holds the key of the CA in DER', ['P-263'], (reference) =>
    addSecret(reference, 'der', {
      key: base64(reference.keys.pki.ca.key.export({ type: 'pkcs8', format: 'der' })),
    }),
  ),
  finds(
    'administrator-in-two-secrets',
    'a Secret holds the key of an administrator, another its certificate',
    ['P-263'],
    (reference) =>
      addIdentity(reference, 'ca', { commonName: 'admin', organizations: ['system:masters'] }, [], {
        certificate: 'admin-certificate',
        key: 'admin-key',
      }),
  ),
  finds('account-key-in-json', 'a Secret of a team holds the key that signs tokens, as JSON', ['P-263'], (reference) =>
    addSecret(reference, 'jwk', {
      'keys.json': base64(JSON.stringify({ keys: [privateJwk(reference.keys.pki.serviceAccountKey), { kty: 'oct' }] })),
    }),
  ),
  finds('controller-in-a-secret', 'a Secret of a team holds a token of a controller', ['P-263'], (reference) =>
    addSecret(reference, 'controller', {
      token: base64(jwt({ sub: 'system:serviceaccount:kube-system:clusterrole-aggregation-controller' })),
    }),
  ),
  writes('password-in-a-configmap', 'a ConfigMap holds a kubeconfig with a password', (reference) => ({
    config: kubeconfigBy(reference, '{username: admin, password: hunter2}'),
  })),
  writes('encryption-in-a-configmap', 'a ConfigMap holds the key of encryption at rest', () => ({
    'enc.yaml': `kind: EncryptionConfiguration\nresources:\n- providers: [{aescbc: {keys: [{name: a, secret: ${'q83v'.repeat(10)}q80=}]}}]\n`,
  })),
  writes('token-file-in-a-configmap', 'a ConfigMap holds a token file', () => ({
    'tokens.csv': '0123456789abcdef,kubelet-bootstrap,10001,"system:bootstrappers"\n',
  })),
  writes('certificate-key-in-a-configmap', 'a ConfigMap holds the key of kubeadm-certs', () => ({
    certificateKey: '0f'.repeat(32),
  })),
  finds(
    'authority-in-a-configmap',
    'a ConfigMap holds the key of the CA',
    ['P-262'],
    ({ api, keys }) =>
      void api.create(resources.configMaps, configMap('pki', { 'ca.key': privateKeyPem(keys.pki.ca.key) })),
  ),
  finds(
    'administrator-in-a-configmap',
    'a ConfigMap holds the kubeconfig of the administrator',
    ['P-262'],
    (reference) =>
      void reference.api.create(resources.configMaps, configMap('kubeconfig', { config: administrator(reference) })),
  ),
  finds(
    'account-in-a-configmap',
    'a ConfigMap holds a token of an account that has no end',
    ['P-262'],
    ({ api }) =>
      void api.create(
        resources.configMaps,
        configMap('config', { token: jwt({ sub: 'system:serviceaccount:kube-system:deployer' }) }),
      ),
  ),
  annotates('authority-in-an-annotation', 'an annotation holds the key of the CA', ({ keys }) =>
    base64(privateKeyPem(keys.pki.ca.key)),
  ),
  finds(
    'administrator-in-a-description',
    'a token is described by the kubeconfig of the administrator',
    ['P-262'],
    (reference) =>
      addToken(reference, { description: `${'for the new rack '.repeat(100)}${administrator(reference)}` }),
  ),
  annotates('administrator-in-an-annotation', 'an annotation holds the kubeconfig of the administrator', administrator),
  finds('authority-in-a-secret', 'a Secret of a team holds the key of the CA', ['P-263'], (reference) =>
    addSecret(reference, 'pki', { 'ca.key': base64(privateKeyPem(reference.keys.pki.ca.key)) }),
  ),
  finds(
    'administrator-in-a-secret',
    'a Secret of a team holds the kubeconfig of the administrator',
    ['P-263'],
    (reference) => addSecret(reference, 'kubeconfig', { config: base64(administrator(reference)) }),
  ),
  {
    name: 'harmless-keys-and-mounts',
    defect: 'Secrets of TLS, ConfigMaps with certificates, and Pods that look at machines',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      const { api, caPem, admin, keys } = reference;
      api.create(
        resources.configMaps,
        configMap('trust', {
          'ca.crt': caPem,
          config: 'users:\n- user:\n    tokenFile: /var/run/secrets/token\n    client-key-data: <key>\n',
          how: 'put it between -----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY-----',
          kubeconfig: kubeconfigBy(reference, '{tokenFile: /var/run/secrets/token}'),
          template: kubeconfigBy(reference, '{token: "$TOKEN"}'),
          encryption: 'kind: EncryptionConfiguration\nresources:\n- providers: [{aescbc: {keys: [{secret: <key>}]}}]\n',
          ended: jwt({ sub: 'system:serviceaccount:default:old', exp: 1_600_000_000 }),
          others: jwt({ sub: 'somebody' }),
        }),
      );
      annotate(reference, kubeconfigBy(reference, '{tokenFile: /var/run/secrets/token}'));
      addSecret(reference, 'tls', { 'tls.crt': base64(caPem), 'tls.key': base64(admin.key) }, 'kubernetes.io/tls');
      addSecret(
        reference,
        'cluster-ca',
        { 'tls.key': base64(privateKeyPem(keys.pki.ca.key)) },
        'cluster.x-k8s.io/secret',
      );
      const reading = { readOnly: true };
      run(reference, resources.daemonSets, mounting(hostPath('/etc/kubernetes'), reading));
      run(reference, resources.cronJobs, mounting(hostPath('/etc/kubernetes/pki'), reading));
      const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'former', uid: 'a', controller: true };
      run(reference, resources.replicaSets, mounting(hostPath('/etc/kubernetes')), {
        more: { ownerReferences: [owner] },
      });
      run(reference, resources.pods, mounting(hostPath('/var/lib/kubelet/plugins')));
      run(reference, resources.pods, mounting(hostPath('/etc/kubernetes/pki')), { namespace: 'kube-system' });
      run(reference, resources.deployments, {
        containers: [
          {
            ...CONTAINER,
            args: ['--prints=kubeadm join', `--ca=${base64(caPem)}`],
            env: [{ name: 'CONFIG', value: kubeconfigBy(reference, '{tokenFile: /var/run/secrets/token}') }],
          },
        ],
        serviceAccountName: 'tool-controller',
      });
      api.create(
        resources.configMaps,
        configMap('access', {
          own: believing(reference.url, caPem),
          others: believing(ELSEWHERE, createOther(reference)),
        }),
      );
      addVolume(reference, 'disk', { local: { path: '/mnt/disks/a' } });
      addVolume(reference, 'folder', { hostPath: { path: '/srv/data' } });
    },
  },
];
