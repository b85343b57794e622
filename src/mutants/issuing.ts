/**
 * Defects of the way from a request to a certificate: what is taken, who approves, which signers there are and what
 * they hold to.
 */

import { SIGNER_APISERVER_CLIENT, SIGNER_KUBELET_CLIENT } from '../kubernetes/names.js';
import { NO_ALT_NAMES } from '../pki/extensions.js';
import { EXTENSION } from '../pki/oids.js';
import { upstream } from '../reference/decisions.js';
import { decides, type Replaced } from './arrange.js';
import { JOINING, plant } from './planted-requests.js';
import type { Mutant } from './types.js';

const nobodysWord = (): string => 'not allowed';

/** A signer that nobody should run, and a controller manager that may sign for it. */
export const foreignSigner: Replaced = {
  builtInSigners: () => [
    ...upstream.builtInSigners(),
    'joinproof.invalid/nobodys-signer',
    `${SIGNER_APISERVER_CLIENT}-joinproof`,
    `${SIGNER_KUBELET_CLIENT}.joinproof`,
    `joinproof.${SIGNER_KUBELET_CLIENT}`,
  ],
  signingNeedsSignerRight: () => false,
};

/** What signers and approvers take and give beyond what upstream does. */
const generous: readonly Mutant[] = [
  decides(
    'approver-takes-everything',
    'every request is approved, whatever it asks for and of whom',
    ['LIM-017', 'LIM-018', 'CSR-036', 'CSR-037', 'P-51'],
    {
      kubeletClientProblem: () => undefined,
      approvalRights: () => ['nodeclient'],
      approvalNeedsSignerRight: () => false,
    },
  ),
  decides('approver-lists-groups', 'one of the groups has to be system:nodes, no more', ['LIM-017'], {
    kubeletClientProblem: (request, usages) =>
      upstream.kubeletClientProblem(
        request.organizations.includes('system:nodes') ? { ...request, organizations: ['system:nodes'] } : request,
        usages,
      ),
  }),
  decides('approver-wants-no-group', 'a name is enough: no group at all is as good as system:nodes', ['LIM-017'], {
    kubeletClientProblem: (request, usages) =>
      upstream.kubeletClientProblem(
        request.organizations.length === 0 ? { ...request, organizations: ['system:nodes'] } : request,
        usages,
      ),
  }),
  decides('approver-reads-no-names', 'alternative names are not looked at', ['P-51'], {
    kubeletClientProblem: (request, usages) =>
      upstream.kubeletClientProblem({ ...request, altNames: NO_ALT_NAMES }, usages),
  }),
  decides('approver-wants-a-usage', 'usages beside client auth are not looked at', ['P-51'], {
    kubeletClientProblem: (request, usages) =>
      upstream.kubeletClientProblem(
        request,
        usages.filter((usage) => usage === 'client auth' || usage === 'digital signature'),
      ),
  }),
  decides('approver-knows-its-words-alone', 'usages that no kubelet has are not looked at', ['P-51'], {
    kubeletClientProblem: (request, usages) =>
      upstream.kubeletClientProblem(
        request,
        usages.filter((usage) => /auth$|^digital|^key e|^any$|^cert/.test(usage)),
      ),
  }),
  decides('approver-needs-no-signature', 'client auth and any one usage beside it are enough', ['P-51'], {
    kubeletClientProblem: (request, usages) =>
      upstream.kubeletClientProblem(
        request,
        usages.length === 2 && usages.includes('client auth') ? ['client auth', 'digital signature'] : usages,
      ),
  }),
  decides('own-name-for-every-name', 'who may renew a certificate of its own name gets one of any name', ['CSR-014'], {
    approvalRights: (spec, commonName, problem) =>
      upstream.approvalRights(spec, commonName, problem).length === 0 ? [] : ['selfnodeclient', 'nodeclient'],
  }),
  decides('somebody-acts-as-the-controller', 'another program approves and signs', ['CSR-025', 'CSR-038'], {
    controllerAgent: () => 'approve-all',
  }),
  decides('signers-take-everything', 'signers sign whatever was approved', ['P-54', 'P-59'], {
    signerRules: () => undefined,
    ...foreignSigner,
  }),
  ...(['signing', 'key agreement'] as const).map((usage) =>
    decides(
      `client-signer-takes-${usage.replace(' ', '-')}`,
      `the signer for API clients signs for ${usage}`,
      ['P-337'],
      {
        clientUsagesProblem: (usages) => upstream.clientUsagesProblem(usages.filter((one) => one !== usage)),
      },
    ),
  ),
  decides('servers-with-rsa-keys-log-in', 'who serves with an RSA key logs in as well', ['P-337'], {
    kubeletServingProblem: (request, usages) =>
      upstream.kubeletServingProblem(
        request,
        usages.includes('key encipherment') ? usages.filter((usage) => usage !== 'client auth') : usages,
      ),
  }),
  decides('client-signer-takes-any-usage', 'the signer for API clients signs for servers and authorities', ['P-59'], {
    clientUsagesProblem: () => undefined,
  }),
  decides(
    'signers-make-authorities',
    'every certificate may sign others, and names the API server',
    ['P-25', 'P-50', 'CSR-022'],
    {
      certificateIsAuthority: () => true,
      certificateUsages: () => ({
        keyUsage: ['digitalSignature', 'keyCertSign', 'contentCommitment'],
        extendedKeyUsage: ['serverAuth', 'codeSigning'],
      }),
      certificateAltNames: () => ({ dns: ['kubernetes.default.svc'], email: [], ip: [], uri: [] }),
    },
  ),
  decides('authority-for-the-asking', 'the signer copies the basic constraints that are asked for', ['P-50'], {
    certificateIsAuthority: ({ extensions }) => extensions.some(({ oid }) => oid === EXTENSION.basicConstraints),
  }),
  {
    ...decides('asked-life-is-ignored', 'every certificate lives as long as the signer likes', ['P-52'], {
      grantedLifetime: () => 876_000 * 3_600_000,
      certificateValidity: (now, lifetime) => ({ notBefore: now, notAfter: now + lifetime }),
    }),
    arrange: (reference) => {
      plant(reference, { name: 'csr-short', expirationSeconds: 3_600, ...JOINING });
    },
  },
  decides('certificates-begin-yesterday', 'certificates are dated back by a day', ['P-52'], {
    certificateValidity: (now, lifetime, caNotAfter) => ({
      ...upstream.certificateValidity(now, lifetime, caNotAfter),
      notBefore: now - 86_400_000,
    }),
  }),
  decides('certificates-of-a-minute', 'whoever asks for some time is given a minute', ['P-52'], {
    grantedLifetime: (requested, longest) => (requested === undefined ? longest : 60_000),
  }),
  decides('certificates-outlive-their-ca', 'certificates are not cut at the end of the CA', ['P-53'], {
    certificateValidity: (now, _lifetime, caNotAfter) => ({ notBefore: now - 300_000, notAfter: caNotAfter + 1_000 }),
  }),
  decides('certificates-have-no-number', 'every certificate has the serial number 0', ['P-60'], {
    certificateSerial: () => Buffer.from([0]),
  }),
  decides('certificates-are-number-one', 'every certificate has the serial number 1', ['P-60'], {
    certificateSerial: () => Buffer.from([1]),
  }),
];

