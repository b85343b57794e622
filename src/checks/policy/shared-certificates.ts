/**
 * The Secret kubeadm-certs, in which control planes share their certificates and keys.
 * Source: cmd/kubeadm/app/phases/copycerts/copycerts.go.
 */
import { TOKEN_SECRET_PREFIX } from '../../kubernetes/names.js';
import type { Secret } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import type { TokenSecret } from '../bootstrap-tokens/token-secrets.js';
import { openedWith } from '../common/encrypted.js';
import { HOUR, SLACK, span, timeOf } from './token-policy.js';

/** The Secret kubeadm-certs, as far as it is judged. */
export interface SharedCertificates {
  /** RFC 3339; '' where it is not there. */
  readonly created: string;
  /** Names of its owners. */
  readonly owners: readonly string[];
  /** Keys of what anybody can read who reads the Secret. */
  readonly plain?: readonly string[];
  /** Keys of what is encrypted with a certificate key that everybody knows. */
  readonly opened?: readonly string[];
  /** Keys of what kubeadm looks for in it, and does not find. */
  readonly missing?: readonly string[];
}

const CERTIFICATES = 'Secret kube-system/kubeadm-certs';

const OF_ALL = ['ca.crt', 'ca.key', 'front-proxy-ca.crt', 'front-proxy-ca.key', 'sa.key', 'sa.pub'];
const OF_ETCD = ['etcd-ca.crt', 'etcd-ca.key'];
const OF_ANOTHER_ETCD = ['external-etcd-ca.crt', 'external-etcd.crt', 'external-etcd.key'];

/** What is not on the disk of who uploads it has an empty value, and its key. Whose etcd it is shows what there is of it. */
const missingIn = (keys: readonly string[]): readonly string[] => [
  ...OF_ALL.filter((key) => !keys.includes(key)),
  ...(keys.some((key) => key.startsWith('external-etcd')) ? OF_ANOTHER_ETCD : OF_ETCD).filter(
    (key) => !keys.includes(key),
  ),
];

/** Printed in documentation, or typed by who needs one at once. Source: kubernetes.io, kubeadm init and highly available clusters. */
const KNOWN_KEYS: readonly string[] = [
  'f8902e114ef118304e561c3ecd4d0b543adc226b7a07f675f56564185ffe0c07',
  ...['0123456789abcdef', 'fedcba9876543210', '1234567890abcdef', '1234567890123456', 'deadbeefdeadbeef'],
  ...[...'0123456789abcdef'].map((digit) => digit.repeat(16)),
].map((key) => key.repeat(64 / key.length));
/** Whether it holds something, and one of them makes that of it. */
const isOpen = (value: string): boolean => {
  const written = Buffer.from(value, 'base64');
  return KNOWN_KEYS.some((key) => (openedWith(written, key) ?? '') !== '');
};

/** Reader. */
export const readSharedCertificates = (secret: Secret | undefined): SharedCertificates => ({
  created: secret?.metadata.creationTimestamp ?? '',
  owners: (secret?.metadata.ownerReferences ?? []).map(({ name }) => name),
  plain: Object.entries(secret?.data ?? {})
    .filter(([, value]) => Buffer.from(value, 'base64').includes('-----BEGIN '))
    .map(([key]) => key),
  opened: Object.entries(secret?.data ?? {})
    .filter(([, value]) => isOpen(value))
    .map(([key]) => key),
  missing: missingIn(Object.keys(secret?.data ?? {})),
});

export const certificatesGone: Check<SharedCertificates, { readonly hours: number; readonly now: number }> = {
  id: 'shared-certificates/gone',
  source: 'kubeadm init, --upload-certs: the Secret and its key end after two hours',
  judge: ({ created }, { hours, now }) => {
    const from = timeOf(created);
    const age = now - (from ?? now);
    return [
      refusal({
        subject: CERTIFICATES,
        demanded: `is gone ${hours} hours after it was made`,
        seen: from === undefined ? 'it is not there' : `it was made ${span(Math.max(0, age))} ago`,
        ok: age <= hours * HOUR + SLACK,
      }),
    ];
  },
};

/** kubeadm encrypts each value with the certificate key, and has the token of the upload take them away. */
export const certificatesGuarded: Check<SharedCertificates> = {
  id: 'shared-certificates/guarded',
  source: 'cmd/kubeadm/app/phases/copycerts/copycerts.go UploadCerts',
  nothing: 'kubeadm-certs is not there',
  judge: ({ created, owners, plain = [], opened = [] }) =>
    created === ''
      ? []
      : [
          ...(opened.length === 0
            ? []
            : [
                demand({
                  subject: CERTIFICATES,
                  demanded: 'holds nothing that is not encrypted',
                  seen: `with a certificate key that everybody knows: ${opened.join(', ')}`,
                  ok: false,
                }),
              ]),
          demand({
            subject: CERTIFICATES,
            demanded: 'holds nothing that is not encrypted',
            seen: plain.length === 0 ? 'all of it is' : `in clear: ${plain.join(', ')}`,
            ok: plain.length === 0,
          }),
          demand({
            subject: CERTIFICATES,
            demanded: 'belongs to a token that ends',
            seen: owners.join(', ') || 'it belongs to nothing, and stays',
            ok: owners.some((owner) => owner.startsWith(TOKEN_SECRET_PREFIX)),
          }),
        ],
};

/** A control plane that joins looks for each of them, and gives up at the first that is missing. */
export const certificatesWhole: Check<SharedCertificates> = {
  id: 'shared-certificates/whole',
  source: 'cmd/kubeadm/app/phases/copycerts/copycerts.go certsToTransfer, DownloadCerts',
  nothing: 'kubeadm-certs is not there',
  judge: ({ created, missing = [] }) =>
    created === ''
      ? []
      : [
          demand({
            subject: CERTIFICATES,
            demanded: 'holds all that a control plane that joins looks for',
            seen: missing.length === 0 ? 'it does' : `without ${missing.join(', ')}`,
            ok: missing.length === 0,
          }),
        ],
};

interface Proxies {
  readonly tokens: readonly TokenSecret[];
  readonly certificates: SharedCertificates;
}

/** Each re-upload leaves the token of the one before. Each is a clock, and no credential. */
export const certificatesOwned: Check<Proxies, { readonly now: number }> = {
  id: 'shared-certificates/owned',
  source: 'cmd/kubeadm/app/phases/copycerts/copycerts.go',
  judge: ({ tokens, certificates }, { now }) => {
    const live = tokens.filter(
      ({ description, expiration }) =>
        description === 'certificates' && (timeOf(expiration) ?? Number.POSITIVE_INFINITY) > now,
    );
    const demanded = 'owns kubeadm-certs, of which it keeps the time';
    if (live.length === 0)
      return [refusal({ subject: 'tokens of former uploads', demanded: 'are gone', seen: 'there is none', ok: true })];
    return live.flatMap(({ subject, name, usages, groups }) => {
      const ok = certificates.owners.includes(name);
      const uses = [...usages, ...(groups === '' ? [] : [groups])];
      return [
        demand({ subject, demanded, seen: ok ? 'it does' : 'it is left of a former upload', ok }),
        demand({
          subject,
          demanded: 'is good for nothing else: it has neither usages nor groups',
          seen: uses.join(', ') || 'it has none',
          ok: uses.length === 0,
        }),
      ];
    });
  },
};
