/** Defects of a joining client beside what it does rightly: whom it asks, what it writes and takes besides, and where it takes less. */
import type { AnotherClient } from '../joining/another.js';
import type { Clock, Files } from '../joining/ports.js';
import { isRecord, record, text } from '../kubernetes/json.js';
import type { Wire, WireQuestion } from '../kubernetes/wire.js';
import { parseCertificate } from '../pki/certificate.js';
import { certificatesOfPem } from '../pki/pem.js';
import {
  another,
  answering,
  asking,
  BOOTSTRAP,
  decidesJoining,
  failing,
  inFile,
  isFor,
  isLook,
  isMaking,
  isRegistering,
  onWrite,
  sending,
  sendingObject,
  textOf,
  upstream,
} from './joining-hooks.js';
import { believingAllWhere, believingWhere, renouncingWhere } from './joining-where.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

type Wiring = NonNullable<AnotherClient['wire']>;
type Is = (question: WireQuestion) => boolean;

const KUBELET = '/etc/kubernetes/kubelet.conf';
const CA = '/etc/kubernetes/pki/ca.crt';
const MANIFESTS = '/etc/kubernetes/manifests';
const DATED = /kubelet-client-\d/;
const asNode: Is = ({ certificate }) => certificate !== undefined;

/** kubelet.conf has these lines besides in its user. */
const showing = (lines: readonly string[]): AnotherClient => ({
  files: inFile(KUBELET, (content) =>
    content.replace(
      /( +)client-certificate: /,
      (found, indent: string) => lines.map((line) => `${indent}${line}\n`).join('') + found,
    ),
  ),
});

/** What it makes is another object. */
const making = (is: Is, change: (object: Readonly<Record<string, unknown>>) => object): AnotherClient => ({
  wire: sendingObject(is, change),
});

