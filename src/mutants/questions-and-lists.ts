/** Defects of who answers questions about rights, lists by pages, and names and times at their edges. */
import { type Fields, record, text } from '../kubernetes/json.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import { remembering } from './remembering.js';
import { failure } from './said.js';
import type { Asked, Mutant, Said } from './types.js';

const isReview = ({ method, path }: Asked): boolean => method === 'POST' && path.endsWith('subjectaccessreviews');
const KINDS = ['SelfSubjectAccessReview', 'LocalSubjectAccessReview', 'SubjectAccessReview'];
const refused = (what: string): Said => failure(422, 'Invalid', what);

const [OF_DEFAULT, OF_SYSTEM] = ['default', 'kube-system'].map((one) => `system:serviceaccount:${one}:`) as [
  string,
  string,
];

/** Labels of a domain from one of them on, or up to it. */
type PartOf = (labels: readonly string[], at: number) => readonly string[];
const RIGHTS_ON_DOMAINS: readonly (readonly [name: string, defect: string, partOf: PartOf])[] = [
  [
    'rights-on-domains-that-begin-alike',
    'who may approve for the signers of a domain may for those of every domain that begins like it',
    (labels, at) => labels.slice(0, at + 1),
  ],
  [
    'rights-on-domains-above',
    'who may approve for the signers of a domain may for those of every domain below it',
    (labels, at) => labels.slice(at),
  ],
];

const isOfOneself = ({ path }: Asked): boolean => path.includes('/selfsubject');
const isOfEverybody = ({ resourceAttributes }: Fields): boolean =>
  text(record(resourceAttributes).resource).startsWith('selfsubject');

/** Such reviews are answered with a yes, or a no, whatever is so. */
const saying = (
  allowed: boolean,
  name: string,
  defect: string,
  isMeant: (asked: Asked, spec: Fields) => boolean,
): Mutant => ({
  name,
  defect,
  killedBy: ['P-509'],
  gateway: {
    after: (asked, { status, body }) =>
      isReview(asked) && status === 201 && isMeant(asked, record(record(body).spec))
        ? { status, body: { ...record(body), status: { allowed } } }
        : undefined,
  },
});

/** Secrets that are listed by such labels are none. */
const listsNothing = (name: string, defect: string, selector: RegExp): Mutant => ({
  name,
  defect,
  killedBy: ['P-384'],
  gateway: {
    after: ({ path, query }, { status, body }) =>
      path.endsWith('/namespaces/default/secrets') && selector.test(query.get('labelSelector') ?? '') && status === 200
        ? { status, body: { ...record(body), items: [] } }
        : undefined,
  },
});

