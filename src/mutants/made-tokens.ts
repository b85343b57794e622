/** Defects of the chapter bootstrap-tokens: how tokens are made and left, and where they leak. */
import { rfc3339 } from '../apiserver/clock.js';
import { base64 } from '../kubernetes/json.js';
import type { KubeObject, Secret } from '../kubernetes/objects.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import { upstream } from '../reference/decisions.js';
import type { Reference } from '../reference/options.js';
import { decides, edit, finds, JOINING } from './arrange.js';
import { remembering } from './remembering.js';
import { addToken, halfOf } from './tokens-at-rest.js';
import type { Mutant } from './types.js';

const HOUR = 3_600_000;
const tokenOf = (reference: Reference): string => reference.tokens[0] ?? '';

/** Changes values of the token that init has made, as somebody with kubectl would. */
const editInitToken = (reference: Reference, data: Readonly<Record<string, string>>): void =>
  edit<Secret>(
    reference,
    {
      resource: resources.secrets,
      namespace: 'kube-system',
      name: `bootstrap-token-${tokenOf(reference).slice(0, 6)}`,
    },
    (secret) => ({
      ...secret,
      data: { ...secret.data, ...Object.fromEntries(Object.entries(data).map(([key, text]) => [key, base64(text)])) },
    }),
  );

/** The token of init stands somewhere. */
const leaks = (
  name: string,
  defect: string,
  resource: Resource,
  object: (token: string) => Partial<KubeObject> & Pick<KubeObject, 'metadata'>,
): Mutant =>
  finds(name, defect, ['TOK-007'], (reference) => {
    const apiVersion = resource.group === '' ? 'v1' : `${resource.group}/v1`;
    reference.api.create(resource, { apiVersion, kind: resource.kind, ...object(tokenOf(reference)) });
  });

