/**
 * Objects as the types of the API have them, before anybody looks into them: null is what is not there, what belongs
 * there and is not is empty, and another type is refused. Source: sigs.k8s.io/json, which decodes them so upstream;
 * the types: k8s.io/api and apimachinery, pkg/apis/meta/v1, types.go.
 */
import { type Fields, isRecord } from './json.js';
import type { KubeObject } from './objects.js';
import type { Resource } from './resources.js';

type Field = 'text' | 'switch' | 'number' | 'texts' | 'texts by name' | 'lists by name' | Shape | readonly [Shape];
type Members = Readonly<Record<string, Field>>;
type Always = 'text' | 'texts' | Shape;
/** The members of an object of which something is read: `always` those that Go writes even where they are empty. */
interface Shape {
  readonly always?: Readonly<Record<string, Always>>;
  readonly maybe?: Members;
}

/** An object that no API server holds; the message is a sentence without its end. */
export class Misshapen extends Error {}

const CALLED: Readonly<Record<Extract<Field, string>, string>> = {
  text: 'a text',
  switch: 'true or false',
  number: 'a number',
  texts: 'a list of texts',
  'texts by name': 'texts by their names',
  'lists by name': 'lists of texts by their names',
};

const each = <T extends Field>(names: string, field: T): Readonly<Record<string, T>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, field] as const));

const REFERENCE: Shape = { always: each('apiVersion kind name uid', 'text'), maybe: each('controller', 'switch') };
const METADATA: Shape = {
  maybe: {
    ...each('name generateName namespace uid resourceVersion creationTimestamp deletionTimestamp', 'text'),
    ...each('labels annotations', 'texts by name'),
    ...each('generation deletionGracePeriodSeconds', 'number'),
    finalizers: 'texts',
    ownerReferences: [REFERENCE],
  },
};
const SELECTOR: Shape = {
  maybe: {
    matchLabels: 'texts by name',
    matchExpressions: [{ always: each('key operator', 'text'), maybe: { values: 'texts' } }],
  },
};
const ROLE: Shape = {
  maybe: {
    rules: [{ always: { verbs: 'texts' }, maybe: each('apiGroups resources resourceNames nonResourceURLs', 'texts') }],
  },
};
const BINDING: Shape = {
  always: { roleRef: { always: each('apiGroup kind name', 'text') } },
  maybe: { subjects: [{ always: each('kind name', 'text'), maybe: each('apiGroup namespace', 'text') }] },
};
const REQUEST: Shape = {
  always: {
    spec: {
      always: each('request signerName', 'text'),
      maybe: {
        ...each('username uid', 'text'),
        ...each('usages groups', 'texts'),
        expirationSeconds: 'number',
        extra: 'lists by name',
      },
    },
  },
  maybe: {
    status: {
      maybe: {
        certificate: 'text',
        conditions: [
          {
            always: each('type status', 'text'),
            maybe: each('reason message lastUpdateTime lastTransitionTime', 'text'),
          },
        ],
      },
    },
  },
};

/** Of other kinds each member is looked at by whoever reads it. */
const BARE: Shape = { always: { metadata: METADATA } };
const own = ({ always, maybe = {} }: Shape): Shape => ({ always: { ...BARE.always, ...always }, maybe });

/** By group and kind. */
const SHAPES: ReadonlyMap<string, Shape> = new Map([
  ['/Secret', own({ maybe: { type: 'text', data: 'texts by name', immutable: 'switch' } })],
  ['/ConfigMap', own({ maybe: each('data binaryData', 'texts by name') })],
  [
    'rbac.authorization.k8s.io/ClusterRole',
    own({ maybe: { ...ROLE.maybe, aggregationRule: { maybe: { clusterRoleSelectors: [SELECTOR] } } } }),
  ],
  ['rbac.authorization.k8s.io/Role', own(ROLE)],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', own(BINDING)],
  ['rbac.authorization.k8s.io/RoleBinding', own(BINDING)],
  ['certificates.k8s.io/CertificateSigningRequest', own(REQUEST)],
]);

