/** Defects of a joining client in what it makes of its machine: its kubelet's key and server, and a control plane. */
import type { AnotherClient } from '../joining/another.js';
import type { Files } from '../joining/ports.js';
import { generateKey, privateKeyPem } from '../pki/keys.js';
import {
  another,
  asking,
  BOOTSTRAP,
  decidesJoining,
  inFile,
  isLook,
  ofEach,
  onWrite,
  textOf,
  upstream,
  withEachQuestion,
  without,
  writing,
} from './joining-hooks.js';
import type { Mutant } from './types.js';

const KUBERNETES = '/etc/kubernetes';
const PKI = `${KUBERNETES}/pki`;
const KUBELET = `${KUBERNETES}/kubelet.conf`;

/** Of nothing that it asks for. */
const WAITING = generateKey('ECDSA-P256');

/** What is written of the kubelet's pair is written there, too. */
const copying = (path: string) =>
  onWrite((files, own, text, mode) => {
    files.write(own, text, mode);
    if (/\/kubelet-client-\d/.test(own)) files.write(path, text, mode);
  });

/** What it writes there belongs to another user of its machine. */
const giving = (given: string) =>
  onWrite((files, path, text, mode) => {
    files.write(path, text, mode);
    if (path === given) files.give?.(path);
  });

/** The CA is written when everything else is. */
const lateCa = (files: Files): Files => {
  let late = '';
  return onWrite((disk, path, text, mode) => {
    if (path === `${PKI}/ca.crt`) late = text;
    disk.write(path, text, mode);
    if (/\/kubelet-client-\d/.test(path) && late !== '') disk.write(`${PKI}/ca.crt`, late, 0o644);
    else if (path === `${PKI}/ca.crt` && !disk.exists(`${PKI}/ca.key`)) disk.remove(path);
  })(files);
};

/** Takes the bootstrap kubeconfig away as soon as it asks for a certificate. */
const removing = (): AnotherClient =>
  withEachQuestion((disk, { method }) => {
    if (method === 'POST') disk.remove(BOOTSTRAP);
  });

/** What cluster-info says of verification is obeyed, and written down. */
const obeying = (): AnotherClient =>
  ofEach(() => ({ isBlind: false }), {
    wire: (own) =>
      asking(async (question, wire) => {
        const answer = await wire.exchange(own.isBlind ? { ...question, trust: 'anybody' } : question);
        if (isLook(question) && textOf(answer).includes('insecure-skip-tls-verify: true')) own.isBlind = true;
        return answer;
      }),
    files: (own) =>
      writing((path, text) =>
        own.isBlind && path === BOOTSTRAP
          ? text.replace(/certificate-authority-data: \S+/, 'insecure-skip-tls-verify: true')
          : text,
      ),
  });

