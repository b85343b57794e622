/** Tokens that tests judge. */
import type { TokenSecret } from '../bootstrap-tokens/token-secrets.js';

/**
 * RFC 3339, so many hours from `now` (milliseconds since the epoch); and a token that is an hour old then, and sound.
 */
export function tokenIn(now: number): {
  readonly at: (hours: number) => string;
  readonly token: (more?: Partial<TokenSecret>) => TokenSecret;
} {
  const at = (hours: number): string => new Date(now + hours * 3_600_000).toISOString();
  const token = (more: Partial<TokenSecret> = {}): TokenSecret => ({
    subject: 'Secret kube-system/bootstrap-token-abcdef',
    name: 'bootstrap-token-abcdef',
    namespace: 'kube-system',
    type: 'bootstrap.kubernetes.io/token',
    created: at(-1),
    id: { characters: 6, odd: [] },
    publicId: 'abcdef',
    namedById: true,
    half: { characters: 16, odd: [] },
    malformed: [],
    written: [],
    usages: ['usage-bootstrap-signing'],
    expiration: at(23),
    groups: '',
    description: 'none',
    ...more,
  });
  return { at, token };
}
