/**
 * Credentials that are written as plain text where others read: users of kubeconfigs, keys of encryption at rest, lines
 * of token files, and certificate keys. What they are is said, never their value.
 * Source: client-go, tools/clientcmd/api/v1/types.go AuthInfo; apiserver, pkg/apis/apiserver/v1 EncryptionConfiguration
 * and pkg/authentication/token/tokenfile; cmd/kubeadm/app/phases/copycerts.
 */
import { record, records, text } from '../../kubernetes/json.js';
import { parseYaml } from '../../kubernetes/yaml.js';

/** What stands for a value that somebody fills in: "<token>", "${TOKEN}", "{{ .Token }}", "__TOKEN__", "REDACTED". */
const LEFT_OPEN = /[$<>{}%*]|__|redact|change-?me|placeholder|example|your/i;
const isGiven = (value: unknown): boolean => text(value) !== '' && !LEFT_OPEN.test(text(value));

/** The users of a text that is a kubeconfig as a whole. */
function usersIn(written: string): readonly string[] {
  if (!/["']?users["']?\s{0,9}:/.test(written) || !/["']?clusters["']?\s{0,9}:/.test(written)) return [];
  let read: unknown;
  try {
    read = parseYaml(written, { maxAliasCount: 10, uniqueKeys: false });
  } catch {
    return [];
  }
  return records(record(read).users).flatMap(({ user }) => {
    const { password, token } = record(user);
    return [
      ...(isGiven(password) ? ['a password of a kubeconfig'] : []),
      // web tokens say of themselves whose they are, and until when
      ...(isGiven(token) && !text(token).startsWith('eyJ') ? ['a token of a kubeconfig'] : []),
    ];
  });
}

const AT_REST = /secret["']?:\s{0,9}["']?([A-Za-z0-9+/]{21,88}={0,2})(?![A-Za-z0-9+/=])/;
/** Keys of AES and of secretbox, in bytes. */
const LENGTHS = [16, 24, 32];

function atRestIn(written: string): readonly string[] {
  if (!/["']?kind["']?\s{0,9}:\s{0,9}["']?EncryptionConfig/.test(written)) return [];
  const [, key = ''] = AT_REST.exec(written) ?? [];
  return LENGTHS.includes(Buffer.from(key, 'base64').length) ? ['a key that encrypts at rest'] : [];
}

/** token,user,uid,"groups" */
const LINE =
  /^[^\s,"#]{8,200},[^\s,"]{1,200},[^\s,"]{0,100},"?[\w:.,-]{0,200}system:(?:masters|nodes|bootstrappers)(?![\w-])/m;
const linesIn = (written: string): readonly string[] => {
  const [line] = (written.includes(',') && LINE.exec(written)) || [];
  return line === undefined || LEFT_OPEN.test(line.split(',')[0] ?? '') ? [] : ['a line of a token file'];
};

const CERTIFICATE_KEY = /certificate[-_.]?key$/i;
/** In a configuration or a command: "certificateKey: …", "--certificate-key …", "CERTIFICATE_KEY=…". */
const KEY_TOLD = /certificate[-_.]?key["']?(?:\s{0,9}[:=]\s{0,9}|\s{1,9})["']?[\da-f]{64}(?![\da-f])/i;

/** `path`: "data.config". */
export const credentialsWrittenIn = (path: string, written: string): readonly string[] => [
  ...new Set([
    ...usersIn(written),
    ...atRestIn(written),
    ...linesIn(written),
    ...((CERTIFICATE_KEY.test(path) && /^[0-9a-f]{64}\s{0,2}$/i.test(written)) || KEY_TOLD.test(written)
      ? ['a certificate key of kubeadm']
      : []),
  ]),
];