const isList = (field: Field): field is readonly [Shape] => Array.isArray(field);
const isText = (value: unknown): boolean => typeof value === 'string';
const isNothing = (value: unknown): value is null | undefined => value === null || value === undefined;

function emptyOf(field: Always): unknown {
  if (field === 'text') return '';
  return field === 'texts' ? [] : typedFields({}, field, '');
}

function refuse(path: string, wanted: string): never {
  throw new Misshapen(`its ${path} is not ${wanted}`);
}

/** The same list where all of its items are as they should be. */
function typedItems(
  items: readonly unknown[],
  typedItem: (item: unknown, path: string) => unknown,
  path: string,
): readonly unknown[] {
  const typed = items.map((item, at) => typedItem(item, `${path}[${at}]`));
  return typed.every((item, at) => item === items[at]) ? items : typed;
}

const typedText = (value: unknown, path: string): unknown =>
  value === null ? '' : isText(value) ? value : refuse(path, CALLED.text);

function typedTexts(value: unknown, path: string): unknown {
  return Array.isArray(value) ? typedItems(value, typedText, path) : refuse(path, CALLED.texts);
}

/** The same record where all of its values are as they should be. */
function typedValues(value: unknown, typedValue: (value: unknown, path: string) => unknown, path: string): unknown {
  const named = Object.entries(value as Fields).map(
    ([name, given]) => [name, given, typedValue(given, `${path}[${name}]`)] as const,
  );
  if (named.every(([, given, typed]) => typed === given)) return value;
  return Object.fromEntries(named.map(([name, , typed]) => [name, typed] as const));
}

function typedValue(value: unknown, field: Field, path: string): unknown {
  if (isList(field)) {
    if (!Array.isArray(value)) return refuse(path, 'a list');
    return typedItems(value, (item, at) => typedValue(item ?? {}, field[0], at), path);
  }
  if (typeof field !== 'string') return isRecord(value) ? typedFields(value, field, path) : refuse(path, 'an object');
  switch (field) {
    case 'text':
      return typedText(value, path);
    case 'switch':
      return typeof value === 'boolean' ? value : refuse(path, CALLED[field]);
    case 'number':
      return typeof value === 'number' ? value : refuse(path, CALLED[field]);
    case 'texts':
      return typedTexts(value, path);
    default: {
      if (!isRecord(value)) return refuse(path, CALLED[field]);
      const inner = field === 'texts by name' ? typedText : (one: unknown, at: string) => typedTexts(one ?? [], at);
      return typedValues(value, inner, path);
    }
  }
}

function typedFields(value: Fields, { always = {}, maybe = {} }: Shape, path: string): Fields {
  let typed: Record<string, unknown> | undefined;
  const look = <F extends Field>(members: Readonly<Record<string, F>>, without: (field: F) => unknown): void => {
    for (const [name, field] of Object.entries(members)) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined;
      const wanted = isNothing(given)
        ? without(field)
        : typedValue(given, field, path === '' ? name : `${path}.${name}`);
      if (wanted === given) continue;
      typed ??= { ...value };
      if (wanted === undefined) delete typed[name];
      else typed[name] = wanted;
    }
  };
  look(always, emptyOf);
  look(maybe, () => undefined);
  return typed ?? value;
}

/**
 * The object as its type has it; the same where it is so already, as all are that an API server stores. Throws what
 * `refused` makes of the member that is not: "its rules[0].verbs is not a list of texts".
 */
export function typedObject<T extends KubeObject>(
  object: T,
  { group, kind }: Pick<Resource, 'group' | 'kind'>,
  refused: (why: string) => Error = (why) => new Misshapen(why),
): T {
  try {
    return typedFields(object, SHAPES.get(`${group}/${kind}`) ?? BARE, '') as T;
  } catch (error) {
    throw error instanceof Misshapen ? refused(error.message) : error;
  }
}