const LEAKED: readonly Mutant[] = [
  leaks('token-in-a-pod', 'a Pod is given the token in its environment', resources.pods, (token) => ({
    metadata: { name: 'joiner', namespace: 'default' },
    spec: { containers: [{ name: 'joiner', image: 'example.com/joiner', env: [{ name: 'TOKEN', value: token }] }] },
  })),
  leaks(
    'token-in-a-former-template',
    'a revision of a DaemonSet still has the token',
    resources.controllerRevisions,
    (token) => ({
      metadata: { name: 'joiner-1', namespace: 'default' },
      data: { spec: { template: { spec: { containers: [{ name: 'joiner', args: [`--token=${token}`] }] } } } },
      revision: 1,
    }),
  ),
  leaks('token-in-a-replicaset', 'a ReplicaSet without Pods still has the token', resources.replicaSets, (token) => {
    const labels = { app: 'joiner' };
    const containers = [{ name: 'joiner', image: 'example.com/joiner', args: [`--token=${token}`] }];
    return {
      metadata: { name: 'joiner', namespace: 'default' },
      spec: {
        replicas: 0,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    };
  }),
  leaks('token-on-a-namespace', 'an annotation of a Namespace tells the token', resources.namespaces, (token) => ({
    metadata: { name: 'installers', annotations: { 'example.com/join': `kubeadm join --token=${token}` } },
  })),
  leaks(
    'token-in-folded-base64',
    'a script stands in lines of base64 in a ConfigMap',
    resources.configMaps,
    (token) => ({
      metadata: { name: 'user-data', namespace: 'default' },
      data: {
        script: base64(`#!/bin/sh\nset -e\nkubeadm join 192.0.2.1:6443 --token ${token}\n`).replace(/.{56}/g, '$&\n'),
      },
    }),
  ),
  finds('token-beside-another', 'the description of a token tells another one', ['TOK-007'], (reference) =>
    addToken(reference, { description: `instead of ${tokenOf(reference)}` }),
  ),
];

const GUESSABLE: readonly Mutant[] = [
  decides('init-with-a-constant-half', 'the id of a token is random, its secret half is not', ['TOK-011'], {
    newToken: (random) => `${upstream.newToken(random).slice(0, 6)}.q8w2e5r1t9y3u6i4`,
  }),
  decides('init-with-half-a-secret', 'the second half of every secret half is the same', ['T-02'], {
    newToken: (random) => `${upstream.newToken(random).slice(0, 15)}x1y2z3w4`,
  }),
  finds('token-with-another-s-half', 'somebody has made a token by changing the id of another', ['T-02'], (reference) =>
    addToken(reference, { 'token-secret': tokenOf(reference).slice(7) }),
  ),
  finds('token-of-pairs', 'the secret half of a token doubles its characters', ['T-02'], (reference) => {
    addToken(reference, { 'token-secret': 'kk77ww22ccxx99pp' });
    addToken(
      reference,
      { 'token-id': 'm1tan2', 'token-secret': '4915112207198307' },
      { name: 'bootstrap-token-m1tan2' },
    );
  }),
  finds('token-of-a-word', 'somebody has made up the secret half of a token', ['T-02'], (reference) => {
    addToken(reference, { 'token-secret': 'kubernetes123abc' });
    addToken(
      reference,
      { 'token-id': 'm1tan2', 'token-secret': '1234567890abcdef' },
      { name: 'bootstrap-token-m1tan2' },
    );
  }),
];

/** Tokens of init that somebody has changed, or that init makes otherwise. */
const OF_INIT: readonly Mutant[] = [
  decides('default-token-in-two-groups', 'the default token is in a second group', ['SEC-018'], {
    defaultTokenGroups: () => [JOINING, 'system:bootstrappers:worker'],
  }),
  finds(
    'default-token-was-changed',
    'somebody has put the default token in a group, taken its signature away, and prolonged it',
    ['SEC-018', 'SEC-019', 'SEC-021'],
    (reference) =>
      editInitToken(reference, {
        'auth-extra-groups': `${JOINING},system:bootstrappers:ops`,
        'usage-bootstrap-signing': 'false',
        expiration: rfc3339(Date.now() + 30 * 24 * HOUR),
      }),
  ),
  decides('default-token-logs-nobody-in', 'the default token lacks the usage for logging in', ['SEC-019'], {
    defaultTokenUsages: () => ['signing'],
  }),
  decides('default-token-for-a-day-and-two-minutes', 'the default token lives two minutes too long', ['SEC-021'], {
    defaultTokenTtl: () => 24 * 3600 + 120,
  }),
  decides('init-writes-capitals', 'init makes secret halves with capitals', ['TOK-010', 'TOK-001', 'TOK-004'], {
    newToken: (random) => {
      const token = upstream.newToken(random);
      return token.slice(0, 7) + token.slice(7).toUpperCase();
    },
  }),
  remembering(() => {
    const made = new Set<string>();
    return decides('second-run-renews-tokens', 'a second run makes the secret halves of its tokens anew', ['SEC-023'], {
      tokenSecret: (token) => {
        const isSecond = made.has(token.id);
        made.add(token.id);
        return upstream.tokenSecret(isSecond ? { ...token, secret: halfOf(token.id) } : token);
      },
    });
  }),
];

const AT_REST: readonly Mutant[] = [
  finds(
    'token-written-oddly',
    'a token has a line end behind its id, a usage in capitals, another one encoded twice, and a capital in a group',
    ['TOK-001', 'TOK-003', 'SEC-004', 'SEC-012', 'SEC-016', 'SEC-020'],
    (reference) =>
      addToken(reference, {
        'token-id': 'm1tant\n',
        'Usage-Bootstrap-Signing': 'true',
        'usage-bootstrap-signing': base64('true'),
        'auth-extra-groups': 'system:bootstrappers:worker,system:bootstrappers:Ingress',
      }),
  ),
];

/** Who is signed for, of several tokens. */
const SIGNED: readonly Mutant[] = [
  remembering(() => {
    const seen = new Set<string>();
    let newest = '';
    return decides('newest-token-is-signed-for', 'a new token ends the signature of the others', ['TOK-014'], {
      signingToken: (secret, expiration, now) => {
        const token = upstream.signingToken(secret, expiration, now);
        if (token !== undefined && !seen.has(token.id)) newest = token.id;
        if (token !== undefined) seen.add(token.id);
        return token?.id === newest ? token : undefined;
      },
    });
  }),
  remembering(() => {
    const seen = new Set<string>();
    return decides('two-tokens-are-signed-for', 'the signer signs for two tokens at most', ['TOK-014'], {
      signingToken: (secret, expiration, now) => {
        const token = upstream.signingToken(secret, expiration, now);
        if (token !== undefined && seen.size < 2) seen.add(token.id);
        return token !== undefined && seen.has(token.id) ? token : undefined;
      },
    });
  }),
];

export const mutants: readonly Mutant[] = [...LEAKED, ...GUESSABLE, ...OF_INIT, ...AT_REST, ...SIGNED];
