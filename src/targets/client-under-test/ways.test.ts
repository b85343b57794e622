import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Approach } from '../../liars/approach.js';
import type { Lie } from '../../liars/lie.js';
import type { ClientDescription } from './description.js';
import { lackOf, wayOf } from './ways.js';

const TOKEN = 'abcdef.0123456789abcdef';
interface Told {
  readonly pins?: readonly string[];
  readonly token?: string | undefined;
  readonly tls?: string;
  readonly file?: string;
  readonly unsafe?: boolean;
  readonly timeout?: number;
  readonly key?: string;
  readonly present?: readonly string[];
  readonly byFlags?: boolean;
}
const approach = ({
  pins = [],
  token,
  tls,
  file,
  unsafe,
  timeout = 60_000,
  key,
  present = [],
  byFlags = false,
}: Told) =>
  ({
    byFlags,
    discovery: {
      ...(token === undefined
        ? {}
        : {
            bootstrapToken: {
              token,
              caCertHashes: pins,
              ...(unsafe === undefined ? {} : { unsafeSkipCAVerification: unsafe }),
            },
          }),
      ...(file === undefined ? {} : { file: { kubeConfigPath: file } }),
      ...(tls === undefined ? {} : { tlsBootstrapToken: tls }),
    },
    discoveryTimeout: timeout,
    ...(key === undefined ? {} : { controlPlane: { certificateKey: key } }),
    present: Object.fromEntries(present.map((path) => [path, 'text'])),
  }) as unknown as Approach;
const lie = (more: object = {}): Lie => ({ name: 'a', ...more }) as unknown as Lie;
const described = (ways: object, more: object = {}): ClientDescription =>
  ({ name: 'a', ways, files: {}, environment: {}, ...more }) as unknown as ClientDescription;

describe('the way in which a client is told', () => {
  const rows: readonly (readonly [string, object | undefined, Told, object])[] = [
    ['configuration', undefined, { token: TOKEN }, { configuration: ['p'] }],
    ['token', undefined, { token: TOKEN, byFlags: true }, { configuration: ['p'] }],
    ['none', { ways: 'none' }, { token: TOKEN, key: 'k' }, {}],
    ['configuration', { ways: 'both' }, { token: TOKEN, file: '/a' }, {}],
    ['control-plane', undefined, { token: TOKEN, key: 'k' }, {}],
    ['control-plane', undefined, { token: TOKEN, unsafe: false, key: 'k' }, {}],
    ['control-plane-unsafe', undefined, { token: TOKEN, unsafe: true, key: 'k' }, {}],
    ['control-plane-file', undefined, { file: '/a', key: 'k' }, {}],
    ['control-plane-url', undefined, { file: 'https://a', key: 'k' }, {}],
    ['url', undefined, { file: 'https://a' }, {}],
    ['url', undefined, { file: 'http://a' }, {}],
    ['file', undefined, { file: '/https://a' }, {}],
    ['token-unsafe', undefined, { token: TOKEN, unsafe: true }, {}],
    ['token', undefined, { token: TOKEN, unsafe: false }, {}],
    ['token', undefined, {}, {}],
  ];
  for (const [way, told, shown, ways] of rows)
    it(`is ${way} of ${JSON.stringify({ told, shown, ways })}`, () =>
      assert.equal(
        wayOf(lie(told === undefined ? {} : { told }), approach(shown), ways as ClientDescription['ways']),
        way,
      ));
});

describe('what a way does not take', () => {
  const pin = '{ca-hash}';
  const rows: readonly (readonly [string | undefined, Told, readonly (string | readonly string[])[]])[] = [
    [undefined, { token: TOKEN }, ['p']],
    ['its way "token" takes no {ca-hash}', { token: TOKEN, pins: ['a'] }, ['p', '{token}']],
    [undefined, { token: TOKEN, pins: ['a'] }, ['p', pin]],
    [undefined, { token: TOKEN, pins: ['a'] }, ['p', ['--pin', pin]]],
    [
      'its way "token" takes one {ca-hash} only',
      { token: TOKEN, pins: ['a', 'b'] },
      ['p', pin, ['--token', '{token}']],
    ],
    [undefined, { token: TOKEN, pins: ['a', 'b'] }, ['p', ['--pin', pin], '{token}']],
    ['its way "token" takes no {tls-token}', { token: TOKEN, tls: 'b' }, ['p', '{token}']],
    [undefined, { token: TOKEN, tls: TOKEN }, ['p', '{token}']],
    [undefined, { token: TOKEN, tls: 'b' }, ['p', '{tls-token}']],
    [undefined, { token: TOKEN, tls: 'b' }, ['p', ['{other-tls-token}']]],
    ['its way "file" cannot do without {token}', { file: '/a' }, ['p', '{token}']],
    ['its way "file" cannot do without {tls-token}', { file: '/a', tls: '' }, ['p', 'a={tls-token}', ['{token}']]],
    [undefined, { file: '/a' }, ['p', ['--token', '{token}'], ['{tls-token}']]],
    [undefined, { file: '/a', tls: 'b' }, ['p', '{token}']],
    [
      'its way "control-plane" cannot do without {certificate-key}',
      { token: TOKEN, key: '' },
      ['p', '{certificate-key}'],
    ],
    [undefined, { token: TOKEN, key: '' }, ['p', ['{certificate-key}']]],
    [undefined, { token: TOKEN, key: 'k' }, ['p', '{certificate-key}']],
    ['its way "token" takes no {timeout}', { token: TOKEN, timeout: 6_999 }, ['p']],
    [undefined, { token: TOKEN, timeout: 7_000 }, ['p']],
    [undefined, { token: TOKEN, timeout: 1 }, ['p', '{timeout}']],
  ];
  for (const [lack, told, command] of rows)
    it(`${lack ?? 'is nothing'}: ${JSON.stringify({ told, command })}`, () => {
      const shown = approach(told);
      const way = wayOf(lie(), shown, {});
      assert.equal(lackOf(lie(), shown, described({ [way]: command })), lack);
    });

  it('may be taken from the environment', () => {
    const description = described({ token: ['p'] }, { environment: { PIN: pin, AFTER: '{timeout}' } });
    assert.equal(lackOf(lie(), approach({ token: TOKEN, pins: ['a'], timeout: 1 }), description), undefined);
  });
});

