/** Defects of controllers that collect, furnish namespaces and sign. */
import { record } from '../kubernetes/json.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import { remembering } from './remembering.js';
import { failure } from './said.js';
import type { Mutant, Said } from './types.js';

const NOWHERE = failure(404, 'NotFound', 'it is gone');
const answers = (name: string, defect: string, path: RegExp, said: (path: string) => Said): Mutant => ({
  name,
  defect,
  killedBy: ['P-391'],
  gateway: { before: (asked) => (asked.method === 'GET' && path.test(asked.path) ? said(asked.path) : undefined) },
});
const thing = (kind: string, path: string, more: object = {}): Said => ({
  status: 200,
  body: { apiVersion: 'v1', kind, metadata: { name: path.split('/').at(-1), uid: 'always' }, ...more },
});
const CONTROLLERS: readonly Mutant[] = [
  decides('what-waits-signs-no-more', 'a token that waits for its deletion is signed for no longer', ['P-392'], {
    signingToken: (secret, ...rest) => (secret.deleting ? undefined : upstream.signingToken(secret, ...rest)),
  }),
  answers('nothing-is-collected', 'what has lost its owner stays', /\/configmaps\/jp-\w+-[034]$/, (path) =>
    thing('ConfigMap', path),
  ),
  answers('one-owner-is-all', 'what is owned goes with any owner', /\/configmaps\/jp-\w+-[12]$/, () => NOWHERE),
  answers('owners-never-go', 'an owner waits for ever for what it owns', /\/configmaps\/jp-\w+-first$/, (path) =>
    thing('ConfigMap', path),
  ),
  {
    name: 'orphans-stay-owned',
    defect: 'what an owner leaves behind is still of that owner',
    killedBy: ['P-391'],
    gateway: {
      after: ({ method, path }, { status, body }) => {
        const [, owned] = /\/configmaps\/(jp-\w+)-[01]$/.exec(path) ?? [];
        if (method !== 'GET' || owned === undefined || status !== 200) return undefined;
        const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: `${owned}-first`, uid: 'always' }];
        return { status, body: { ...record(body), metadata: { ...record(record(body).metadata), ownerReferences } } };
      },
    },
  },
  answers(
    'namespaces-are-bare',
    'a new namespace has nothing',
    /\/jp-\w+\/\w+\/(?:kube-root-ca\.crt|default)$/,
    () => NOWHERE,
  ),
  remembering(() => {
    let count = 0;
    const roots = /\/namespaces\/jp-\w+\/configmaps\/kube-root-ca\.crt$/;
    return answers(
      'roots-stay-changed',
      'root certificates of a namespace stay as somebody has changed them',
      roots,
      (path) => {
        count += 1;
        return thing('ConfigMap', path, { data: { 'ca.crt': `of the look ${count}` } });
      },
    );
  }),
  {
    name: 'roots-are-made-anew',
    defect: 'root certificates of a namespace lose their labels when they are repaired',
    killedBy: ['P-391'],
    gateway: {
      after: ({ method, path }, { status, body }) => {
        if (method !== 'GET' || !/\/configmaps\/kube-root-ca\.crt$/.test(path) || status !== 200) return undefined;
        const { labels: _, ...metadata } = record(record(body).metadata);
        return { status, body: { ...record(body), metadata } };
      },
    },
  },
  decides('roots-are-added-to', 'what somebody adds to root certificates of a namespace stays', ['P-391'], {
    rootsAreAsMade: (data, caPem) => data['ca.crt'] === caPem,
  }),
  answers(
    'accounts-stay-gone',
    'an account of a namespace is not made again',
    /\/namespaces\/jp-\w+\/serviceaccounts\/default$/,
    (path) => thing('ServiceAccount', path),
  ),
];

export const mutants: readonly Mutant[] = [...CONTROLLERS];
