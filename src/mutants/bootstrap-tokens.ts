/** Defects of the chapter bootstrap-tokens, first half: how tokens are kept, and what init makes. */

import { LAST_APPLIED } from '../kubernetes/names.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { upstream } from '../reference/decisions.js';
import { decides, finds } from './arrange.js';
import { remembering } from './remembering.js';
import { addToken, halfOf } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const HOUR = 3_600_000;

/** Tokens and Secrets as somebody has left them. */
const AT_REST: readonly Mutant[] = [
  finds(
    'token-in-capitals',
    'a generator writes hexadecimal digits in upper case',
    ['TOK-001', 'TOK-003', 'TOK-004', 'SEC-004'],
    (reference) =>
      addToken(
        reference,
        { 'token-id': '07401B', 'token-secret': 'F395ACCD246AE52D' },
        { name: 'bootstrap-token-07401b' },
      ),
  ),
  finds('token-id-of-seven', 'an id has seven characters', ['TOK-001', 'TOK-003', 'SEC-003'], (reference) =>
    addToken(reference, { 'token-id': 'abcdefg' }, { name: 'bootstrap-token-abcdefg' }),
  ),
  finds('token-secret-of-32', 'a secret half has 32 hexadecimal digits', ['TOK-001', 'TOK-004'], (reference) =>
    addToken(reference, { 'token-secret': '0123456789abcdef0123456789abcdef' }),
  ),
  finds(
    'token-in-a-configmap',
    'somebody keeps the token of the day in a ConfigMap that others read',
    ['TOK-007'],
    (reference) =>
      reference.api.create(
        { group: '', resource: 'configmaps' },
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'how-to-join', namespace: 'default' },
          data: { command: `kubeadm join --token ${reference.tokens[0]}` },
        },
      ),
  ),
  finds(
    'token-in-base64-elsewhere',
    'a script keeps the base64 of a whole join command in a ConfigMap',
    ['TOK-007'],
    (reference) =>
      reference.api.create(
        { group: '', resource: 'configmaps' },
        {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'user-data', namespace: 'default' },
          data: {
            script: Buffer.from(`#!/bin/sh\nkubeadm join --token ${reference.tokens[0]} --v=5\n`).toString('base64'),
          },
        },
      ),
  ),
  finds('token-in-an-ingress', 'an annotation of an Ingress holds the token of the day', ['TOK-007'], (reference) =>
    reference.api.create(resources.ingresses, {
      apiVersion: 'networking.k8s.io/v1',
      kind: resources.ingresses.kind,
      metadata: { name: 'web', namespace: 'default', annotations: { join: reference.tokens[0] ?? '' } },
      spec: {},
    } as KubeObject),
  ),
  finds('token-in-a-quota', 'an annotation of a quota holds the token of the day', ['TOK-007'], (reference) =>
    reference.api.create(resources.resourceQuotas, {
      apiVersion: 'v1',
      kind: resources.resourceQuotas.kind,
      metadata: { name: 'pods', namespace: 'default', annotations: { join: reference.tokens[0] ?? '' } },
      spec: { hard: { pods: '100' } },
    } as KubeObject),
  ),
  finds('token-in-its-description', 'the description of a token repeats the token', ['TOK-007'], (reference) =>
    addToken(reference, { description: `kubeadm join --token m1tant.${halfOf('m1tant')}` }),
  ),
  finds('opaque-token', 'a token Secret is Opaque, its data otherwise perfect', ['SEC-002'], (reference) =>
    addToken(reference, {}, { type: 'Opaque' }),
  ),
  finds('token-named-otherwise', 'a token Secret is named kubeadm-token-m1tant', ['SEC-003', 'SEC-004'], (reference) =>
    addToken(reference, {}, { name: 'kubeadm-token-m1tant' }),
  ),
  finds('token-name-goes-on', 'a token Secret is named bootstrap-token-m1tant-2', ['SEC-003', 'SEC-004'], (reference) =>
    addToken(reference, {}, { name: 'bootstrap-token-m1tant-2' }),
  ),
  finds('token-of-two-ids', 'name and token-id of a Secret disagree', ['SEC-004'], (reference) =>
    addToken(reference, { 'token-id': 'ffffff' }),
  ),
  finds('token-in-default', 'a token Secret lies in the namespace default', ['SEC-005'], (reference) =>
    addToken(reference, {}, { namespace: 'default' }),
  ),
  finds('token-without-id', 'the id of a token stands in the name of its Secret only', ['SEC-006'], (reference) =>
    addToken(reference, { 'token-id': undefined }),
  ),
  finds('token-secret-misspelt', 'the secret half is kept under token_secret', ['SEC-007'], (reference) =>
    addToken(reference, { 'token-secret': undefined, token_secret: halfOf('m1tant') }),
  ),
  {
    name: 'expiration-is-a-date',
    defect: 'an expiration is written as 2099-01-01, another as seconds since 1970',
    killedBy: ['SEC-010'],
    // the cleaner would take them away before anybody looked
    options: { controllers: { tokencleaner: false } },
    arrange: (reference) => {
      addToken(reference, { expiration: '2099-01-01' });
      addToken(reference, { 'token-id': 'm1tan2', expiration: '1489116131' }, { name: 'bootstrap-token-m1tan2' });
    },
  },
  finds('usage-without-prefix', 'a usage is written without its prefix', ['SEC-012'], (reference) =>
    addToken(reference, { 'usage-authentication': 'true' }),
  ),
  finds('usage-nobody-knows', 'a usage is named that does not exist', ['SEC-012'], (reference) =>
    addToken(reference, { 'usage-bootstrap-admin': 'true' }),
  ),
  finds(
    'groups-with-blanks',
    'extra groups are separated by a comma and a blank',
    ['SEC-015', 'SEC-016'],
    (reference) =>
      addToken(reference, { 'auth-extra-groups': 'system:bootstrappers:worker, system:bootstrappers:ingress' }),
  ),
  finds('groups-with-semicolons', 'extra groups are separated by semicolons', ['SEC-015', 'SEC-016'], (reference) =>
    addToken(reference, { 'auth-extra-groups': 'system:bootstrappers:worker;system:bootstrappers:ingress' }),
  ),
  finds('group-of-masters', 'a token lists system:masters', ['SEC-016'], (reference) =>
    addToken(reference, { 'auth-extra-groups': 'system:masters' }),
  ),
  finds('group-without-name', 'a token lists system:bootstrappers itself', ['SEC-016'], (reference) =>
    addToken(reference, { 'auth-extra-groups': 'system:bootstrappers' }),
  ),
  finds(
    'plain-value-under-data',
    'a secret half stands plainly under data and decodes to 12 bytes of garbage',
    ['SEC-020', 'TOK-004'],
    (reference) => addToken(reference, {}, { raw: { 'token-secret': '0123456789abcdef' } }),
  ),
];