export const mutants: readonly Mutant[] = [
  ...generous,
  decides('approver-sees-nothing', 'the approver takes no request for one that waits', ['CSR-013', 'ROT-005'], {
    awaitsApproval: () => false,
  }),
  decides('approver-asks-for-users-alone', 'the review of the approver leaves out the groups', ['CSR-013', 'ROT-005'], {
    approvalReviewUser: (spec) => ({ ...upstream.approvalReviewUser(spec), groups: [] }),
  }),
  decides('approver-asks-as-itself', 'the review of the approver names an administrator', ['CSR-014', 'ROT-007'], {
    approvalReviewUser: () => ({ username: 'kubernetes-admin', groups: ['system:masters'] }),
  }),
  decides('approvals-through-no-path', 'the condition Approved is refused wherever it comes', ['CSR-013', 'CSR-015'], {
    csrApprovalSetThrough: () => false,
  }),
  decides('signers-without-the-kubelets', 'the signer of kubelet client certificates is not started', ['CSR-016'], {
    builtInSigners: () => upstream.builtInSigners().filter((name) => !name.endsWith('client-kubelet')),
  }),
  decides(
    'serving-requests-are-malformed',
    'the signer of serving certificates takes no request',
    ['SRV-005', 'ROT-011', 'SRV-012'],
    {
      kubeletServingProblem: nobodysWord,
    },
  ),
  decides('serving-usage-unknown', 'the usage server auth is not known', ['SRV-005'], {
    csrUsageKnown: (usage) => usage !== 'server auth' && upstream.csrUsageKnown(usage),
  }),
  decides(
    'serving-signer-refused',
    'requests for serving certificates are refused',
    ['SRV-005', 'SRV-012', 'ROT-011', 'P-66'],
    {
      csrSignerAllowed: (name) => !name.endsWith('kubelet-serving') && upstream.csrSignerAllowed(name),
    },
  ),
  decides('signers-hold-to-one-rule', 'every signer holds requests to the rules of kubelet clients', ['SRV-005'], {
    signerRules: () => 'kubelet-client',
  }),
  decides('approvals-are-not-true', 'an approval with the status True is refused', ['CSR-013', 'CSR-015'], {
    csrConditionStatuses: () => ['False', 'Unknown'],
  }),
  decides('signing-loses-approvals', 'who writes the status takes the approval away', ['CSR-015', 'CSR-016'], {
    csrConditionsThroughStatus: () => [],
  }),
  decides('signers-sign-nothing', 'the signer holds its CA for one that has ended', ['CSR-016', 'P-338'], {
    mayBeSigned: () => false,
  }),
  decides('certificates-cannot-be-set', 'the certificate of a request cannot be written', ['CSR-016'], {
    csrCertificateMayChange: () => false,
  }),
  decides('certificates-are-not-read', 'every certificate in a status is refused as malformed', ['CSR-016'], {
    csrCertificateProblem: (certificate) => (certificate === '' ? undefined : nobodysWord()),
  }),
  decides('signers-know-no-rights', 'no name of a signer gives the right to sign or approve', ['CSR-013', 'CSR-016'], {
    signerRightNames: () => [],
  }),
  decides(
    'century-by-default',
    'the longest lifetime of a certificate is a century',
    ['ROT-009', 'P-53', 'SRV-005', 'P-68'],
    {
      longestLifetime: () => 876_000 * 3_600_000,
      certificateValidity: (now, lifetime) => ({ notBefore: now - 300_000, notAfter: now + lifetime }),
    },
  ),
  decides('rights-on-signers-are-not-asked', 'whoever may write approvals acts for every signer', ['P-55'], {
    approvalNeedsSignerRight: () => false,
    signingNeedsSignerRight: () => false,
  }),
  decides('signing-takes-no-right', 'whoever may write a status signs for every signer', ['P-55'], {
    signingNeedsSignerRight: () => false,
  }),
  decides('status-through-every-path', 'approvals and certificates come with whatever is written', ['P-57'], {
    csrStatusTaken: () => ({ conditions: true, certificate: true }),
    csrApprovalSetThrough: () => true,
    csrConditionsThroughStatus: (conditions) => conditions,
    csrCertificateMayChange: () => true,
  }),
  decides('decisions-reworded', 'whoever writes a status rewrites why a request was approved', ['P-56', 'P-57'], {
    csrConditionsThroughStatus: (conditions) => conditions,
    csrApprovalSetThrough: () => true,
  }),
  decides('requests-come-decided', 'a request can be created with any decision but an approval', ['CSR-011'], {
    csrInitialStatus: (sent) => ({ conditions: (sent?.conditions ?? []).filter(({ type }) => type !== 'Approved') }),
  }),
  decides('conditions-through-the-object', 'a condition comes with whatever is written', ['P-57'], {
    csrStatusTaken: (path) => ({ ...upstream.csrStatusTaken(path), conditions: true }),
  }),
  decides('approvals-that-are-none', 'an approval may be written down as false', ['P-57'], {
    csrConditionStatuses: () => ['False', 'True', 'Unknown'],
  }),
  decides('failures-that-are-none', 'a failure may be written down as false', ['P-57'], {
    csrConditionStatuses: (type) => upstream.csrConditionStatuses(type === 'Failed' ? 'joinproof.invalid/Noted' : type),
  }),
  decides('denials-left-open', 'a denial may be written down as unknown', ['P-57'], {
    csrConditionStatuses: (type) => [...upstream.csrConditionStatuses(type), ...(type === 'Denied' ? ['Unknown'] : [])],
  }),
  decides('conditions-of-no-type', 'a condition of no type may be written down', ['P-57'], {
    csrTolerated: (...all) => ({ ...upstream.csrTolerated(...all), emptyType: true }),
  }),
  decides('failures-can-be-taken-back', 'a failed request is made good again', ['P-56'], {
    csrConditionIsForever: (type) => type !== 'Failed',
  }),
  decides('approver-knows-no-domains', 'a node whose name has a dot is not approved', ['CSR-013'], {
    kubeletClientProblem: (request, usages) =>
      request.commonName.includes('.') ? 'odd name' : upstream.kubeletClientProblem(request, usages),
  }),
  decides('signer-gives-one-name', 'of several names of hosts, and of addresses, the first is signed', ['P-25'], {
    certificateAltNames: (request) => {
      const names = upstream.certificateAltNames(request);
      return { ...names, dns: names.dns.slice(0, 1), ip: names.ip.slice(0, 1) };
    },
  }),
  decides('signs-the-failed', 'a request that has failed is signed once it is approved', ['P-59'], {
    awaitsSigning: (conditions, hasCertificate) =>
      upstream.awaitsSigning(
        conditions.filter(({ type }) => type !== 'Failed'),
        hasCertificate,
      ),
  }),
  decides('serving-for-mailboxes', 'a serving request may name e-mail addresses', ['P-59'], {
    kubeletServingProblem: (request, usages) =>
      upstream.kubeletServingProblem({ ...request, altNames: { ...request.altNames, email: [] } }, usages),
  }),
  decides('serving-in-further-groups', 'a serving request may name further groups', ['P-59'], {
    kubeletServingProblem: (request, usages) =>
      upstream.kubeletServingProblem(
        { ...request, organizations: request.organizations.filter((name) => name === 'system:nodes') },
        usages,
      ),
  }),
  decides('life-of-a-request-from-its-creation', 'the hour of an issued request begins with the request', ['P-58'], {
    csrIsSwept: (csr, now, minor) =>
      csr.hasCertificate ? now - (csr.created ?? now) > 3_600_000 : upstream.csrIsSwept(csr, now, minor),
  }),
  decides('life-of-a-denial-from-its-request', 'the hour of a denied request begins with the request', ['P-58'], {
    csrIsSwept: (csr, now, minor) => {
      const conditions = csr.conditions.map((one) =>
        one.type === 'Denied' ? { ...one, lastUpdate: csr.created } : one,
      );
      return upstream.csrIsSwept({ ...csr, conditions }, now, minor);
    },
  }),
  decides('approved-in-vain-for-an-hour', 'what was approved is gone after an hour, signed or not', ['P-58'], {
    csrIsSwept: (csr, now, minor) => upstream.csrIsSwept({ ...csr, hasCertificate: true }, now, minor),
  }),
  decides('requests-are-gone-at-once', 'the cleaner takes all requests every ten minutes', ['P-58'], {
    csrSweepInterval: () => 600_000,
    csrIsSwept: () => true,
  }),
  decides('requests-are-gone-in-a-moment', 'a cleaner beside the one of Kubernetes takes all requests', ['P-58'], {
    csrSweepInterval: () => 5_000,
    csrIsSwept: () => true,
  }),
  decides('only-waiting-requests-are-cleaned', 'who waits for an hour is gone, and what is over stays', ['P-58'], {
    csrIsSwept: ({ conditions, created = 0 }, now) => conditions.length === 0 && now - created > 3_600_000,
  }),
  decides('requests-wait-for-half-a-day', 'a request that waits is taken away after twelve hours', ['P-58'], {
    csrIsSwept: (csr, now, minor) =>
      upstream.csrIsSwept(csr, csr.conditions.length === 0 ? now + 12 * 3_600_000 : now, minor),
  }),
  decides('requests-wait-for-an-hour-more', 'a request that waits is taken away after twenty-five hours', ['P-58'], {
    csrIsSwept: (csr, now, minor) =>
      upstream.csrIsSwept(csr, csr.conditions.length === 0 ? now - 3_600_000 : now, minor),
  }),
  decides('approved-in-vain-for-an-hour-more', 'what was approved in vain is gone after twenty-five hours', ['P-58'], {
    csrIsSwept: (csr, now, minor) =>
      upstream.csrIsSwept(
        csr,
        csr.hasCertificate || csr.conditions.some(({ type }) => type !== 'Approved') ? now : now - 3_600_000,
        minor,
      ),
  }),
  decides('requests-wait-for-ever', 'a request that waits is never taken away', ['P-58'], {
    csrIsSwept: (csr, now, minor) => csr.conditions.length > 0 && upstream.csrIsSwept(csr, now, minor),
  }),
  decides('cleaner-looks-once', 'the cleaner sets no timer', ['CLEAN-002'], {
    cleanerLooksAgain: () => undefined,
  }),
  decides('node-leases-refused', 'NodeRestriction lets no node renew its Lease', ['NODE-002'], {
    nodeLeaseProblem: nobodysWord,
  }),
  decides('node-restriction-left-out', 'the API server runs without NodeRestriction', ['NODE-006'], {
    admissionPlugins: () => upstream.admissionPlugins().filter((name) => name !== 'NodeRestriction'),
  }),
  decides('only-denials-refuse', 'a request is let through unless it is denied', ['CSR-012', 'LIM-001', 'INFO-018'], {
    isAllowed: (decision) => decision !== 'deny',
  }),
];
