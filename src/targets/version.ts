/** Reads what GET /version says. */
import { UnreadableVersion } from './errors.js';
import type { Answer, Facts, ServerVersion } from './types.js';

/**
 * "v1.33.4+k3s1", "v1.30.1-gke.100", "v1.36.0-alpha.1"; where gitVersion shows no minor, the field `minor` ("30+") of
 * major 1.
 * Throws UnreadableVersion.
 */
export function readVersion(body: unknown): ServerVersion {
  const fields = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  const { gitVersion, major, minor } = fields;
  const text = typeof gitVersion === 'string' ? gitVersion : '';
  const match = /^v?1\.(\d{1,4})(?:\.(\d{1,5}))?(?![\d.])/.exec(text);
  if (match?.[1] !== undefined) {
    return {
      gitVersion: text,
      minor: Number(match[1]),
      ...(match[2] === undefined ? {} : { patch: Number(match[2]) }),
    };
  }
  const plain =
    typeof minor === 'string' && (major === undefined || major === '1' || major === '')
      ? /^(\d{1,4})\+?$/.exec(minor)?.[1]
      : undefined;
  if (plain !== undefined) return { gitVersion: text === '' ? `v1.${plain}` : text, minor: Number(plain) };
  const seen = text === '' ? 'no gitVersion' : `gitVersion ${JSON.stringify(text.slice(0, 80))}`;
  throw new UnreadableVersion(`GET /version shows ${seen}, from which no minor release of Kubernetes 1 can be read.`);
}

/** What an answer to GET /version says; why it shows no release where it does not. */
export function versionIn(answer: Pick<Answer, 'status' | 'body'>): Facts['version'] {
  try {
    return readVersion(answer.status === 200 ? answer.body : undefined);
  } catch (error) {
    if (error instanceof UnreadableVersion) return { unreadable: error.message };
    throw error;
  }
}
