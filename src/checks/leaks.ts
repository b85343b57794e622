/** Does an object that others may read show the secret half of a token? Pure. Source: 001, the parts of a token; 002, upload-config. */
import { TOKEN_KEYS } from '../kubernetes/names.js';
import type { KubeObject, Secret } from '../kubernetes/objects.js';
import { judgeEach, type Verdict } from '../model/evidence.js';
import { decoded, secretName } from './token-secrets.js';

/** The half as it may stand in a text: plain, or inside the base64 of something longer, at each of the three alignments. */
function spellings(half: string): string[] {
  const shifted = [0, 1, 2].map((before) => {
    const text = Buffer.from(' '.repeat(before) + half).toString('base64');
    // the first characters depend on what stands before, the last ones on what follows
    return text.replace(/=+$/, '').slice(before === 0 ? 0 : before + 1, -1);
  });
  return [half, ...shifted];
}

/** Objects by kind, as they were listed. The Secret of the token itself is looked at without its data. */
export function judgeLeaks(secrets: readonly Secret[], objects: readonly KubeObject[]): Verdict {
  const texts = objects.map((object) => ({ name: nameOf(object), text: JSON.stringify(object) + insideOf(object) }));
  return judgeEach(
    secrets.flatMap((secret) => {
      const half = decoded(secret, TOKEN_KEYS.secret);
      // a very short one would be found by chance
      if (half.length < 8) return [];
      const words = spellings(half);
      const { data: _data, ...rest } = secret;
      const own = { name: `the metadata of ${secretName(secret)}`, text: JSON.stringify(rest) };
      const where = [...texts, own]
        .filter(({ text }) => words.some((word) => text.includes(word)))
        .map(({ name }) => name);
      return [
        {
          object: secretName(secret),
          demanded: 'its secret half stands in no object that others read',
          seen:
            where.length === 0
              ? `not in ${objects.length} ConfigMaps, certificate requests, Events and Nodes`
              : `it stands in ${where.join(', ')}`,
          ok: where.length === 0,
        },
      ];
    }),
    'kube-system holds no bootstrap token with a secret half',
  );
}

/** A certificate request wraps what it says: DER in PEM, and that in base64 once more. */
function insideOf(object: KubeObject): string {
  const { request } = (object.spec ?? {}) as { request?: unknown };
  if (typeof request !== 'string') return '';
  const body = Buffer.from(request, 'base64')
    .toString('latin1')
    .replace(/-----[^-]*-----/g, '');
  return Buffer.from(body, 'base64').toString('latin1');
}

const nameOf = ({ kind, metadata }: KubeObject): string =>
  `${kind ?? 'an object'} ${metadata.namespace === undefined ? '' : `${metadata.namespace}/`}${metadata.name ?? ''}`;