/** What init makes. */
const INIT: readonly Mutant[] = [
  {
    name: 'init-makes-no-token',
    defect: 'init leaves no token for joining',
    killedBy: ['TOK-008'],
    options: { tokens: [] },
  },
  decides(
    'init-replaces-given-token',
    'defaulting makes every entry anew and throws the given token away',
    ['TOK-009'],
    {
      tokenSecret: (token) =>
        upstream.tokenSecret({
          ...token,
          id: [...token.id].reverse().join(''),
          secret: [...token.secret].reverse().join(''),
        }),
    },
  ),
  remembering(() => {
    const made = new Set<string>();
    return decides(
      'init-stops-at-first-token',
      'the loop over the tokens returns early, and entries that were left open stay empty',
      ['TOK-010'],
      {
        newToken: (random) => {
          const token = upstream.newToken(random);
          made.add(token.slice(0, 6));
          return token;
        },
        writtenTokens: (tokens) => tokens.filter(({ id }) => !made.has(id)),
      },
    );
  }),
  remembering(() => {
    let count = 0;
    return decides('init-with-a-seed', 'the generator of tokens is seeded with a constant', ['TOK-011'], {
      // upload-certs takes every other one
      newToken: () => ['9vr73a.a8uxyaju799qwdjv', 'q8k2zd.w9e3r5t7y1u2i4o6'][count++ % 2] ?? '',
    });
  }),
  {
    name: 'init-ships-a-sample',
    defect: 'the token of the documentation is a live one',
    killedBy: ['TOK-011', 'T-02'],
    options: { tokens: [{ token: '07401b.f395accd246ae52d' }] },
  },
  finds('token-of-zeros', 'somebody has made the token 000000.0000000000000000', ['T-02'], (reference) =>
    addToken(
      reference,
      { 'token-id': '000000', 'token-secret': '0000000000000000' },
      { name: 'bootstrap-token-000000' },
    ),
  ),
  decides(
    'default-group-lacks-kubeadm',
    'the default group is system:bootstrappers:default-node-token, which nobody binds',
    ['SEC-018'],
    {
      defaultTokenGroups: () => ['system:bootstrappers:default-node-token'],
    },
  ),
  decides('default-token-signs-nothing', 'the default token lacks the usage for signing', ['SEC-019'], {
    defaultTokenUsages: () => ['authentication'],
  }),
  decides('default-token-for-ever', 'the default token has no expiration', ['SEC-021'], { defaultTokenTtl: () => 0 }),
  decides('default-token-for-a-year', 'the default token lives for a year', ['SEC-021'], {
    defaultTokenTtl: () => 365 * 24 * 3600,
  }),
  decides('ttl-is-ignored', 'the given ttl is parsed, and 24 hours are written', ['SEC-022'], {
    tokenExpires: (_ttl, now) => now + 24 * HOUR,
  }),
  decides('second-run-stops', 'a second run stops at 409 AlreadyExists', ['SEC-023', 'INFO-022'], {
    onExisting: () => 'fail',
  }),
];

