/** Honest servers, and clients that are told something else than usual. */
import type { AnswerForm } from '../../kubernetes/wire.js';
import { refusal } from '../answers.js';
import type { Lie } from '../lie.js';
import { payload, TOKEN } from '../scene.js';

const ENDPOINTS: readonly (readonly [
  name: string,
  server: string,
  endpoint: (host: string) => string,
  right: Lie['right'],
  more?: Pick<Lie, 'ofKubeadm' | 'onlyPlayed'>,
])[] = [
  ['endpoint-no-port', 'honest; the endpoint has no port', (at) => at.replace(/:\d+$/, ''), 'asks nothing'],
  ['endpoint-scheme', 'honest; the endpoint is a URL', (at) => `https://${at}`, 'asks nothing'],
  ['endpoint-path', 'honest below any path; the endpoint has a path', (at) => `${at}/x`, 'joins', { ofKubeadm: true }],
  [
    'endpoint-path-upper',
    'honest below any path; the endpoint has a path with capitals',
    (at) => `${at}/Clusters/Blue`,
    'joins',
    { ofKubeadm: true },
  ],
  ['endpoint-port-0', 'honest; the endpoint has port 0', (at) => at.replace(/\d+$/, '0'), 'gives up'],
  ['endpoint-port-big', 'honest; the endpoint has port 99999', (at) => at.replace(/\d+$/, '99999'), 'gives up'],
  ['endpoint-upper-host', 'honest; the endpoint names LOCALHOST', (at) => at.replace(/^[^:]*/, 'LOCALHOST'), 'joins'],
  ['endpoint-bad-host', 'honest; the endpoint is no host name', (at) => at.replace(/^[^:]*/, 'exa_mple!'), 'gives up'],
  [
    'endpoint-mapped',
    'honest; the endpoint is an IPv4 address written as one of IPv6',
    (at) => at.replace(/^[^:]*/, '[::ffff:127.0.0.1]'),
    'joins',
    { ofKubeadm: true, onlyPlayed: 'kubeadm looks first at whether its machine passes packets of IPv6 on' },
  ],
  ['endpoint-empty', 'honest; the endpoint is empty', () => '', 'asks nothing'],
  [
    'endpoint-no-dns',
    'honest; the endpoint has a name that nobody knows',
    (at) => at.replace(/^[^:]*/, 'no-such-host.invalid'),
    'gives up',
  ],
];

/** Answers as HTTP may carry them. */
const FORMS: readonly (readonly [form: AnswerForm, name: string, server: string])[] = [
  ['chunked', 'answers-chunked', 'each answer comes in chunks'],
  ['until closed', 'answers-until-closed', 'each answer has no length, and ends with its connection'],
  ['in pieces', 'answers-in-pieces', 'each answer comes in two parts'],
  ['after a hint', 'answers-after-hints', 'each answer comes after one of 102'],
];

const TOKENS: readonly (readonly [name: string, server: string, token: string])[] = [
  ['token-foo.bar', 'honest; the token is foo.bar', 'foo.bar'],
  ['token-upper-case', 'honest; the token is in upper case', TOKEN.toUpperCase()],
  ['token-short', 'honest; the token lacks its last letter', TOKEN.slice(0, -1)],
  ['token-long', 'honest; the token has a letter too many', `${TOKEN}0`],
  ['token-no-dot', 'honest; the token lacks its dot', TOKEN.replace('.', '')],
  ['token-dash', 'honest; a dash for the dot of the token', TOKEN.replace('.', '-')],
  ['token-space', 'honest; a blank before the token', ` ${TOKEN}`],
  ['token-space-after', 'honest; a blank after the token', `${TOKEN} `],
  ['token-quoted', 'honest; the token stands in quotes', `"${TOKEN}"`],
  ['token-empty', 'honest; the token is empty', ''],
];

