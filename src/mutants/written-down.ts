/** Defects of what is written down of decisions, of lives that are told, and of the address that is published. */
import { record, records } from '../kubernetes/json.js';
import type { Condition } from '../kubernetes/objects.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import { failure } from './said.js';
import type { Mutant } from './types.js';

/** Times as upstream fills them in, but for what is said. */
const timed =
  (change: (condition: Condition, now: string) => Partial<Condition>) =>
  (conditions: readonly Condition[], old: readonly Condition[], now: string): readonly Condition[] =>
    upstream.csrConditionTimes(conditions, old, now).map((condition) => ({ ...condition, ...change(condition, now) }));

const versionMissing = failure(
  422,
  'Invalid',
  'certificatesigningrequests "jp" is invalid: metadata.resourceVersion: must be specified for an update',
);

const filled = (secret: object): object => ({ ...secret, data: { token: 'am9pbnByb29m', 'ca.crt': 'am9pbnByb29m' } });
const nameIn = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
/** Each Secret that a scenario has made to ask for a token is there whenever somebody looks. */
const ofAccounts = (name: string, defect: string, path: RegExp, held: (secret: object) => object): Mutant => ({
  name,
  defect,
  killedBy: ['P-402'],
  gateway: {
    before: (asked) =>
      asked.method === 'GET' && path.test(asked.path)
        ? { status: 200, body: held({ apiVersion: 'v1', kind: 'Secret', metadata: { name: nameIn(asked.path) } }) }
        : undefined,
  },
});

export const mutants: readonly Mutant[] = [
  decides('roots-of-accounts-stay', 'another root certificate in a Secret of an account stays there', ['P-402'], {
    rootOfAccountSecret: (held, own) => held ?? own,
  }),
  decides('failed-without-reason', 'a refused request is marked as failed without a reason', ['P-337'], {
    signingFailure: (problem) => ({ ...upstream.signingFailure(problem), reason: '' }),
  }),
  decides('failed-for-all-alike', 'every refused request is told the same', ['P-337'], {
    signingFailure: () => upstream.signingFailure('the request is invalid'),
  }),
  decides('failed-by-another-name', 'a refused request is marked as something that no client knows', ['P-337'], {
    signingFailure: (problem) => ({ ...upstream.signingFailure(problem), type: 'Rejected' }),
  }),
  decides('conditions-without-times', 'times that are left open stay open', ['P-338', 'P-337'], {
    csrConditionTimes: (conditions) => conditions,
  }),
  decides(
    'requests-with-notes-are-cleaned',
    'a request that somebody has noted something of is gone after a day',
    ['P-58'],
    {
      csrIsSwept: (csr, now, minor) =>
        upstream.csrIsSwept(csr, now, minor) ||
        (csr.conditions.every(({ type }) => type.includes('/')) &&
          csr.created !== undefined &&
          now - csr.created > 24 * 3_600_000),
    },
  ),
  decides('notes-are-of-any-status', 'what is noted of a request is true, false, anything else or nothing', ['P-57'], {
    csrConditionStatuses: (type) => [...upstream.csrConditionStatuses(type), 'Perhaps', ''],
  }),
  {
    name: 'decisions-name-a-version',
    defect: 'a decision that names no version of its request is refused',
    killedBy: ['P-338'],
    gateway: {
      after: ({ method, path }, { status }) =>
        method === 'PUT' && status === 200 && path.endsWith('/approval') ? versionMissing : undefined,
    },
  },
  decides('certificates-stand-alone', 'a certificate with a text around it is refused', ['P-25'], {
    csrCertificateProblem: (certificate) =>
      certificate === '' || Buffer.from(certificate, 'base64').toString('latin1').startsWith('-----BEGIN')
        ? upstream.csrCertificateProblem(certificate)
        : 'only PEM blocks are allowed',
  }),
  decides('notes-stay', 'what was noted of a request stays for ever', ['P-338'], {
    csrConditionIsForever: () => true,
  }),
  decides('conditions-without-words', 'reason and message of a condition are dropped', ['P-338'], {
    csrConditionTimes: timed(() => ({ reason: '', message: '' })),
  }),
  decides('condition-times-of-now', 'times that are sent are written over', ['P-338'], {
    csrConditionTimes: timed((_condition, now) => ({ lastUpdateTime: now, lastTransitionTime: now })),
  }),
  decides('transitions-with-every-word', 'each change of the words is a transition', ['P-338'], {
    csrConditionTimes: (conditions, _old, now) => upstream.csrConditionTimes(conditions, [], now),
  }),
  decides('a-ttl-of-none-is-a-day', 'a ttl of 0 is taken for none that was given', ['SEC-022'], {
    tokenExpires: (ttl, now) => upstream.tokenExpires(ttl === 0 ? 86_400 : ttl, now),
  }),
  decides('nothing-is-not-signed', 'a kubeconfig of no text is left unsigned', ['SIGN-017'], {
    contentToSign: (data) => upstream.contentToSign(data) || undefined,
  }),
  decides('server-with-a-slash', 'a slash stands behind the published address', ['P-339'], {
    clusterInfoKubeconfig: ({ server, ...facts }) => upstream.clusterInfoKubeconfig({ ...facts, server: `${server}/` }),
  }),
  {
    name: 'notes-go-with-the-certificate',
    defect: 'what else was noted of a request is lost once it is signed',
    killedBy: ['P-338'],
    gateway: {
      after: ({ method, path }, answer) => {
        const csr = record(answer.body);
        const status = record(csr.status);
        if (method !== 'GET' || !/\/certificatesigningrequests\/[^/]+$/.test(path) || status.certificate === undefined)
          return undefined;
        const conditions = records(status.conditions).filter(({ type }) => type === 'Approved');
        return { ...answer, body: { ...csr, status: { ...status, conditions } } };
      },
    },
  },
  decides('approver-asks-for-three-groups', 'the approver asks about the first groups of who asks', ['CSR-014'], {
    approvalReviewUser: (spec) => {
      const user = upstream.approvalReviewUser(spec);
      return { ...user, groups: user.groups.slice(0, 3) };
    },
  }),
  ofAccounts(
    'account-secrets-stay',
    'the Secret of an account stays when the account goes',
    /\/secrets\/jp-\w{10}$/,
    filled,
  ),
  ofAccounts('secrets-of-no-account-stay', 'a Secret of no account stays', /\/secrets\/jp-\w{11,12}$/, filled),
  ofAccounts(
    'account-secrets-stay-empty',
    'a Secret that asks for a token is given none',
    /\/secrets\/jp-\w{10}$/,
    (secret) => secret,
  ),
];