/** Sound clusters that look a little different. */
const HARMLESS: readonly Mutant[] = [
  finds(
    'harmless-tokens-of-people',
    'tokens that people have made: described in another language, with a key that is no usage, for one purpose ' +
      'only, in no group',
    [],
    (reference) => {
      addToken(reference, { description: '给新节点用的令牌\n"true"\n', 'example.com.ticket': 'OPS-42' });
      addToken(
        reference,
        { 'token-id': 'm1tan1', 'usage-bootstrap-signing': undefined },
        { name: 'bootstrap-token-m1tan1' },
      );
      addToken(
        reference,
        { 'token-id': 'm1tan2', 'usage-bootstrap-authentication': undefined, 'auth-extra-groups': undefined },
        { name: 'bootstrap-token-m1tan2' },
      );
      addToken(reference, { 'token-id': 'm1tan3', 'auth-extra-groups': undefined }, { name: 'bootstrap-token-m1tan3' });
      addToken(reference, { expiration: '2017-03-10T03:22:11Z' }, { name: 'licence', type: 'Opaque' });
    },
  ),
  finds(
    'harmless-times',
    'expirations with an offset, a fraction or a comma, and one that is absent',
    [],
    (reference) => {
      addToken(
        reference,
        { 'token-id': 'm1tim0', expiration: '2099-11-20T10:30:00.5+08:00' },
        { name: 'bootstrap-token-m1tim0' },
      );
      addToken(
        reference,
        { 'token-id': 'm1tim1', expiration: '2099-11-20T9:30:00,5Z' },
        { name: 'bootstrap-token-m1tim1' },
      );
      addToken(reference, { 'token-id': 'm1tim2', expiration: undefined }, { name: 'bootstrap-token-m1tim2' });
    },
  ),
  finds(
    'harmless-applied-token',
    'a token made with kubectl apply, which keeps what was applied in an annotation, described from right to left',
    [],
    (reference) => {
      const id = 'm1tana';
      const applied = { stringData: { 'token-id': id, 'token-secret': halfOf(id) } };
      addToken(
        reference,
        {
          'token-id': id,
          'token-secret': halfOf(id),
          description: '\u200fאסימון לצמתים חדשים\u200f\r\n',
        },
        {
          name: `bootstrap-token-${id}`,
          annotations: { [LAST_APPLIED]: JSON.stringify(applied) },
        },
      );
    },
  ),
  finds('harmless-proxy-token', 'a second stand-in for kubeadm-certs, left by another upload', [], (reference) =>
    addToken(
      reference,
      {
        'token-id': 'm1prox',
        description: 'Proxy for managing TTL for the kubeadm-certs secret',
        'usage-bootstrap-signing': undefined,
        'usage-bootstrap-authentication': undefined,
        'auth-extra-groups': undefined,
      },
      { name: 'bootstrap-token-m1prox' },
    ),
  ),
  {
    name: 'harmless-expired-token',
    defect: 'an expired token that awaits a slow cleaner',
    killedBy: [],
    // a cleaner that takes up what is made from now on: the one Secret stays, as between two steps of a slow one
    options: {
      decisions: {
        cleanerWatchesSecret: (secret) =>
          upstream.cleanerWatchesSecret(secret) && secret.name !== 'bootstrap-token-m1late',
      },
    },
    arrange: (reference) =>
      addToken(
        reference,
        { 'token-id': 'm1late', expiration: '2020-01-01T00:00:00Z' },
        { name: 'bootstrap-token-m1late' },
      ),
  },
  {
    name: 'harmless-rsa',
    defect: 'the keys of the cluster are RSA-2048, as kubeadm makes them, and it is asked over connections',
    killedBy: [],
    options: { keyAlgorithm: 'RSA-2048' },
    connected: true,
  },
];

export const mutants: readonly Mutant[] = [...AT_REST, ...INIT, ...HARMLESS];
