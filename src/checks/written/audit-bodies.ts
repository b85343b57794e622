/**
 * Which credentials an audit policy writes into a log, with the bodies of the requests that bring them.
 * Source: apiserver pkg/audit/policy/checker.go ruleMatches, ruleMatchesResource; pkg/audit/request.go.
 */
import { type Fields, records, text, texts } from '../../kubernetes/json.js';
import { GROUP_AUTHENTICATED } from '../../kubernetes/names.js';

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
  const [own = '', sub = ''] = resource.split('/');
  const all = records(rule.resources);
  const isMeant = (item: string): boolean => [resource, '*', `*/${sub}`, `${own}/*`].includes(item);
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
/** Whom and what no rule names. */
const ANOTHER = 'another';

/** Lists of what a rule is about. */
const LISTS: Readonly<Record<'users' | 'groups' | 'namespaces' | 'names', (rule: Fields) => readonly string[]>> = {
  users: ({ users }) => texts(users),
  groups: ({ userGroups }) => texts(userGroups),
  namespaces: ({ namespaces }) => texts(namespaces),
  names: ({ resources }) => records(resources).flatMap(({ resourceNames }) => texts(resourceNames)),
};
type List = keyof typeof LISTS;

/** By value: the first rule that is about it by name. */
type Named = Readonly<Record<List, ReadonlyMap<string, Fields>>>;

function namedIn(all: readonly Fields[]): Named {
  const of = (list: List): ReadonlyMap<string, Fields> => {
    const first = new Map<string, Fields>();
    for (const rule of all) for (const one of LISTS[list](rule)) if (!first.has(one)) first.set(one, rule);
    return first;
  };
  return { users: of('users'), groups: of('groups'), namespaces: of('namespaces'), names: of('names') };
}

/** Whoever a rule is about, in a namespace and by a name that it is about: one that no rule before names, or some. */
function askedBy(rule: Fields, { isNamespaced }: Bearing, verb: string, named: Named): readonly Asked[] {
  const of = (list: List, others: string): readonly string[] => {
    const own = LISTS[list](rule);
    const fresh = own.find((one) => named[list].get(one) === rule);
    if (fresh !== undefined) return [fresh];
    return own.length === 0 ? [others] : own.slice(0, 2);
  };
  const users = of('users', ANOTHER);
  const groups = of('groups', GROUP_AUTHENTICATED);
  const names = [...new Set(['', ...of('names', '')])];
  const namespaces = isNamespaced ? of('namespaces', ANOTHER) : [''];
  return users.flatMap((user) =>
    groups.flatMap((group) =>
      namespaces.flatMap((namespace) =>
        names.map((name) => ({ user, groups: [group, GROUP_AUTHENTICATED], verb, namespace, name })),
      ),
    ),
  );
}

/** "secrets", "tokenreviews": of which a body is recorded, in the order of rules. The first rule that matches decides. */
export function recordedBodies({ rules, omitStages }: Fields): readonly string[] {
  const all = records(rules).slice(0, MOST);
  const named = namedIn(all);
  const isRecorded = (rule: Fields, level: string, verb: string, { sent, answered }: Bearing): boolean =>
    (level === 'RequestResponse' && answered.includes(verb)) ||
    (level !== 'None' && level !== 'Metadata' && sent.includes(verb))
      ? ![...texts(omitStages), ...texts(rule.omitStages)].includes('ResponseComplete')
      : false;
  const recorded = BEARING.filter((bearing) =>
    all.some((rule) => {
      const verbs = bearing.answered.filter((verb) => isRecorded(rule, text(rule.level), verb, bearing));
      return verbs.some((verb) =>
        askedBy(rule, bearing, verb, named).some((asked) => all.find((one) => isOf(one, bearing, asked)) === rule),
      );
    }),
  );
  return recorded.map(({ resource }) => resource);
}
