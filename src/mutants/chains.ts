/** Defects of certificates of clients and of proxies that show in what stands above them, and in what else they say. */
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import type { Mutant } from './types.js';

export const mutants: readonly Mutant[] = [
  decides('chains-of-two', 'authorities between are not followed', ['APIAUTH-017', 'APIAUTH-030'], {
    longestChain: () => 2,
  }),
  decides('chains-of-three', 'of several authorities between only one is followed', ['APIAUTH-017'], {
    longestChain: () => 3,
  }),
  decides('chains-of-clients', 'whoever has a certificate may sign others', ['APIAUTH-017', 'APIAUTH-030', 'P-65'], {
    mayIssue: () => true,
  }),
  decides('chains-as-long-as-they-like', 'the length of a path is not compared', ['APIAUTH-017'], {
    mayIssue: (certificate, _below, isRoot) => upstream.mayIssue(certificate, 0, isRoot),
  }),
  decides('chains-of-any-key-usage', 'what the key of an authority is for does not count', ['APIAUTH-017'], {
    mayIssue: ({ basicConstraints, version }, below, isRoot) =>
      upstream.mayIssue({ basicConstraints, version, keyUsage: undefined }, below, isRoot),
  }),
  decides('chains-in-time-at-their-end', 'the time of authorities between does not count', ['APIAUTH-017'], {
    chainIsCurrent: ([leaf], isCurrent) => leaf !== undefined && isCurrent(leaf),
  }),
  decides('chains-for-clients-at-their-end', 'what authorities between are for does not count', ['APIAUTH-017'], {
    chainMayLogIn: ([leaf], mayLogIn) => leaf !== undefined && mayLogIn(leaf),
  }),
  decides(
    'certificates-say-what-nobody-knows',
    'critical extensions that nobody knows are passed over',
    ['APIAUTH-017'],
    {
      extensionIsHandled: () => true,
    },
  ),
  decides('certificates-in-two-groups', 'of several organizations of a certificate two are groups', ['APIAUTH-017'], {
    certificateUser: (certificate, minor) =>
      upstream.certificateUser({ ...certificate, organizations: certificate.organizations.slice(0, 2) }, minor),
  }),
  decides('certificates-for-two-uses', 'who is for more than one use logs in, whatever the uses', ['APIAUTH-017'], {
    certificateMayLogIn: (usages) => upstream.certificateMayLogIn(usages) || (usages ?? []).length > 1,
  }),
  decides('certificates-without-a-uid', 'the UID of a certificate is not read', ['APIAUTH-017'], {
    certificateUser: (certificate, minor) => upstream.certificateUser({ ...certificate, uids: [] }, minor),
  }),
  decides('certificates-of-two-uids', 'of two UIDs of a certificate the first counts', ['APIAUTH-017'], {
    certificateUser: (certificate, minor) =>
      upstream.certificateUser({ ...certificate, uids: certificate.uids.slice(0, 1) }, minor),
  }),
  decides(
    'certificates-for-their-use-alone',
    'who is for clients and servers, or for whatever, does not log in',
    ['APIAUTH-017'],
    {
      certificateMayLogIn: (usages) => usages?.length === 1 && usages[0] === 'clientAuth',
    },
  ),

  decides('proxied-groups-split', 'groups in headers of a proxy are split at commas', ['APIAUTH-030'], {
    proxiedUser: (headers, named) => {
      const user = upstream.proxiedUser(headers, named);
      return user && { ...user, groups: user.groups.flatMap((group) => group.split(',')) };
    },
  }),
  decides(
    'proxied-extra-of-one-value',
    'of several values of extra in headers of a proxy the first counts',
    ['APIAUTH-030'],
    {
      proxiedUser: (headers, named) => {
        const user = upstream.proxiedUser(headers, named);
        const entries = Object.entries(user?.extra ?? {}).map(([key, values]) => [key, values.slice(0, 1)] as const);
        return user && { ...user, extra: Object.fromEntries(entries) };
      },
    },
  ),
  decides('proxied-extra-escaped', 'keys of extra in headers of a proxy are taken as they come', ['APIAUTH-030'], {
    proxiedUser: (headers, named) => {
      const user = upstream.proxiedUser(headers, named);
      const entries = Object.entries(user?.extra ?? {}).map(
        ([key, values]) => [encodeURIComponent(key), values] as const,
      );
      return user && { ...user, extra: Object.fromEntries(entries) };
    },
  }),

  decides(
    'groups-of-others-by-the-first',
    'of several groups that one asks in only the first is asked about',
    ['P-331'],
    {
      impersonationSteps: (mode, wanted, attributes) =>
        upstream.impersonationSteps(mode, { ...wanted, groups: wanted.groups.slice(0, 1) }, attributes),
    },
  ),
  decides(
    'groups-of-others-by-the-last',
    'of several groups that one asks in only the last is asked about',
    ['P-331'],
    {
      impersonationSteps: (mode, wanted, attributes) =>
        upstream.impersonationSteps(mode, { ...wanted, groups: wanted.groups.slice(-1) }, attributes),
    },
  ),
  decides(
    'extra-of-others-by-the-first',
    'of several values of extra that one asks with only the first is asked about',
    ['P-331'],
    {
      impersonationSteps: (mode, wanted, attributes) => {
        const entries = Object.entries(wanted.extra).map(([key, values]) => [key, values.slice(0, 1)] as const);
        return upstream.impersonationSteps(mode, { ...wanted, extra: Object.fromEntries(entries) }, attributes);
      },
    },
  ),
  decides(
    'extra-of-others-by-the-first-key',
    'of several keys of extra that one asks with only the first is asked about',
    ['P-331'],
    {
      impersonationSteps: (mode, wanted, attributes) =>
        upstream.impersonationSteps(
          mode,
          { ...wanted, extra: Object.fromEntries(Object.entries(wanted.extra).slice(0, 1)) },
          attributes,
        ),
    },
  ),
  decides('requests-of-others-unasked', 'who may ask something in the name of others asks everything', ['P-548'], {
    impersonationSteps: (...asked) =>
      upstream.impersonationSteps(...asked).filter(({ question }) => !question.verb.startsWith('impersonate-on:')),
  }),
  decides('masters-among-others', 'who may be in the group of administrators in the name of a user is', ['P-548'], {
    impersonationSteps: (...asked) =>
      upstream.impersonationSteps(...asked).map((step) => (step.kind === 'refuse' ? { ...step, kind: 'ask' } : step)),
  }),
  decides('nodes-among-users', 'who may ask in the name of a user may in that of a node', ['P-548'], {
    impersonationModeApplies: (mode, wanted, requestor) =>
      mode === 'user-info' || upstream.impersonationModeApplies(mode, wanted, requestor),
    impersonationSteps: (mode, wanted, attributes) =>
      upstream.impersonationSteps(mode, wanted, attributes).map((step) => {
        const { question } = step;
        const ofNode = mode === 'user-info' && question.resource === 'nodes';
        return ofNode ? { ...step, question: { ...question, resource: 'users', name: wanted.name } } : step;
      }),
  }),
  decides('uids-of-others-beside-groups', 'nobody asks about a UID where groups are asked about', ['P-331'], {
    impersonationSteps: (mode, wanted, attributes) =>
      upstream.impersonationSteps(mode, wanted.groups.length === 0 ? wanted : { ...wanted, uid: '' }, attributes),
  }),
  decides('extra-of-others-in-percents', 'a key of extra stays as its header is written', ['P-331'], {
    impersonatedExtraKey: (inHeader) => inHeader,
  }),
  decides('extra-of-others-lost', 'who asks with extra in the name of others is without it', ['P-331'], {
    impersonatedUser: (mode, wanted) => upstream.impersonatedUser(mode, { ...wanted, extra: {} }),
  }),
  decides(
    'strangers-of-others-known',
    'who asks in the name of a stranger is in the group of those who are known',
    ['P-331'],
    {
      withImpersonatedGroups: (user) => ({ ...user, groups: [...user.groups, 'system:authenticated'] }),
    },
  ),
];
