/**
 * What dumps show that nobody has written tidily: src/targets/recorded/dumps.txt has, dump by dump, what each question
 * about it is answered. Whoever takes what was not listed for absent, or leaves a part of it out, answers otherwise.
 * `node dist/src/targets/odd-dumps.test.js --write` writes it anew.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Resource, resources } from '../kubernetes/resources.js';
import { testRecorded } from '../report/recorded.testing.js';
import { packageFile } from '../run/package-root.js';
import { openDump } from './dump.js';
import type { ListOptions, ObjectReader } from './types.js';

type Fields = Readonly<Record<string, unknown>>;

const object = (kind: string, name: string, namespace?: string, more: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, ...(namespace === undefined ? {} : { namespace }), labels: { of: name } },
  ...more,
});
const secret = (name: string, namespace: string, type = 'Opaque'): Fields =>
  object('Secret', name, namespace, { type });
const listOf = (kind: string, ...items: readonly unknown[]): Fields => ({
  apiVersion: 'v1',
  kind,
  metadata: {},
  items,
});
const bare = ({ kind: _, apiVersion: __, ...rest }: Fields): Fields => rest;
const json = (value: unknown): string => JSON.stringify(value, undefined, 1);
const inside = listOf('List', secret('a', 'kube-system', 'x'), secret('b', 'kube-system'));
const everywhere = listOf('List', secret('a', 'kube-system', 'x'), secret('c', 'default'));
const pod = (image: string, name = 'kube-apiserver-one'): Fields => ({
  ...object('Pod', name, 'kube-system', { spec: { containers: [{ name: 'kube-apiserver', image }] } }),
  metadata: { name, namespace: 'kube-system', labels: { component: 'kube-apiserver' } },
});
const configuration = (version: string): Fields =>
  object('ConfigMap', 'kubeadm-config', 'kube-system', {
    data: { ClusterConfiguration: `kind: ClusterConfiguration\nkubernetesVersion: ${version}\n` },
  });
const role = (kind: string, name: string, namespace?: string): Fields => ({
  ...object(kind, name, namespace),
  apiVersion: 'rbac.authorization.k8s.io/v1',
});
const several = ['ConfigMap', 'ServiceAccount', 'Pod'].map((kind) =>
  listOf('List', object(kind, 'one', 'default'), object(kind, 'one', 'kube-system')),
);

/** Files by their names. */
const DUMPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'objects alone': { 'a.json': json(secret('a', 'kube-system')), 'b.json': json(object('Node', 'one')) },
  'a list of one namespace': { 'a.json': json(inside) },
  'a list of two namespaces': { 'a.json': json(everywhere) },
  'lists of a namespace each': {
    'a.json': json(inside),
    'b.json': json(listOf('List', secret('c', 'default'))),
  },
  'a list of one kind, in one namespace': {
    'a.json': json(listOf('SecretList', bare(secret('a', 'kube-system')), bare(secret('b', 'kube-system')))),
  },
  'a list of one kind without items': { 'a.json': json({ apiVersion: 'v1', kind: 'NodeList', items: null }) },
  'lists of nothing beside an object': {
    'a.json': json(listOf('NodeList')),
    'b.json': json(object('Node', 'one')),
  },
  'lists within lists': { 'a.json': json(listOf('List', listOf('List', listOf('List', secret('a', 'kube-system'))))) },
  'lists within more lists than anybody writes': {
    'a.json': json([1, 2, 3, 4, 5].reduce<Fields>((list) => listOf('List', list), inside)),
    'b.json': json(object('Node', 'one')),
  },
  'a list whose items are no objects': { 'a.json': json(listOf('List', 'a', null, 7, [], object('Node', 'one'))) },
  'a list of several kinds': {
    'a.json': json(
      listOf('List', secret('a', 'kube-system'), object('ConfigMap', 'a', 'default'), object('Node', 'one')),
    ),
  },
  'a list of Nodes': { 'a.json': json(listOf('List', object('Node', 'one'), object('Node', 'two'))) },
  'several kinds of all namespaces': { 'a.json': several.map(json).join('\n'), 'b.json': json(inside) },
  'two kinds of all namespaces': { 'a.json': several.slice(1).map(json).join('\n'), 'b.json': json(inside) },
  'several kinds of all namespaces, and an object alone': {
    'a.json': several.map(json).join('\n'),
    'b.json': json(secret('a', 'kube-system')),
  },
  'JSON with logs between': {
    'a.json': `${json(inside)}\n==== START logs ====\nI1 {"not": "json\n${json(object('Node', 'one'))}\n`,
  },
  'YAML of several documents': {
    'a.yaml': `---\n${json(inside)}\n---\n\n---\nkind: Node\napiVersion: v1\nmetadata: { name: one }\n`,
    'b.yml': 'kind: ConfigMap\napiVersion: v1\nmetadata: { name: a, namespace: default }\n',
  },
  'files of other names, folders and links': {
    'a.txt': json(secret('a', 'kube-system')),
    'A.JSON': json(secret('b', 'kube-system')),
    'below/further/c.Yaml': json(secret('c', 'kube-system')),
    'link.json': '-> a.txt',
  },
  'an object twice': {
    'a.json': json(object('ConfigMap', 'a', 'default', { data: { is: 'first' } })),
    'b.json': json(object('ConfigMap', 'a', 'default', { data: { is: 'second' } })),
  },
  'objects without a name, a kind, a version': {
    'a.json': [
      { kind: 'Secret', apiVersion: 'v1', metadata: {} },
      { kind: 'Secret', metadata: { name: 'a', namespace: 'kube-system' } },
      { apiVersion: 'v1', metadata: { name: 'a', namespace: 'kube-system' } },
      { kind: 'Secret', apiVersion: 'v1' },
      object('Node', 'one'),
    ]
      .map(json)
      .join('\n'),
  },
  'an object of another group': {
    'a.json': json({ ...secret('a', 'kube-system'), apiVersion: 'other.example/v1' }),
  },
  'an object of another type': {
    'a.json': json({ ...secret('a', 'kube-system'), data: 'none' }),
  },
  'what is cut off': { 'a.json': json(inside).slice(0, -20) },
  'what is no YAML': { 'a.yaml': 'a: [1\n' },
  'words alone': { 'a.yaml': 'just words\n' },
  'no file of objects': { 'a.txt': json(inside) },
  'the configuration of kubeadm': { 'a.json': json(configuration('v1.31.2')) },
  'the configuration of kubeadm, and another image': {
    'a.json': json(configuration('"v1.30.0"')),
    'b.json': json(listOf('List', pod('registry.k8s.io/kube-apiserver:v1.29.1'))),
  },
  'an image of the API server': {
    'a.json': json(listOf('List', pod('registry.k8s.io/kube-apiserver:v1.29.1@sha256:00'))),
  },
  'an image without a release': { 'a.json': json(listOf('List', pod('registry.k8s.io/kube-apiserver:latest'))) },
  'another Pod of that image': {
    'a.json': json(
      listOf('List', {
        ...pod('registry.k8s.io/kube-apiserver:v1.29.1'),
        metadata: { name: 'a', namespace: 'kube-system' },
      }),
    ),
  },
  'one thing that kubeadm leaves': { 'a.json': json(role('ClusterRole', 'kubeadm:get-nodes')) },
  'two things that kubeadm leaves': {
    'a.json': json(role('ClusterRole', 'kubeadm:get-nodes')),
    'b.json': json(role('ClusterRoleBinding', 'kubeadm:kubelet-bootstrap')),
  },
};