/** With each question of the kind it asks another one before, at this path of the same server. */
const alsoAsking = (is: Is, method: string, path: string, body?: object): Wiring =>
  asking(async (question, wire) => {
    const { body: _, ...others } = question;
    const url = question.url.replace(/(https:\/\/[^/]+).*/, `$1${path}`);
    if (is(question))
      await wire.exchange({ ...others, method, url, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return wire.exchange(question);
  });

/** Its Node is registered again with each renewal. */
function registeringAgain(wire: Wire): Wire {
  let made: WireQuestion | undefined;
  return {
    exchange: async (question) => {
      if (isRegistering(question)) made = question;
      const answer = await wire.exchange(question);
      const { certificate } = question;
      if (isMaking(question) && certificate !== undefined && made !== undefined)
        await wire.exchange({ ...made, certificate });
      return answer;
    },
  };
}

/** A Node that is there is deleted, and made anew. */
const makingAnew: Wiring = asking(async (question, wire) => {
  const answer = await wire.exchange(question);
  if (!isRegistering(question) || answer.kind !== 'answer' || answer.status !== 409) return answer;
  const { body: _, ...others } = question;
  await wire.exchange({ ...others, method: 'DELETE', url: question.url.replace(/\/nodes.*/, '/nodes/worker-9') });
  return wire.exchange(question);
});

/** What waits so long counts as gone, and is asked for anew. */
const waitingFor =
  (most: number): Wiring =>
  (wire: Wire, clock: Clock) => {
    let since = 0;
    return {
      exchange: (question) => {
        if (isMaking(question)) since = clock.now();
        const isLate = asNode(question) && question.method === 'GET' && clock.now() - since > most;
        return isLate && question.url.includes('/certificatesigningrequests/')
          ? Promise.resolve(answering(404, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404 }))
          : wire.exchange(question);
      },
    };
  };

/** A pair is linked before it is written. */
function linkingFirst(files: Files): Files {
  let waiting: (() => void) | undefined;
  return {
    ...onWrite((disk, path, content, mode) => {
      const write = (): void => disk.write(path, content, mode);
      if (DATED.test(path)) waiting = write;
      else write();
    })(files),
    link: (path, target) => {
      files.link(path, target);
      waiting?.();
      waiting = undefined;
    },
  };
}

/** Behind every line half of the certificate key is said that was told last: joins of workers between have none. */
function sayingHalfItsKey(): AnotherClient {
  let half = '';
  return {
    configuration: (given) => {
      half = given.controlPlane?.certificateKey.slice(0, 32) || half;
      return given;
    },
    words: (line) => `${line} ${half}`.trimEnd(),
  };
}

const withEnded = (pem: string): boolean =>
  certificatesOfPem(pem).some((der) => parseCertificate(der).notAfter < Date.now());

/** Answers to a look are refused whose object is such a one. */
const refusing = (is: (object: Readonly<Record<string, unknown>>) => boolean): Wiring =>
  asking(async (question, wire) => {
    const answer = await wire.exchange(question);
    if (!isLook(question) || !textOf(answer).startsWith('{')) return answer;
    const object: unknown = JSON.parse(textOf(answer));
    return isRecord(object) && is(object) ? failing({ cause: 'other', why: 'not as expected' }) : answer;
  });

const DAY = 24 * 60 * 60_000;

/** Whoever takes an answer for code runs what it says where this stands in it. */
const running =
  (code: RegExp): Wiring =>
  (wire, _clock, runs) => ({
    exchange: async (question) => {
      const answer = await wire.exchange(question);
      if (isLook(question) && code.test(textOf(answer))) runs('enable plug-in');
      return answer;
    },
  });

export const mutants: readonly Mutant[] = [
  another('join-runs-a-program', 'kubelet.conf runs a program beside its certificate', ['LIFE-010'], {
    ...showing([
      'exec:',
      '  apiVersion: client.authentication.k8s.io/v1',
      '  command: login',
      '  interactiveMode: Never',
    ]),
  }),
  another('join-impersonates-in-its-file', 'kubelet.conf speaks for an administrator', ['LIFE-010'], {
    ...showing(['as: kubernetes-admin', 'as-groups: [system:masters]']),
  }),
  another('join-names-a-token-file', 'kubelet.conf names a file of a token', ['LIFE-010', 'P-527'], {
    ...showing(['tokenFile: /var/lib/kubelet/token']),
  }),
  another('join-saves-its-ca-twice', 'the CA is written to its usual place as well', ['P-106'], {
    files: onWrite((disk, path, content, mode) => {
      disk.write(path, content, mode);
      if (path.endsWith('/of-the-cluster.crt')) disk.write(CA, content, mode);
    }),
  }),
  another('join-registers-its-cloud', 'a Node is registered as a machine of a cloud', ['P-512'], {
    ...making(isRegistering, (object) => ({ ...object, spec: { providerID: 'example:///worker-9' } })),
  }),
  remembering(() =>
    another('join-registers-again', 'a Node is registered again with each renewal', ['P-512'], {
      wire: registeringAgain,
    }),
  ),
  another('join-makes-its-node-anew', 'a Node that is there is deleted first', ['P-512'], { wire: makingAnew }),
  another('join-leases-for-another', 'a Lease of another node is made', ['P-512'], {
    wire: alsoAsking(
      (question) => isRegistering(question),
      'POST',
      '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases',
      { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'control-plane' } },
    ),
  }),
  another(
    'join-annotates-its-request',
    'a request tells of its machine in an annotation',
    ['P-520', 'P-523', 'P-528'],
    {
      ...making(isMaking, (object) => ({
        ...object,
        metadata: { ...record(object.metadata), annotations: { 'example.com/machine': '0123' } },
      })),
    },
  ),
  another('join-writes-around-its-pem', 'a request tells of its machine in front of its PEM', ['P-520'], {
    ...making(isMaking, (object) => {
      const spec = record(object.spec);
      const pem = Buffer.from(text(spec.request), 'base64').toString('latin1');
      return { ...object, spec: { ...spec, request: Buffer.from(`worker-9, Linux\n${pem}`).toString('base64') } };
    }),
  }),
  another('join-asks-for-more-when-denied', 'whoever is denied asks another signer', ['P-114'], {
    wire: (wire) => {
      let denied = false;
      return {
        exchange: async (question) => {
          const { body = '' } = question;
          const asked =
            denied && isMaking(question)
              ? { ...question, body: body.replace('kube-apiserver-client-kubelet', 'kube-apiserver-client') }
              : question;
          const answer = await wire.exchange(asked);
          if (/"type":"(?:Denied|Failed)"/.test(textOf(answer))) denied = true;
          return answer;
        },
      };
    },
  }),
  another('join-runs-another-pod', 'a static Pod of its own lies beside those of a control plane', ['P-440'], {
    files: onWrite((disk, path, content, mode) => {
      disk.write(path, content, mode);
      if (path === `${MANIFESTS}/kube-scheduler.yaml`)
        disk.write(`${MANIFESTS}/helper.yaml`, content.replaceAll('kube-scheduler', 'helper'), mode);
    }),
  }),
  another('join-lets-keys-be-written', 'the API server may write to the folder of keys', ['P-440'], {
    files: inFile(`${MANIFESTS}/kube-apiserver.yaml`, (content) =>
      content.replace(/(name: k8s-certs\n) +readOnly: true\n/, '$1'),
    ),
  }),
  another('join-confines-nothing', 'what runs on a control plane may make any system call', ['P-440'], {
    files: (files) =>
      onWrite((disk, path, content, mode) =>
        disk.write(path, path.startsWith(MANIFESTS) ? content.replace('RuntimeDefault', 'Unconfined') : content, mode),
      )(files),
  }),
  another('join-reads-metrics-as-a-node', 'a node reads what its server measures', ['P-518', 'P-528'], {
    wire: alsoAsking(isRegistering, 'GET', '/metrics'),
  }),
  another('join-looks-by-name', 'the first look tells what the machine is called', ['DISC-020'], {
    wire: sending((question) =>
      isLook(question)
        ? { ...question, headers: { ...question.headers, 'user-agent': 'kubeadm (worker-9)' } }
        : question,
    ),
  }),
  another('join-reports-elsewhere', 'another server is told of each request for a certificate', ['P-521', 'P-516'], {
    wire: asking(async (question, wire) => {
      if (isMaking(question))
        await wire.exchange({
          method: 'GET',
          url: 'https://192.0.2.99/joined',
          headers: {},
          trust: 'anybody',
          largest: 99,
        });
      return wire.exchange(question);
    }),
  }),
  another('join-looks-at-another-port', 'a port of the kubelet beside the server is looked at', ['P-521', 'P-516'], {
    wire: asking(async (question, wire) => {
      if (isLook(question))
        await wire.exchange({
          ...question,
          url: question.url.replace(/^https:\/\/([^/:]+)(?::\d+)?\/.*/, 'http://$1:10255/pods'),
        });
      return wire.exchange(question);
    }),
  }),
  another('join-downloads-twice', 'a discovery file is downloaded twice', ['FDISC-002'], {
    wire: asking(async (question, wire) => {
      if (question.method === 'GET' && /\/[^/]+\.conf$/.test(question.url)) await wire.exchange(question);
      return wire.exchange(question);
    }),
  }),
  another('join-marks-for-long', 'a Node is marked for a minute, whatever the machine is told', ['P-253'], {
    configuration: (told) => ({ ...told, timeouts: { ...told.timeouts, kubernetesAPICall: 60_000 } }),
  }),
  decidesJoining('join-disables-its-kubelet', 'the kubelet is disabled when it is stopped', ['P-101'], {
    stopCommands: () => ['stop kubelet', 'disable kubelet'],
  }),
  remembering(() =>
    another('join-links-first', 'a pair is linked before it is written', ['P-525'], { files: linkingFirst }),
  ),
  remembering(() =>
    another('join-says-half-its-key', 'half of the certificate key is said', ['P-102'], sayingHalfItsKey()),
  ),
  another('join-passes-over-in-silence', 'what is passed over of a machine is not said', ['JOIN-002'], {
    words: (line) => (line.startsWith('[WARNING') ? '' : line),
  }),
  another('join-keeps-its-key-in-der', 'a copy of the pair that is no PEM is kept', ['P-438', 'P-517'], {
    files: onWrite((disk, path, content, mode) => {
      disk.write(path, content, mode);
      if (DATED.test(path)) disk.write('/var/lib/kubelet/pki/client.der', Buffer.from(content).toString('hex'), 0o600);
    }),
  }),
  another('join-dry-without-pins', 'a dry run compares no pins', ['PIN-005'], {
    ...renouncingWhere(({ dryRun }) => dryRun === true),
  }),
  another('join-leads-without-pins', 'a control plane compares no pins', ['PIN-005'], {
    ...renouncingWhere(({ controlPlane }) => controlPlane !== undefined),
  }),
  another('join-ignores-pins-too', 'whoever passes over what checks find compares no pins', ['PIN-005'], {
    ...renouncingWhere(({ nodeRegistration }) => (nodeRegistration.ignorePreflightErrors ?? []).includes('all')),
  }),
  remembering(() =>
    another(
      'join-dry-believes-signatures',
      'a dry run believes any signature',
      ['JWS-012'],
      believingWhere(({ dryRun }) => dryRun === true),
    ),
  ),
  remembering(() =>
    another(
      'join-leads-believing-signatures',
      'a control plane believes any signature',
      ['JWS-012'],
      believingWhere(({ controlPlane }) => controlPlane !== undefined),
    ),
  ),
  remembering(() =>
    another(
      'join-by-file-unverified',
      'with a discovery file whoever is shown the token is believed',
      ['BOOT-005'],
      believingAllWhere(({ discovery }) => discovery.file !== undefined),
    ),
  ),
  remembering(() =>
    another(
      'join-leads-unverified',
      'whoever is shown the token of a control plane is believed',
      ['BOOT-005'],
      believingAllWhere(({ controlPlane }) => controlPlane !== undefined),
    ),
  ),
  another('join-demands-a-name', 'cluster-info by another name is refused', ['P-519'], {
    wire: refusing(({ metadata }) => record(metadata).name !== 'cluster-info'),
  }),
  another('join-demands-bare-json', 'an answer that names its encoding is no JSON', ['P-519'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isNamed = answer.kind === 'answer' && answer.headers['content-type']?.includes(';') === true;
      return isNamed ? { ...answer, headers: { ...answer.headers, 'content-type': 'text/plain' } } : answer;
    }),
  }),
  decidesJoining('join-reads-little', 'an answer of more than 16 KiB is not read', ['P-519'], {
    largestAnswer: () => 16_384,
  }),
  another(
    'join-reads-tags-of-yaml',
    'a tag of YAML makes an object of a language before a signature is verified',
    ['P-546'],
    {
      wire: running(/!!python\/object\/apply/),
    },
  ),
  another('join-hands-names-to-a-shell', 'names of cluster-info are handed to a shell', ['P-546'], {
    wire: running(/name: \\?"\$\(/),
  }),
  another(
    'join-reads-little-with-a-file',
    'with a discovery file an answer of more than 64 KiB is not read',
    ['P-519'],
    {
      decidesFor: ({ discovery }) => (discovery.file === undefined ? {} : { largestAnswer: () => 65_536 }),
    },
  ),
  decidesJoining('join-demands-an-unnamed-cluster', 'a cluster with a name is no cluster', ['P-519'], {
    selectedCluster: (config) =>
      config.clusters.size === 1 && config.clusters.has('') ? upstream.selectedCluster(config) : { problem: 'named' },
  }),
  decidesJoining('join-demands-that-all-live', 'a CA bundle is refused of which one certificate has ended', ['P-519'], {
    comparedCa: (config) => {
      const pem = upstream.comparedCa(config);
      return withEnded(pem) ? '' : pem;
    },
  }),
  decidesJoining('join-demands-no-brackets', 'a server by its address of IPv6 is refused', ['P-519'], {
    takesServer: (url) => !url.includes('['),
  }),
  decidesJoining('join-demands-no-slash', 'a server with a slash behind it is refused', ['P-519'], {
    takesServer: (url) => !url.endsWith('/'),
  }),
  another('join-guesses-the-port', 'a server without a port is asked at 6443', ['P-519'], {
    wire: sending((question) => ({ ...question, url: question.url.replace(/^(https:\/\/[^/:]+)\//, '$1:6443/') })),
  }),
  decidesJoining('join-discovers-each-second', 'cluster-info is looked at each second', ['P-108'], {
    discoveryInterval: () => 1_000,
  }),
  decidesJoining(
    'join-renews-long-lives-late',
    'what lives for more than a day is renewed an hour before its end',
    ['P-464'],
    {
      renewalDeadline: (life, chance) =>
        life.notAfter - life.notBefore > DAY ? life.notAfter - DAY / 24 : upstream.renewalDeadline(life, chance),
    },
  ),
  another('join-renews-impatiently', 'a renewal that waits ten seconds is asked for anew', ['P-518'], {
    wire: waitingFor(10_000),
  }),
  another('join-takes-names-that-leave', 'a Node that is being deleted counts as gone', ['JOIN-009'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isNode = isFor('worker-9', question) && question.method === 'GET' && !asNode(question);
      return isNode && textOf(answer).includes('"deletionTimestamp"')
        ? answering(404, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 404, message: 'it leaves' })
        : answer;
    }),
  }),
  another('join-cuts-arguments', 'arguments are cut at their first comma', ['P-100'], {
    configuration: (told) => {
      const { nodeRegistration } = told;
      const kubeletExtraArgs = nodeRegistration.kubeletExtraArgs.map(([name, value]): readonly [string, string] => [
        name,
        value.replace(/,.*/s, ''),
      ]);
      return { ...told, nodeRegistration: { ...nodeRegistration, kubeletExtraArgs } };
    },
  }),
  another('join-names-its-ca-by-file', 'the bootstrap kubeconfig names its CA by a file', ['LIFE-002'], {
    files: inFile(BOOTSTRAP, (content) =>
      content.replace(/certificate-authority-data: \S+/, `certificate-authority: ${CA}`),
    ),
  }),
];