export const honestLies: readonly Lie[] = [
  { name: 'ok-pin', server: 'honest; right pin', right: 'joins' },
  ...FORMS.map(([form, name, server]): Lie => ({ name, server: `honest; ${server}`, right: 'joins', form })),
  { name: 'ok-unsafe', server: 'honest; pins renounced', right: 'joins', told: { pins: () => [], skipsPins: true } },
  {
    name: 'ok-pin-and-unsafe',
    server: 'honest; right pin, and pins renounced',
    right: 'joins',
    told: { skipsPins: true },
  },
  {
    name: 'wrong-pin-and-unsafe',
    server: 'honest; wrong pin, and pins renounced',
    right: 'refuses',
    told: { pins: (pinOf) => [pinOf('other ca')], skipsPins: true },
  },
  ...ENDPOINTS.map(
    ([name, server, endpoint, right, more]): Lie => ({
      name,
      server,
      right,
      told: { endpoint: (scene) => endpoint(scene.endpoint) },
      ...more,
    }),
  ),
  ...TOKENS.map(([name, server, token]): Lie => ({ name, server, right: 'asks nothing', told: { token } })),
  {
    name: 'token-other-secret',
    server: 'honest; the client has another secret for the id',
    right: 'refuses',
    told: { token: 'abcdef.fedcba9876543210' },
  },
  {
    name: 'token-tls-other',
    server: 'honest; another token for TLS bootstrap',
    right: 'joins',
    told: { tlsToken: 'zzzzzz.zzzzzzzzzzzzzzzz' },
  },
  {
    name: 'token-tls-refused',
    server: 'another token for TLS bootstrap, which does not log in',
    right: 'fails later',
    told: { tlsToken: 'zzzzzz.zzzzzzzzzzzzzzzz' },
    answer: ({ authorization }) =>
      authorization === undefined ? undefined : refusal(401, 'Unauthorized', 'Unauthorized'),
  },
  {
    name: 'token-tls-bad',
    server: 'honest; the token for TLS bootstrap is foo.bar',
    right: 'asks nothing',
    // others may send any token to the API server, which knows its forms
    ofKubeadm: true,
    told: { tlsToken: 'foo.bar' },
  },
  {
    name: 'token-tls-missing',
    server: 'honest; no token for TLS bootstrap',
    right: 'joins',
    ofKubeadm: true,
    told: { tlsToken: '' },
  },
  {
    name: 'ok-verbose',
    server: 'honest; the client is told to say more',
    right: 'joins',
    ofKubeadm: true,
    told: { isVerbose: true },
  },
  {
    name: 'cp-verbose',
    server: 'honest; a control plane is told to say more',
    right: 'joins',
    ofKubeadm: true,
    told: { isVerbose: true, certificateKey: 'right' },
  },
  {
    name: 'no-jws-verbose',
    server: 'no signature for the token; the client is told to say more',
    right: 'gives up',
    ofKubeadm: true,
    told: { isVerbose: true, token: 'zzzzzz.0123456789abcdef', discoveryTimeout: 2000 },
  },
  { name: 'discovery-none', server: 'honest; no way of discovery', right: 'asks nothing', told: { ways: 'none' } },
  {
    name: 'discovery-both',
    server: 'honest; two ways of discovery',
    right: 'asks nothing',
    told: { ways: 'both', file: (scene) => payload(scene) },
  },
  { name: 'cli-ok', server: 'honest; flags instead of a configuration', right: 'joins', told: { byFlags: true } },
  {
    name: 'cli-tls-other',
    server: 'honest; flags, another token for TLS bootstrap',
    right: 'joins',
    told: { byFlags: true, tlsToken: 'zzzzzz.zzzzzzzzzzzzzzzz' },
  },
  {
    name: 'cli-no-pin',
    server: 'honest; flags without a pin',
    right: 'asks nothing',
    told: { byFlags: true, pins: () => [] },
  },
  {
    name: 'cli-unsafe',
    server: 'honest; flags, pins renounced',
    right: 'joins',
    told: { byFlags: true, pins: () => [], skipsPins: true },
  },
  {
    name: 'cli-bad-token',
    server: 'honest; flags, the token is foo.bar',
    right: 'asks nothing',
    told: { byFlags: true, token: 'foo.bar' },
  },
  {
    name: 'cli-no-token',
    server: 'honest; flags, no token',
    right: 'asks nothing',
    told: { byFlags: true, token: '' },
  },
  {
    name: 'cli-no-endpoint',
    server: 'honest; flags, no endpoint',
    right: 'asks nothing',
    told: { byFlags: true, ways: 'none' },
  },
  {
    name: 'cli-bad-pin',
    server: 'honest; flags, malformed pin',
    right: 'refuses',
    told: { byFlags: true, pins: () => ['sha256:xyz'] },
  },
  {
    name: 'cli-two-pins-comma',
    server: 'honest; flags, two pins with a comma between',
    right: 'joins',
    ofKubeadm: true,
    told: { byFlags: true, pins: (pinOf) => [`${pinOf('other ca')},${pinOf('ca')}`] },
  },
  {
    name: 'cli-file-and-token',
    server: 'honest; flags, endpoint and file',
    right: 'asks nothing',
    told: { byFlags: true, ways: 'both', file: (scene) => payload(scene) },
  },
  {
    name: 'cli-nothing',
    server: 'honest; no flags at all',
    right: 'asks nothing',
    told: { byFlags: true, ways: 'none', token: '', pins: () => [] },
  },
];