export const mutants: readonly Mutant[] = [
  another('join-kubelet-asks-another', 'kubelet.conf names another address', ['P-437', 'P-527'], {
    files: inFile(KUBELET, (text) => text.replace(/server: \S+/, 'server: https://192.0.2.9:6443')),
  }),
  another('join-kubelet-asks-the-endpoint', 'kubelet.conf names the endpoint as it was told', ['P-437'], {
    files: inFile(KUBELET, (text) => text.replace('//localhost:', '//127.0.0.1:')),
  }),
  another('join-kubelet-server-slashed', 'a slash stands behind the server of kubelet.conf', [], {
    files: inFile(KUBELET, (text) => text.replace(/server: \S+/, '$&/')),
  }),
  another('join-keeps-a-copy', 'the key of the kubelet is kept for a second time', ['P-438', 'P-517'], {
    files: copying('/var/lib/kubelet/pki/kubelet-client.key.bak'),
  }),
  another('join-keeps-a-key-that-waits', 'the key that has waited for its certificate is kept', ['P-438', 'P-517'], {
    files: onWrite((files, path, text, mode) => {
      files.write(path, text, mode);
      if (path === BOOTSTRAP) files.write('/var/lib/kubelet/pki/kubelet-client.key.tmp', privateKeyPem(WAITING), 0o600);
    }),
  }),
  another('join-keeps-a-bundle', 'keys of a control plane are kept in a bundle as well', ['P-438'], {
    files: onWrite((files, path, text, mode) => {
      files.write(path, text, mode);
      if (path === `${PKI}/sa.key`) files.write(`${KUBERNETES}/shared.pem`, text, mode);
    }),
  }),
  another('join-backs-shared-keys-up', 'keys of a control plane are kept for kubelets as well', ['P-438', 'P-529'], {
    files: onWrite((files, path, text, mode) => {
      files.write(path, text, mode);
      if (path === `${PKI}/sa.key`) files.write('/var/lib/kubelet/backup/sa.key', text, mode);
    }),
  }),
  another('join-leaves-its-key', 'the key of the node is kept among temporary files as well', ['P-541', 'P-444'], {
    files: onWrite((files, path, text, mode) => {
      files.write(path, text, mode);
      if (/kubelet-client-\d[^/]*$/.test(path)) files.write('/var/tmp/last.pem', text, mode);
    }),
  }),
  another('join-leaves-its-key-in-base64', 'the key of the node is kept elsewhere, in base64', ['P-541', 'LIFE-019'], {
    files: onWrite((files, path, text, mode) => {
      files.write(path, text, mode);
      if (!/kubelet-client-\d[^/]*$/.test(path)) return;
      const key = text.slice(text.search(/-----BEGIN [A-Z ]*PRIVATE KEY/));
      files.write('/var/lib/node/state', `key=${Buffer.from(key).toString('base64')}\n`, 0o644);
    }),
  }),
  another('join-leaves-its-first-key', 'the key of the node is kept beside those of a control plane', ['P-541'], {
    files: onWrite((files, path, text, mode) => {
      files.write(path, text, mode);
      if (/kubelet-client-\d[^/]*$/.test(path)) files.write(`${PKI}/kubelet.csr.key`, text, mode);
    }),
  }),
  another('join-gives-kubelet-away', 'kubelet.conf is owned by another user', ['LIFE-019', 'P-120'], {
    files: giving(KUBELET),
  }),
  another('join-gives-its-ca-away', 'ca.crt is owned by another user, who may not write it now', ['P-120'], {
    files: giving(`${PKI}/ca.crt`),
  }),
  another('join-kubelet-blind-at-first', 'kubelet.conf believes everybody until the CA is known', ['P-443'], {
    files: onWrite((files, path, text, mode) => {
      if (path === KUBELET)
        files.write(path, text.replace(/certificate-authority-data: \S+/, 'insecure-skip-tls-verify: true'), mode);
      files.write(path, text, mode);
    }),
  }),
  another('join-tells-the-host', 'the CA of the cluster is one of the host as well', ['P-444'], {
    files: onWrite((files, path, text, mode) => {
      files.write(path, text, mode);
      if (path === `${PKI}/ca.crt`) files.write('/usr/local/share/ca-certificates/kubernetes.crt', text, mode);
    }),
  }),
  another('join-takes-no-taints-for-none-told', 'who is told to have no taint gets the usual one', ['P-253'], {
    configuration: ({ nodeRegistration: { taints, ...registration }, ...configuration }) => ({
      ...configuration,
      nodeRegistration: taints === undefined || taints.length === 0 ? registration : { ...registration, taints },
    }),
  }),
  decidesJoining('join-untainted-unlabelled', 'a Node without a taint gets no labels, either', ['P-253'], {
    marks: (own, there) => {
      const marks = upstream.marks(own, there);
      return own?.length === 0 ? { ...marks, labels: {} } : marks;
    },
  }),
  another('join-runtime-of-its-own', 'what is kept for upgrades names another runtime', ['P-100'], {
    files: inFile('/var/lib/kubelet/instance-config.yaml', (text) =>
      text.replace(/containerRuntimeEndpoint: .*/, 'containerRuntimeEndpoint: unix:///run/another.sock'),
    ),
  }),
  another('join-name-untold', 'the kubelet is not told the name of its machine', ['P-100'], {
    files: inFile('/var/lib/kubelet/kubeadm-flags.env', (text) => text.replace(/--hostname-override=[^\s"]+ ?/, '')),
  }),
  another('join-arguments-cut', 'arguments are cut at their second sign', ['P-100'], {
    configuration: ({ nodeRegistration, ...configuration }) => ({
      ...configuration,
      nodeRegistration: {
        ...nodeRegistration,
        kubeletExtraArgs: nodeRegistration.kubeletExtraArgs.map(
          ([name, value]) => [name, value.replace(/=.*/, '')] as const,
        ),
      },
    }),
  }),
  decidesJoining('join-file-skips-beside-its-ca', 'a discovery file that skips verification is obeyed', ['FDISC-005'], {
    skipsBesideCa: () => true,
  }),
  another(
    'join-obeys-cluster-info',
    'a cluster-info that skips verification is obeyed',
    ['DISC-022', 'P-443'],
    obeying(),
  ),
  another('join-needs-a-taint', 'who is told to have no taint does not join', ['P-253'], {
    configuration: without(({ nodeRegistration }) => nodeRegistration.taints?.length === 0),
  }),
  another('join-serves-as-well', 'a kubelet has a key to serve with', [], {
    files: copying('/var/lib/kubelet/pki/kubelet-server-current.pem'),
  }),
  another('join-ca-last', 'ca.crt is written once the kubelet has its certificate', ['P-439'], { files: lateCa }),
  another(
    'join-bootstrap-gone-too-early',
    'the bootstrap kubeconfig goes before a certificate is asked for',
    ['P-439'],
    {
      ...removing(),
    },
  ),
];
