/**
 * Defects of what becomes of a node: joining step by step, certificates that are shown, renewals, serving
 * certificates.
 */
import { rfc3339 } from '../apiserver/clock.js';
import type { ConfigMap } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { generateKey } from '../pki/keys.js';
import { ATTRIBUTE } from '../pki/oids.js';
import { upstream } from '../reference/decisions.js';
import {
  allow,
  decides,
  edit,
  editClusterRole,
  editSubjects,
  finds,
  joining,
  type Replaced,
  rebind,
  rule,
} from './arrange.js';
import { approved, JOINING, plant, SERVING, write } from './planted-requests.js';
import { remembering } from './remembering.js';
import { factsOf, resign } from './resigned.js';
import type { Mutant } from './types.js';

const ROTATION = 'kubeadm:node-autoapprove-certificate-rotation';
const RIGHTS = 'system:certificates.k8s.io:certificatesigningrequests';
const HOUR = 3_600_000;

/** The first for each name is as it should be: who joins notices nothing. */
function fromTheSecondOn<T>(first: (value: T) => T, later: (value: T) => T): (name: string, value: T) => T {
  const seen = new Set<string>();
  return (name, value) => {
    if (seen.has(name)) return later(value);
    seen.add(name);
    return first(value);
  };
}
const nameOf = (leaf: string): string => factsOf(leaf).commonName;

const asItIs = <T>(value: T): T => value;
const keysLater = () => fromTheSecondOn<string>(asItIs, (leaf) => resign(leaf, true));
const nothingLater = () => fromTheSecondOn<string>(asItIs, () => '');
const foreignLater = () => fromTheSecondOn<string>(asItIs, (leaf) => resign(leaf));

type Subject = ReturnType<typeof upstream.certificateSubject>;
const commonNameIn = (subject: Subject): string =>
  String(subject.flat().find(({ oid }) => oid === ATTRIBUTE.commonName)?.value);
const mastersLater = () =>
  fromTheSecondOn<Subject>(asItIs, (subject) => [
    [{ oid: ATTRIBUTE.organization, value: 'system:masters' }],
    ...subject,
  ]);

/** What was signed last, and whether a certificate of its name was signed before. */
function renewing() {
  const seen = new Set<string>();
  let again = false;
  return {
    certificateSubject: (requested) => {
      const subject = upstream.certificateSubject(requested);
      const name = commonNameIn(subject);
      again = seen.has(name);
      seen.add(name);
      return subject;
    },
    certificateValidity: (now, lifetime, caNotAfter) => ({
      ...upstream.certificateValidity(now, lifetime, caNotAfter),
      ...(again ? { notBefore: now + HOUR } : {}),
    }),
  } satisfies Replaced;
}

/** Of each name the certificate that was shown last; whoever shows an older one is refused. */
function oneAtATime(): Replaced {
  const shown = new Map<string, Set<string>>();
  return {
    certificateUser: (certificate, minor) => {
      const all = shown.get(certificate.commonName) ?? new Set<string>();
      shown.set(certificate.commonName, all.add(certificate.sha256));
      return [...all].at(-1) === certificate.sha256
        ? upstream.certificateUser(certificate, minor)
        : { error: 'a newer one was shown' };
    },
  };
}

const approvalTimes =
  (shift: number): typeof upstream.csrConditionTimes =>
  (conditions, _old, now) => {
    const at = rfc3339(Date.parse(now) + shift);
    return conditions.map((condition) => ({ ...condition, lastUpdateTime: at, lastTransitionTime: at }));
  };

const JOIN: readonly Mutant[] = [
  finds('tokens-register-nodes', 'a bootstrap token may register Nodes', ['BOOT-008'], (reference) =>
    allow(reference, 'early-nodes', [rule(['create'], '', 'nodes')], joining),
  ),
  finds('tokens-may-everything', 'broad rights, so that a node can register early', ['BOOT-014'], (reference) =>
    allow(reference, 'early-everything', [rule(['*'], '*', '*')], joining),
  ),
  finds('requests-are-write-only', 'a joining machine may ask, and see nothing of it', ['BOOT-014'], (reference) =>
    editClusterRole(reference, 'system:node-bootstrapper', () => [
      rule(['create'], 'certificates.k8s.io', 'certificatesigningrequests'),
    ]),
  ),
  decides('approved-before-it-was-asked', 'approvals bear a time an hour ago', ['BOOT-008'], {
    csrConditionTimes: approvalTimes(-HOUR),
  }),
  decides('node-before-its-approval', 'approvals bear a time in an hour', ['BOOT-008'], {
    csrConditionTimes: approvalTimes(HOUR),
  }),
  decides('nodes-report-nothing', 'a node may register itself, and not write its status', ['BOOT-011', 'BOOT-012'], {
    nodeOnNode: (question) =>
      question.attributes.subresource === 'status' ? 'the status is none of a node' : upstream.nodeOnNode(question),
  }),
];

const LOGIN: readonly Mutant[] = [
  decides('leafs-sign-leafs', 'a certificate that is no authority may have signed another', ['P-65'], {
    mayIssue: () => true,
  }),
  decides('servers-log-in', 'the extended usage of a client certificate is not looked at', ['P-66'], {
    certificateMayLogIn: () => true,
  }),
  decides('tokens-before-certificates', 'a token counts before the certificate beside it', ['P-67'], {
    requestAuthenticators: () => ['request-header', 'bearer', 'websocket', 'certificate'],
  }),
  decides('node-certificates-say-nothing', 'who shows the certificate of a node is asked for a token', ['P-67'], {
    certificateUser: (certificate, minor) =>
      certificate.commonName.startsWith('system:node:') ? 'no-opinion' : upstream.certificateUser(certificate, minor),
  }),
  decides(
    'requests-name-no-credential',
    'nodes come with a static token of their name: no certificate is written down',
    ['BOOT-016', 'ROT-004', 'SRV-001'],
    {
      csrRequester: (user, sent) => {
        const { extra: _, ...requester } = upstream.csrRequester(user, sent);
        return requester;
      },
    },
  ),
];