describe('what a client is not told of', () => {
  const rows: readonly (readonly [string | undefined, object, Told, object])[] = [
    ['the client does not speak as kubeadm does', { ofKubeadm: true }, {}, {}],
    [undefined, { ofKubeadm: true }, {}, { speaks: 'kubeadm' }],
    ['kubeadm does what is right there since 1.31', { since: 31 }, {}, { minor: 30 }],
    [undefined, { since: 31 }, {}, { minor: 31 }],
    [undefined, { since: 31 }, {}, {}],
    [
      'up to 1.35 the preflight checks of a control plane need a container runtime',
      { byPreflight: true },
      { key: 'a' },
      { minor: 35 },
    ],
    [undefined, { byPreflight: true }, { key: 'a' }, { minor: 36, ways: { configuration: ['p'] } }],
    [undefined, { byPreflight: true }, {}, { minor: 35 }],
    ['its description names no kubeconfig below {root}', { about: 'kubeconfig' }, {}, { files: { ca: 'a' } }],
    [undefined, { about: 'kubeconfig' }, {}, { files: { kubeconfig: 'a' } }],
    ['it is only played', { onlyPlayed: 'it is only played' }, {}, {}],
    ['its way "token" takes no {stays}', { told: { kubeletGoesOn: 1 } }, {}, {}],
    [
      'its way "configuration" takes no {stays}',
      { told: { kubeletGoesOn: 1 } },
      {},
      { ways: { configuration: ['p', '{configuration}'] } },
    ],
    [undefined, { told: { kubeletGoesOn: 1 } }, {}, { ways: { token: ['p', ['--stays', '{stays}']] } }],
    ['its way "token" takes no {node-name}', { told: { registration: { name: 'a.b' } } }, {}, {}],
    [undefined, { told: { registration: { name: 'a.b' } } }, {}, { ways: { token: ['p', '{node-name}'] } }],
    [undefined, { told: { registration: { name: 'a.b' } } }, {}, { environment: { NAME: '{node-name}' } }],
    [undefined, { told: { registration: { name: 'a.b' } } }, {}, { ways: { configuration: ['p'] } }],
    ['its description does not say how it says more', { told: { isVerbose: true } }, {}, {}],
    [undefined, { told: { isVerbose: true } }, {}, { minor: 36 }],
    ['its description has no way "none"', { told: { ways: 'none' } }, {}, {}],
    [
      'its description does not say where it has /etc/kubernetes/pki/ca.crt',
      {},
      { present: ['/etc/kubernetes/kubelet.conf', '/etc/kubernetes/pki/ca.crt'] },
      { files: { kubeconfig: 'a' } },
    ],
    [
      'its description does not say where it has /etc/kubernetes/pki/ca.crt',
      { told: { closed: '/etc/kubernetes/pki/ca.crt' } },
      {},
      { files: { kubeconfig: 'a' } },
    ],
    ...['patches', 'dryRun', 'kubelet'].map(
      (name) => ['its description has no way "configuration"', { told: { [name]: 'a' } }, {}, {}] as const,
    ),
    [undefined, { told: { patches: 'a' } }, {}, { ways: { configuration: ['p'] } }],
  ];
  for (const [lack, server, shown, more] of rows)
    it(`${lack ?? 'is nothing'}: ${JSON.stringify({ server, shown, more })}`, () =>
      assert.equal(lackOf(lie(server), approach({ token: TOKEN, ...shown }), described({ token: ['p'] }, more)), lack));
});
