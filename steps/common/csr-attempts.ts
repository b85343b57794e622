/** What an administrator may try with a certificate request that is there, and no API server lets happen. */
import { base64 } from '../../src/kubernetes/json.js';
import { GROUP_MASTERS, GROUP_NODES, NODE_USER_PREFIX, SIGNER_KUBELET_SERVING } from '../../src/kubernetes/names.js';
import type { CertificateSigningRequest, Condition } from '../../src/kubernetes/objects.js';
import { strangersPair } from '../../src/run/making.js';

/** A merge patch, and the part of the request that it goes to. */
interface Attempt {
  readonly subresource?: 'approval' | 'status';
  readonly body: object;
}

const conditions = (...all: readonly Condition[]): object => ({ status: { conditions: all } });
const spec = (changes: Partial<CertificateSigningRequest['spec']>): object => ({ spec: changes });
const said = (type: string): Condition => ({
  type,
  status: 'True',
  reason: 'JoinproofTries',
  message: 'This should not be possible.',
});
const unless = (held: readonly Condition[], type: string): readonly Condition[] =>
  held.filter((condition) => condition.type !== type);
const another = (): object => ({
  status: { certificate: base64(strangersPair(`${NODE_USER_PREFIX}jp-another`, [GROUP_NODES]).certificate) },
});

const withCertificate = (pem: string): Attempt => ({
  subresource: 'status',
  body: { status: { certificate: base64(pem) } },
});
const EMPTY_PEM = '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n';

/** Parts of spec, each through every door. */
const PARTS: Readonly<Record<string, object>> = {
  'name another signer': spec({ signerName: SIGNER_KUBELET_SERVING }),
  'ask for other usages': spec({ usages: ['digital signature', 'server auth'] }),
  'ask for another life': spec({ expirationSeconds: 86_400 }),
  'name another requester': spec({ username: 'system:admin', groups: [GROUP_MASTERS] }),
};
const OF_PARTS: Readonly<Record<string, () => Attempt>> = Object.fromEntries(
  Object.entries(PARTS).flatMap(([what, body]) => [
    [what, () => ({ body })],
    [`${what} with its approval`, () => ({ subresource: 'approval' as const, body })],
    [`${what} with its status`, () => ({ subresource: 'status' as const, body })],
  ]),
);

/** `held`: the conditions that are there. `other`: a request to put in its place. */
export const ATTEMPTS: Readonly<Record<string, (held: readonly Condition[], other: string) => Attempt>> = {
  'put another request in its place': (_, request) => ({ body: spec({ request }) }),
  'put another request in its place with its approval': (_, request) => ({
    subresource: 'approval',
    body: spec({ request }),
  }),
  'put another request in its place with its status': (_, request) => ({
    subresource: 'status',
    body: spec({ request }),
  }),
  ...OF_PARTS,
  'approve it with itself': () => ({ body: conditions(said('Approved')) }),
  'approve it with its status': () => ({
    subresource: 'status',
    body: conditions({ ...said('Approved'), reason: 'JoinproofTriesAgain' }),
  }),
  'deny it with itself': () => ({ body: conditions(said('Denied')) }),
  'deny it with its status': () => ({ subresource: 'status', body: conditions(said('Denied')) }),
  'decide that it is not approved': () => ({
    subresource: 'approval',
    body: conditions({ ...said('Approved'), status: 'False' }),
  }),
  'leave open whether it is denied': () => ({
    subresource: 'approval',
    body: conditions({ ...said('Denied'), status: 'Unknown' }),
  }),
  'decide that it has not failed': () => ({
    subresource: 'status',
    body: conditions({ ...said('Failed'), status: 'False' }),
  }),
  'note something twice': () => ({
    subresource: 'status',
    body: conditions(said('joinproof.invalid/Noted'), { ...said('joinproof.invalid/Noted'), reason: 'JoinproofAgain' }),
  }),
  'note something of no status': () => ({
    subresource: 'status',
    body: conditions({ ...said('joinproof.invalid/Noted'), status: '' }),
  }),
  'note something that is perhaps so': () => ({
    subresource: 'approval',
    body: conditions({ ...said('joinproof.invalid/Noted'), status: 'Perhaps' }),
  }),
  'note something of no type': () => ({ subresource: 'status', body: conditions(said('')) }),
  'fail it with itself': () => ({ body: conditions(said('Failed')) }),
  'sign it with itself': () => ({ body: another() }),
  'sign it with its approval': () => ({ subresource: 'approval', body: another() }),
  'take its decision back': () => ({ subresource: 'approval', body: conditions() }),
  'take its decision back with its status': () => ({ subresource: 'status', body: conditions() }),
  'reword its decision with its status': (held) => ({
    subresource: 'status',
    body: conditions(
      ...held.map((one) => ({ ...one, reason: 'JoinproofTries', message: said(one.type).message ?? '' })),
    ),
  }),
  'take its failure back': (held) => ({ subresource: 'status', body: conditions(...unless(held, 'Failed')) }),
  'approve it as well': (held) => ({ subresource: 'approval', body: conditions(...held, said('Approved')) }),
  'deny it as well': (held) => ({ subresource: 'approval', body: conditions(...held, said('Denied')) }),
  'approve it instead': () => ({ subresource: 'approval', body: conditions(said('Approved')) }),
  'deny it instead': () => ({ subresource: 'approval', body: conditions(said('Denied')) }),
  'put another certificate in its place': () => ({ subresource: 'status', body: another() }),
  'put a text in the place of its certificate': () => withCertificate('this is no certificate'),
  'put no certificate into its PEM': () => withCertificate(EMPTY_PEM),
  'put a request in the place of its certificate': (_, request) =>
    withCertificate(Buffer.from(request, 'base64').toString()),
  'put a header into its PEM': () => {
    const { certificate } = strangersPair(`${NODE_USER_PREFIX}jp-another`, [GROUP_NODES]);
    return withCertificate(certificate.replace('CERTIFICATE-----\n', 'CERTIFICATE-----\nJoinproof: yes\n\n'));
  },
  'put a certificate of another label in its place': () => {
    const { certificate } = strangersPair(`${NODE_USER_PREFIX}jp-another`, [GROUP_NODES]);
    return withCertificate(certificate.replaceAll(/(BEGIN|END) CERTIFICATE/g, '$1 TRUSTED CERTIFICATE'));
  },
  'put a key beside its certificate': () => {
    const { certificate, key } = strangersPair(`${NODE_USER_PREFIX}jp-another`, [GROUP_NODES]);
    return withCertificate(`${certificate}${key}`);
  },
  'take its certificate away': () => ({ subresource: 'status', body: { status: { certificate: null } } }),
};

/** undefined where nobody knows what is tried. */
export const attemptOf = (
  what: string,
  before: CertificateSigningRequest | undefined,
  other: CertificateSigningRequest,
): Attempt | undefined => ATTEMPTS[what]?.(before?.status?.conditions ?? [], other.spec.request);