const RENEW: readonly Mutant[] = [
  finds('renewals-as-anybody', 'nodes renew by the right to any node’s certificate', ['ROT-005'], (reference) =>
    rebind(reference, ROTATION, `${RIGHTS}:nodeclient`),
  ),
  finds('renewals-wait', 'the rotation binding has lost its subjects', ['BOOT-011', 'ROT-005'], (reference) =>
    editSubjects(reference, ROTATION, () => []),
  ),
  decides(
    'approver-looks-at-the-name-alone',
    'what a node asks for itself is approved, whatever it is',
    ['P-69', 'SRV-012'],
    {
      kubeletClientProblem: () => undefined,
      approvalRights: (spec, commonName) => (spec.username === commonName ? ['selfnodeclient'] : ['nodeclient']),
      approvalNeedsSignerRight: () => false,
    },
  ),
  remembering(() => {
    const later = nothingLater();
    return decides(
      'renewals-are-never-issued',
      'the signer signs once for each name',
      ['BOOT-011', 'ROT-007', 'ROT-011', 'ROT-015', 'SRV-005', 'SRV-008'],
      { issuedPem: (leaf) => later(nameOf(leaf), leaf) },
    );
  }),
  remembering(() => {
    const later = keysLater();
    const killedBy = ['P-68', 'ROT-015', 'SRV-005'];
    return decides('renewals-are-for-another-key', 'a second certificate is for a new key', killedBy, {
      issuedPem: (leaf) => later(nameOf(leaf), leaf),
    });
  }),
  remembering(() => {
    const later = mastersLater();
    return decides('renewals-make-administrators', 'a second certificate is in system:masters', ['P-68', 'SRV-005'], {
      certificateSubject: (requested) => {
        const subject = upstream.certificateSubject(requested);
        return later(commonNameIn(subject), subject);
      },
    });
  }),
  remembering(() =>
    decides('renewals-begin-later', 'a second certificate is not good for an hour', ['ROT-012'], renewing()),
  ),
  remembering(() =>
    decides(
      'new-certificates-end-old-ones',
      'an old certificate is refused once a new one was shown',
      ['ROT-012'],
      oneAtATime(),
    ),
  ),
  remembering(() => {
    const later = foreignLater();
    return decides('renewals-are-signed-by-another', 'a second certificate is of another CA', ['P-68'], {
      issuedPem: (leaf) => later(nameOf(leaf), leaf),
    });
  }),
];

const SERVE: readonly Mutant[] = [
  decides('signer-drops-names', 'the signer leaves out the addresses of a serving request', ['SRV-008'], {
    certificateAltNames: (request) => ({ ...upstream.certificateAltNames(request), ip: [] }),
  }),
  decides('signer-adds-names', 'the signer adds the name of the API server', ['SRV-008'], {
    certificateAltNames: (request) => {
      const names = upstream.certificateAltNames(request);
      return names.dns.length === 0 ? names : { ...names, dns: [...names.dns, 'kubernetes.default.svc'] };
    },
  }),
  finds(
    'serving-requests-of-others',
    'serving requests of a token and of an administrator, without names, and one key for two nodes',
    ['SRV-001', 'SRV-002', 'SRV-004', 'SRV-008'],
    (reference) => {
      const key = generateKey('ECDSA-P256');
      plant(reference, { name: 'csr-tkn01', signerName: SERVING, ...JOINING });
      plant(reference, {
        name: 'csr-adm01',
        signerName: SERVING,
        commonName: 'system:node:worker-8',
        key,
        dns: ['worker-8'],
        username: 'kubernetes-admin',
        groups: ['kubeadm:cluster-admins'],
      });
      const node = { username: 'system:node:worker-7', groups: ['system:nodes', 'system:authenticated'] };
      const worker = { signerName: SERVING, commonName: 'system:node:worker-7', dns: ['worker-7', 'worker-1'] };
      plant(reference, { name: 'csr-sam01', ...node, ...worker, key });
    },
  ),
  finds(
    'serving-certificate-by-hand',
    'an administrator has approved what a token asked for, to serve as a node',
    ['SRV-001', 'SRV-002'],
    (reference) => {
      const name = 'csr-hand1';
      plant(reference, { name, signerName: SERVING, commonName: 'system:node:worker-6', dns: ['worker-6'] });
      write(reference, name, 'approval', { conditions: [approved(new Date())] });
    },
  ),
  finds('serving-features-off', 'all beta features of the kubelets are off', ['SRV-011'], (reference) => {
    const place = { resource: resources.configMaps, namespace: 'kube-system', name: 'kubelet-config' };
    edit<ConfigMap>(reference, place, (map) => ({
      ...map,
      data: { ...map.data, kubelet: `${map.data?.kubelet ?? ''}featureGates:\n  AllBeta: false\n` },
    }));
  }),
];

export const mutants: readonly Mutant[] = [...JOIN, ...LOGIN, ...RENEW, ...SERVE];
