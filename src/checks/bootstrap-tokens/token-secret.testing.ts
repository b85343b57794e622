/** For tests of checks: a bootstrap token Secret as the API server shows it. */
import type { Secret } from '../../kubernetes/objects.js';

export const base64 = (text: string, encoding: BufferEncoding = 'utf8'): string =>
  Buffer.from(text, encoding).toString('base64');

const GOOD: Readonly<Record<string, string>> = {
  'token-id': 'c8ad9c',
  'token-secret': '2e4d610cf3e7426f',
  expiration: '2027-03-10T03:22:11Z',
  'usage-bootstrap-authentication': 'true',
  'usage-bootstrap-signing': 'true',
  'auth-extra-groups': 'system:bootstrappers:kubeadm:default-node-token',
};
export const GOOD_HALF = '2e4d610cf3e7426f';

/** A sound one, but for what is said: `data` plainly (undefined leaves a key out), `raw` as it is stored. */
export function tokenSecret(
  data: Readonly<Record<string, string | undefined>> = {},
  other: Partial<Secret['metadata']> & { type?: string; raw?: Record<string, string> } = {},
): Secret {
  const { type = 'bootstrap.kubernetes.io/token', raw = {}, ...metadata } = other;
  const plain = Object.entries({ ...GOOD, ...data }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, base64(value)] as const],
  );
  return {
    metadata: {
      name: 'bootstrap-token-c8ad9c',
      namespace: 'kube-system',
      creationTimestamp: '2027-03-09T03:22:11Z',
      ...metadata,
    },
    type,
    data: { ...Object.fromEntries(plain), ...raw },
  };
}