const GETS: readonly (readonly [Resource, string, string?])[] = [
  [resources.secrets, 'a', 'kube-system'],
  [resources.secrets, 'none', 'kube-system'],
  [resources.secrets, 'none', 'default'],
  [resources.secrets, 'none', 'other'],
  [resources.configMaps, 'a', 'default'],
  [resources.nodes, 'one'],
  [resources.nodes, 'none'],
];
const LISTS: readonly (readonly [Resource, ListOptions])[] = [
  [resources.secrets, {}],
  [resources.secrets, { whole: true }],
  [resources.secrets, { namespace: 'kube-system' }],
  [resources.secrets, { namespace: 'kube-system', whole: true }],
  [resources.secrets, { namespace: 'default' }],
  [resources.secrets, { namespace: 'other', whole: true }],
  [resources.secrets, { namespace: 'kube-system', fieldSelector: 'type=x' }],
  [resources.secrets, { namespace: 'kube-system', fieldSelector: 'type!=x,metadata.name=b' }],
  [resources.secrets, { namespace: 'kube-system', labelSelector: 'of=a' }],
  [resources.secrets, { namespace: 'kube-system', labelSelector: 'of!=a' }],
  [resources.nodes, {}],
  [resources.nodes, { whole: true }],
  [resources.nodes, { fieldSelector: 'metadata.name.more=one' }],
];

const said = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
const wordsOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

async function answers(objects: ObjectReader): Promise<readonly string[]> {
  const lines: string[] = [];
  const tell = async (what: string, asked: Promise<unknown>): Promise<void> => {
    lines.push(`  ${what}: ${await asked.then(said, wordsOf)}`);
  };
  for (const [resource, name, namespace] of GETS)
    await tell(
      `get ${resource.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`,
      objects.get(resource, name, namespace).then((found) => (found === undefined ? 'absent' : bare({ ...found }))),
    );
  for (const [resource, options] of LISTS)
    await tell(
      `list ${resource.kind} ${JSON.stringify(options)}`,
      objects.list(resource, options, ({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`),
    );
  return lines;
}

async function told(folder: string): Promise<readonly string[]> {
  try {
    const { name, facts, abilities } = await openDump(folder);
    const { version, holds, signs = [] } = facts;
    const { objects } = abilities;
    const known = `${said(version)}, ${[...holds].join(' ')}, ${signs.join(' ')}`;
    return [`  ${name.replace(folder, '…')}: ${known}`, ...(objects === undefined ? [] : await answers(objects))];
  } catch (error) {
    return [`  ${wordsOf(error).replaceAll(folder, '…')}`];
  }
}

const work = mkdtempSync(path.join(tmpdir(), 'joinproof-dumps-'));
const lines: string[] = [];
try {
  for (const [at, [what, files]] of Object.entries(DUMPS).entries()) {
    const folder = path.join(work, String(at));
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(folder, name);
      mkdirSync(path.dirname(file), { recursive: true });
      if (text.startsWith('-> ')) symlinkSync(text.slice(3), file);
      else writeFileSync(file, text);
    }
    lines.push(what, ...(await told(folder)));
  }
} finally {
  rmSync(work, { recursive: true });
}
testRecorded(
  'what odd dumps show',
  packageFile('src/targets/recorded'),
  new Map([['dumps.txt', `${lines.join('\n')}\n`]]),
);
