/**
 * Which credentials an audit policy writes into a log, with the bodies of the requests that bring them.
 * Source: apiserver pkg/audit/policy/checker.go ruleMatches, ruleMatchesResource; pkg/audit/request.go.
 */
import { type Fields, records, text, texts } from '../kubernetes/json.js';

/** What bears credentials, and in whose body: what is sent to it, what it answers. */
interface Bearing {
  readonly group: string;
  readonly resource: string;
  readonly isNamespaced: boolean;
  /** Verbs whose requests bear them, and those whose answers do. */
  readonly sent: readonly string[];
  readonly answered: readonly string[];
}
const WRITING = ['create', 'update', 'patch'];
const BEARING: readonly Bearing[] = [
  { group: '', resource: 'secrets', isNamespaced: true, sent: WRITING, answered: [...WRITING, 'get', 'list'] },
  { group: '', resource: 'serviceaccounts/token', isNamespaced: true, sent: [], answered: ['create'] },
  {
    group: 'authentication.k8s.io',
    resource: 'tokenreviews',
    isNamespaced: false,
    sent: ['create'],
    answered: ['create'],
  },
];

interface Asked {
  readonly user: string;
  readonly groups: readonly string[];
  readonly verb: string;
  readonly namespace: string;
  readonly name: string;
}

const isAbout = (list: unknown, value: string): boolean => {
  const items = texts(list);
  return items.length === 0 || items.includes(value);
};

function isOfResource(rule: Fields, { group, resource }: Bearing, name: string): boolean {
  const [own = '', sub] = resource.split('/');
  const all = records(rule.resources);
  const isMeant = (item: string): boolean =>
    item === resource || item === '*' || (sub !== undefined && item === `*/${sub}`) || item === `${own}/*`;
  return (
    all.length === 0 ||
    all.some(
      (one) =>
        ['*', group].includes(text(one.group)) &&
        (texts(one.resources).length === 0 || (texts(one.resources).some(isMeant) && isAbout(one.resourceNames, name))),
    )
  );
}

function isOf(rule: Fields, bearing: Bearing, { user, groups, verb, namespace, name }: Asked): boolean {
  const isByPath = texts(rule.nonResourceURLs).length > 0;
  const isHis = texts(rule.userGroups).length === 0 || texts(rule.userGroups).some((one) => groups.includes(one));
  const isAsked = isAbout(rule.users, user) && isHis && isAbout(rule.verbs, verb);
  return isAsked && !isByPath && isAbout(rule.namespaces, namespace) && isOfResource(rule, bearing, name);
}

/** Rules of which more are not read: no policy has as many, and each is held to all before it. */
const MOST = 300;
const SOMEBODY = 'somebody';

/** Whoever a rule is about, in a namespace and by a name that it is about. */
function askedBy(rule: Fields, bearing: Bearing, verb: string): readonly Asked[] {
  const [user = SOMEBODY] = texts(rule.users);
  const names = records(rule.resources).flatMap(({ resourceNames }) => texts(resourceNames));
  const namespaces = bearing.isNamespaced ? [...texts(rule.namespaces).slice(0, 3), 'kube-system', 'default'] : [''];
  const groups = [...texts(rule.userGroups).slice(0, 3), 'system:authenticated'];
  return namespaces.flatMap((namespace) =>
    ['', ...names.slice(0, 1)].map((name) => ({ user, groups, verb, namespace, name })),
  );
}

/** "secrets", "tokenreviews": of which a body is recorded, in the order of rules. The first rule that matches decides. */
export function recordedBodies({ rules, omitStages }: Fields): readonly string[] {
  const all = records(rules).slice(0, MOST);
  const isRecorded = (rule: Fields, level: string, verb: string, { sent, answered }: Bearing): boolean =>
    (level === 'RequestResponse' && answered.includes(verb)) ||
    (level !== 'None' && level !== 'Metadata' && sent.includes(verb))
      ? ![...texts(omitStages), ...texts(rule.omitStages)].includes('ResponseComplete')
      : false;
  const recorded = BEARING.filter((bearing) =>
    all.some((rule) => {
      const verbs = bearing.answered.filter((verb) => isRecorded(rule, text(rule.level), verb, bearing));
      return verbs.some((verb) =>
        askedBy(rule, bearing, verb).some((asked) => all.find((one) => isOf(one, bearing, asked)) === rule),
      );
    }),
  );
  return recorded.map(({ resource }) => resource);
}
