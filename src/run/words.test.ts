/**
 * What words of features stand for, where it is sent and not seen again: src/run/recorded has it. Whoever shows one
 * expired certificate for another hears the same refusal. `node dist/src/run/words.test.js --write` writes it anew.
 */
import { verify } from 'node:crypto';
import { testRecorded } from '../report/recorded.testing.js';
import { prepareSteps } from './execute.js';
import { newKeyOf, pemOfKey, pemOfPublicKey } from './making.js';
import type { OwnAuthority } from './own-authority.js';
import { packageFile } from './package-root.js';
import { boundToken, type Signing, secretToken, WRONG, WRONG_IN_SECRETS } from './signed-tokens.js';

// cucumber loads what defines sentences; what is imported then is the same
await prepareSteps();
const { CREDENTIALS } = await import('../../steps/authenticators/presented.js');
const { CERTIFICATES } = await import('../../steps/authenticators/presented-certificates.js');
const { SETS } = await import('../../steps/authenticators/flag-sets.js');
const { NAMES } = await import('../../steps/authenticators/in-others-names.js');
const { NEARLY } = await import('../../steps/authenticators/service-accounts.js');
const tokenRequests = await import('../../steps/authenticators/token-requests.js');
const { BAD } = await import('../../steps/authenticators/token-reviews.js');
const byVerb = await import('../../steps/authorization/by-verb.js');
const { SIDE_DOORS } = await import('../../steps/bootstrap-tokens/presented-tokens.js');
const { FIXED, ODD } = await import('../../steps/bootstrap-tokens/stored.js');
const { ATTEMPTS } = await import('../../steps/common/csr-attempts.js');
const { FORMS, SHAPES } = await import('../../steps/common/csr-shapes.js');
const { CHANGES } = await import('../../steps/common/strangers.js');
const { OTHERS } = await import('../../steps/kubelet-certificates/other-names.js');

const keys = {
  rsa: newKeyOf('RSA-2048'),
  p256: newKeyOf('ECDSA-P256'),
  p384: newKeyOf('ECDSA-P384'),
  unknown: newKeyOf('ECDSA-P256'),
};
const NAME = 'jp-name';

/** An authority that says what it would sign. */
const authority = (name: string): OwnAuthority =>
  ({
    pem: name,
    pair: (wanted: object) => ({ certificate: `of ${name}: ${JSON.stringify(wanted)}`, key: 'its key' }),
    below: (wanted: object = {}) => authority(`a CA below ${name} ${JSON.stringify(wanted)}`),
    alone: () => authority(`${name}, shown alone`),
  }) as unknown as OwnAuthority;

const made = {
  tokens: { plain: 'plain', grouped: 'grouped', doubled: 'doubled', administrator: 'administrator' },
  passwords: { grace: 'graces', heidi: 'heidis', ivan: 'i:v:', judy: 'judys' },
  clients: authority('clients'),
  namesake: authority('namesake'),
  proxies: authority('proxies'),
  keys,
};
const signing: Signing = {
  key: keys.p256,
  issuer: 'https://issuer.joinproof.example',
  audience: 'joinproof-api',
  account: { namespace: 'default', name: 'account', uid: 'uid' },
  now: 1_800_000_000,
};
const sound = { name: 'sound', token: secretToken(signing, 'sound') };
const marked = { name: 'marked', token: secretToken(signing, 'marked') };
/** Nothing is asked of a cluster: what asks says so. */
const ground = { made, signing, secrets: { sound, marked }, account: signing.account } as unknown as Parameters<
  (typeof CREDENTIALS)[string]
>[0];

const names: readonly (readonly [string, string])[] = Object.entries(keys).flatMap(([name, key]) => [
  [pemOfKey(key), `(the private key ${name})`],
  [pemOfPublicKey(key), `(the public key ${name})`],
]);

/** A signed token by what it says, and whose key it is of. */
function readable(text: string): string {
  const [, head = '', claims = '', signature = ''] = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(text) ?? [];
  if (!head.startsWith('ey')) return text.length > 400 ? '(long)' : text;
  const said = [head, claims].map((part) => Buffer.from(part, 'base64url').toString('utf8'));
  const [name = 'nobody'] =
    Object.entries(keys).find(([, key]) =>
      verify(
        key === keys.p384 ? 'sha384' : 'sha256',
        Buffer.from(`${head}.${claims}`),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      ),
    ) ?? [];
  return `signed by ${name}: ${said.join(' ').replace(/"(kid|jti)":"[\w-]{20,}"/g, '"$1":"(its own)"')}`;
}
const plain = (text: string): string => readable(names.reduce((all, [from, to]) => all.replaceAll(from, to), text));

async function told(what: () => unknown): Promise<string> {
  try {
    const value = await what();
    return JSON.stringify(value, (_, held: unknown) =>
      held === undefined ? '(undefined)' : typeof held === 'string' ? plain(held) : held,
    );
  } catch {
    return 'made by asking';
  }
}

const thing = (name: string) => ({ apiVersion: 'v1', kind: name, name: `${name}-name`, uid: `${name}-uid` });
const things = {
  pod: thing('Pod'),
  podOfAnother: { ...thing('Pod'), name: 'another', uid: 'another-uid' },
  secret: thing('Secret'),
  secretElsewhere: thing('Secret'),
  configMap: thing('ConfigMap'),
  node: thing('Node'),
  own: ['https://joinproof.example'],
};
const somebody = { user: 'u', group: 'g', secondGroup: 'h', uid: 'i', value: 'v', secondValue: 'w', account: 'a' };
const token = {
  label: 'a token',
  id: 'abcdef',
  half: '0123456789abcdef',
  token: 'abcdef.0123456789abcdef',
  tokens: [],
  name: 'bootstrap-token-abcdef',
  namespace: 'kube-system',
  until: 0,
};
const calls = <A extends readonly unknown[]>(table: Readonly<Record<string, (...given: A) => unknown>>, ...given: A) =>
  Object.entries(table).map(([word, what]) => [word, () => what(...given)] as const);
const values = (table: Readonly<Record<string, unknown>>) =>
  Object.entries(table).map(([word, value]) => [word, () => value] as const);

const TABLES: Readonly<Record<string, readonly (readonly [string, () => unknown])[]>> = {
  'credentials.txt': [
    ...calls(CREDENTIALS, ground),
    ...calls(CERTIFICATES, made),
    ...Object.entries(WRONG).map(([word, what]) => [word, () => boundToken(signing, what(signing))] as const),
    ...values(WRONG_IN_SECRETS),
  ],
  'servers.txt': calls(SETS, made, 36),
  'names.txt': [...calls(NAMES, somebody), ...calls(NEARLY, NAME), ...calls(OTHERS, NAME, 'random')],
  'requests.txt': [
    ...calls(tokenRequests.REQUESTS, things),
    ...calls(BAD, token),
    ...calls(byVerb.REQUESTS, NAME),
    ...calls(SIDE_DOORS, token.token),
    ...calls(FIXED, NAME),
    ...calls(ODD, NAME),
    ...values(CHANGES),
  ],
  'certificate-requests.txt': [
    ...calls(ATTEMPTS, [], 'another'),
    ...calls(SHAPES, NAME),
    ...calls(FORMS, '-----BEGIN A-----\nAA==\n-----END A-----\n'),
  ],
};

const texts = new Map<string, string>();
for (const [file, words] of Object.entries(TABLES)) {
  const lines: string[] = [];
  for (const [word, what] of words) lines.push(`${word}\n  ${await told(what)}\n`);
  texts.set(file, lines.join(''));
}
testRecorded('what words of features stand for', packageFile('src/run/recorded'), texts);