export const mutants: readonly Mutant[] = [
  {
    name: 'reviews-of-whatever',
    defect: 'a review that names nobody, nothing or too much is answered',
    killedBy: ['P-509'],
    gateway: {
      after: (asked, { status }) =>
        isReview(asked) && status === 422
          ? {
              status: 201,
              body: {
                kind: KINDS.find((kind) => asked.path.endsWith(`/${kind.toLowerCase()}s`)),
                apiVersion: 'authorization.k8s.io/v1',
                metadata: {},
                spec: {},
                status: { allowed: false },
              },
            }
          : undefined,
    },
  },
  {
    name: 'reviews-of-users-alone',
    defect: 'a review that names groups and no user is refused',
    killedBy: ['P-509'],
    gateway: {
      after: (asked, { status, body }) => {
        if (!isReview(asked) || status !== 201 || asked.path.includes('/selfsubject')) return undefined;
        return text(record(record(body).spec).user) === '' ? refused('spec.user: Required value') : undefined;
      },
    },
  },
  {
    name: 'reviews-of-joinproof-refused',
    defect: 'reviews about who is not known, about Secrets of the default namespace and about paths are refused',
    killedBy: ['P-509'],
    gateway: {
      after: (asked, { status, body }) => {
        if (!isReview(asked) || status !== 201) return undefined;
        const { user, groups, resourceAttributes } = record(record(body).spec);
        const { resource, namespace, verb } = record(resourceAttributes);
        const isOwn =
          asked.path.includes('/selfsubject') && [verb, resource, namespace].join() === 'get,secrets,default';
        return text(user) === 'jp-nobody' || isOwn || (user === undefined && groups !== undefined)
          ? refused('not today')
          : undefined;
      },
    },
  },
  saying(
    false,
    'reviews-of-groups-denied',
    'a review that names groups and no user is answered with no',
    (_, spec) => spec.groups !== undefined && spec.user === undefined,
  ),
  saying(
    true,
    'reviews-of-whoever-has-logged-in',
    'a review counts the rights of everybody who has logged in, whatever groups it names',
    (_, spec) => isOfEverybody(spec),
  ),
  saying(
    false,
    'reviews-of-oneself-without-everybody',
    "a review of one's own rights leaves out those of everybody who has logged in",
    (asked, spec) => isOfOneself(asked) && isOfEverybody(spec),
  ),
  saying(
    true,
    'reviews-of-oneself-by-another',
    'a review of the rights of who is spoken for tells those of who speaks',
    isOfOneself,
  ),
  {
    name: 'lists-of-all-signers-but-one',
    defect: 'a list of the requests of all signers but one holds those of every signer',
    killedBy: ['P-384'],
    gateway: {
      after: ({ query }, { status, body }) => {
        const without = text(query.get('fieldSelector') ?? '').startsWith('spec.signerName!=');
        return without ? { status, body: { ...record(body), items: [] } } : undefined;
      },
    },
  },
  listsNothing(
    'lists-without-what-has-no-such-label',
    'a list by another value of a label than some passes over what has no such label',
    /first(?:!=| notin)/,
  ),
  listsNothing(
    'lists-by-labels-as-if-they-had-values',
    'a list by a label alone, or by its absence, is one of a label without a value',
    /\/first$/,
  ),
  listsNothing(
    'lists-by-numbers-as-text',
    'a list by a label that is to be greater or less is one of all',
    /number[<>]/,
  ),
  {
    name: 'lists-by-whatever-field',
    defect: 'a list by a field that nobody can select by is a list of nothing',
    killedBy: ['P-384'],
    gateway: {
      after: ({ method, path, query }, { status }) =>
        method === 'GET' && status === 400 && path.endsWith('/certificatesigningrequests') && query.has('fieldSelector')
          ? {
              status: 200,
              body: {
                kind: 'CertificateSigningRequestList',
                apiVersion: 'certificates.k8s.io/v1',
                metadata: {},
                items: [],
              },
            }
          : undefined,
    },
  },
  remembering(() => {
    const made: unknown[] = [];
    return {
      name: 'pages-of-now',
      defect: 'each page of a list is of now, not of when its first was read',
      killedBy: ['P-384'],
      gateway: {
        after: ({ method, path, query }: Asked, { status, body }: Said): Said | undefined => {
          if (!path.endsWith('/namespaces/default/secrets')) return undefined;
          if (method === 'POST' && status === 201) made.push(body);
          const { items, ...rest } = record(body);
          return method === 'GET' && status === 200 && query.has('continue') && Array.isArray(items)
            ? { status, body: { ...rest, items: [...items, ...made.slice(-1)] } }
            : undefined;
        },
      },
    };
  }),
  {
    name: 'pages-go-on-elsewhere',
    defect: 'who goes on with the list of all namespaces in one of them is told what is in others, too',
    killedBy: ['P-384'],
    gateway: {
      after: ({ path, query }, { status, body }) =>
        query.has('continue') && path.endsWith('/namespaces/kube-public/configmaps') && status === 200
          ? {
              status,
              body: { ...record(body), items: [{ metadata: { name: 'kubeadm-config', namespace: 'kube-system' } }] },
            }
          : undefined,
    },
  },
  remembering(() => {
    const made = new Map<string, unknown>();
    return {
      name: 'pages-forget-what-was-asked',
      defect: 'after the first page of a list comes what nobody has asked for',
      killedBy: ['P-384'],
      gateway: {
        after: ({ method, path, query }: Asked, { status, body }: Said): Said | undefined => {
          if (!path.endsWith('/namespaces/default/secrets')) return undefined;
          const { name = '' } = record(record(body).metadata);
          if (method === 'POST' && status === 201) made.set(text(name), body);
          const { items, ...rest } = record(body);
          const [first] = Array.isArray(items) ? items : [];
          const before = record(record(first).metadata).name;
          const left = [...made].filter(([own]) => own > text(before)).map(([, object]) => object);
          return method === 'GET' && status === 200 && query.has('continue') && query.has('fieldSelector')
            ? { status, body: { ...rest, items: [first, ...left].filter((one) => one !== undefined) } }
            : undefined;
        },
      },
    };
  }),
  {
    name: 'pages-with-labels-they-have-not',
    defect: 'after the first page of a list all values of its labels count',
    killedBy: ['P-384'],
    gateway: {
      after: ({ path, query }, { status, body }) =>
        path.endsWith('/namespaces/default/secrets') &&
        (query.get('labelSelector') ?? '').includes('number!=1') &&
        status === 200 &&
        query.has('continue')
          ? { status, body: { ...record(body), items: [] } }
          : undefined,
    },
  },
  remembering(() => {
    // whether the rule that was looked at last is of the part that is asked for
    let isOfPart = false;
    return decides('parts-by-any-name', 'a role on a part of one object is on that part of all', ['RBAC-025'], {
      resourceMatches: (rule, resource, subresource) => {
        isOfPart = subresource !== '' && rule.resources?.includes(`${resource}/${subresource}`) === true;
        return upstream.resourceMatches(rule, resource, subresource);
      },
      resourceNameMatches: (rule, name) => isOfPart || upstream.resourceNameMatches(rule, name),
    });
  }),
  decides('accounts-of-where-they-are-bound', 'an account of a binding is that of its namespace', ['RBAC-025'], {
    subjectPrincipal: (subject, namespace) =>
      upstream.subjectPrincipal(namespace === '' ? subject : { ...subject, namespace }, namespace),
  }),
  decides('accounts-are-those-of-the-system', 'an account is that of its name in kube-system, too', ['RBAC-025'], {
    principalsOf: (user) => [
      ...upstream.principalsOf(user),
      ...(user.username.startsWith(OF_DEFAULT) ? [`User ${OF_SYSTEM}${user.username.slice(OF_DEFAULT.length)}`] : []),
    ],
  }),
  {
    name: 'paths-of-one-namespace',
    defect: 'a binding of one namespace gives paths, which are in none',
    killedBy: ['RBAC-025'],
    gateway: {
      after: (asked, { status, body }) => {
        const { path } = record(record(record(body).spec).nonResourceAttributes);
        return isReview(asked) && path === '/joinproof-inside'
          ? { status, body: { ...record(body), status: { allowed: true } } }
          : undefined;
      },
    },
  },
  ...(
    [
      ['groups', 'whoever may speak for an account speaks for it in every group'],
      ['uids', 'whoever may speak for an account speaks for one of every UID'],
      ['userextras', 'whoever may speak for an account says of it what he wants'],
    ] as const
  ).map(([resource, defect]) =>
    decides(`accounts-in-any-${resource}`, defect, ['P-331'], {
      impersonationSteps: (mode, wanted, attributes) =>
        upstream
          .impersonationSteps(mode, wanted, attributes)
          .filter(
            ({ question }) => !wanted.name.startsWith('system:serviceaccount:') || question.resource !== resource,
          ),
    }),
  ),
  ...RIGHTS_ON_DOMAINS.map(([name, defect, partOf]) =>
    decides(name, defect, ['P-55'], {
      signerRightNames: (signerName) => {
        const labels = (signerName.split('/', 1)[0] ?? '').split('.');
        const parts = labels.map((_, at) => partOf(labels, at).join('.'));
        return [...upstream.signerRightNames(signerName), ...parts.map((part) => `${part}/*`)];
      },
    }),
  ),
  decides('reviews-tell-of-every-audience', 'a review tells of all that a token is for', ['P-330'], {
    sharedAudiences: (ofToken, wanted) => (upstream.sharedAudiences(ofToken, wanted).length === 0 ? [] : ofToken),
  }),
  decides('paths-by-whole-folders', 'a star in a path counts behind a slash alone', ['RBAC-025'], {
    nonResourceUrlMatches: (rule, path) =>
      upstream.nonResourceUrlMatches(
        { ...rule, nonResourceURLs: (rule.nonResourceURLs ?? []).filter((url) => !/[^/]\*$/.test(url)) },
        path,
      ),
  }),
  decides(
    'accounts-of-their-own-groups',
    'in the name of an account one is in its groups, whatever is asked',
    ['P-331'],
    {
      impersonatedUser: (mode, wanted) =>
        upstream.impersonatedUser(
          mode,
          wanted.name.startsWith('system:serviceaccount:') ? { ...wanted, groups: [] } : wanted,
        ),
    },
  ),
  decides('certificates-five-minutes-early', 'a certificate counts five minutes before its time', ['APIAUTH-017'], {
    certificateIsCurrent: (notBefore, notAfter, now) =>
      upstream.certificateIsCurrent(notBefore - 5 * 60_000, notAfter, now),
  }),
  decides('certificates-three-minutes-late', 'a certificate counts three minutes after its time', ['APIAUTH-017'], {
    certificateIsCurrent: (notBefore, notAfter, now) =>
      upstream.certificateIsCurrent(notBefore, notAfter + 3 * 60_000, now),
  }),
  decides(
    'own-requests-by-the-own-right',
    'a request for oneself is approved by the right to that alone',
    ['CSR-014'],
    {
      approvalRights: (spec, commonName, problem) => upstream.approvalRights(spec, commonName, problem).slice(0, 1),
    },
  ),
  decides(
    'transitions-of-what-has-changed',
    'a condition of another status keeps the time of its transition',
    ['P-338'],
    {
      csrConditionTimes: (conditions, old, now) =>
        upstream.csrConditionTimes(
          conditions,
          old.map((before) => ({
            ...before,
            status: conditions.find(({ type }) => type === before.type)?.status ?? '',
          })),
          now,
        ),
    },
  ),
  decides('denials-with-the-request', 'a request is denied by what is written of itself', ['P-57'], {
    csrStatusTaken: (path) => ({ ...upstream.csrStatusTaken(path), conditions: true }),
    csrApprovalSetThrough: (path) => path !== 'status',
    csrConditionIsForever: () => false,
  }),
  decides('denials-with-the-status', 'a request is denied by what is written of its status', ['P-57'], {
    csrApprovalSetThrough: () => true,
    csrConditionsThroughStatus: (conditions) => conditions,
    csrConditionIsForever: () => false,
  }),
  decides('reviews-without-selectors', 'a review passes over its selectors', ['P-510'], {
    reviewsKnowSelectors: () => false,
  }),
  decides('nodes-list-whatever-pods', 'a node may list the Pods of all nodes', ['P-510'], {
    nodeOnPod: (question) => (question.attributes.verb === 'list' ? true : upstream.nodeOnPod(question)),
  }),
];
