import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { resources } from '../kubernetes/resources.js';
import { readDocuments } from './dump/documents.js';
import { dumpOf, openDump } from './dump.js';
import { ConfigurationError, NotInDump } from './errors.js';

const secret = (name: string, namespace: string, type = 'Opaque', labels = '') =>
  `- apiVersion: v1\n  kind: Secret\n  metadata: { name: ${name}, namespace: ${namespace}${labels} }\n  type: ${type}\n`;
const LIST = `apiVersion: v1\nkind: List\nitems:\n${secret('a', 'kube-system', 'x', ', labels: { k: v }')}${secret('b', 'kube-system')}`;
const names = (text: string) => readDocuments(text).map(({ object, listed }) => [object.metadata.name, listed]);

describe('a dump', () => {
  it('is a file, or standard input, and is called so', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-dump-'));
    const { stdin } = process;
    try {
      const file = path.join(folder, 'all.yaml');
      writeFileSync(file, LIST);
      const stream = Readable.from([LIST.slice(0, 7), LIST.slice(7)].map((text) => Buffer.from(text)));
      Object.defineProperty(process, 'stdin', { value: stream, configurable: true });
      for (const [given, name] of [
        [file, file],
        ['-', 'standard input'],
      ] as const) {
        const dump = await openDump(given);
        assert.equal(dump.name, `2 objects of ${name}`);
        const items = (await dump.abilities.objects?.list(resources.secrets)) ?? [];
        assert.deepEqual(
          items.map(({ metadata }) => metadata.name),
          ['a', 'b'],
          given,
        );
      }
    } finally {
      Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
      rmSync(folder, { recursive: true });
    }
  });
});

describe('what kubectl writes', () => {
  it('is read from a List, from several documents and from single objects', () => {
    assert.deepEqual(names(LIST), [
      ['a', true],
      ['b', true],
    ]);
    const one = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n';
    assert.deepEqual(names(`${one}---\n${LIST}---\n`), [
      ['c', false],
      ['a', true],
      ['b', true],
    ]);
  });

  it('is read from a list of one kind, whose items do not say what they are', () => {
    const text = '{"kind":"SecretList","apiVersion":"v1","metadata":{},"items":[{"metadata":{"name":"s"}}]}';
    const [found] = readDocuments(text);
    assert.equal(found?.object.kind, 'Secret');
    assert.equal(found?.object.apiVersion, 'v1');
    assert.deepEqual(names('{"kind":"NodeList","apiVersion":"v1","items":null}'), []);
  });

  it('is read from JSON values one after another, with logs between them', () => {
    const map = (name: string) =>
      `{\n  "apiVersion": "v1",\n  "kind": "ConfigMap",\n  "metadata": {"name": "${name} }{"}\n}\n`;
    const text = `${map('x')}==== START logs for container a of pod b ====\nI1122 {"not": "json\n==== END ====\n${map('y')}`;
    assert.deepEqual(names(text), [
      ['x }{', false],
      ['y }{', false],
    ]);
  });

  it('is JSON where a value begins it or stands alone on a line, and YAML otherwise', () => {
    const json = (name: string) => JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } });
    const lines = (name: string) => json(name).replace('{', '{\n');
    for (const text of [
      `${json('a')}\n${json('b')}`,
      ` \n${json('a')}${json('b')}\n`,
      `a line of a log\n${lines('a')}\n---- no document\n${lines('b')}`.replace('---- ', '- - '),
      `# YAML\n---\n${lines('a')}\n---\n${lines('b')}\n`,
      `---\n${json('a')}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: b\n`,
    ])
      assert.deepEqual(names(text), [
        ['a', false],
        ['b', false],
      ]);
  });

  it('is refused where more brackets are open than anybody leaves open', () => {
    for (const [opens, closes] of [
      ['[', ']'],
      ['{', '}'],
    ] as const) {
      assert.deepEqual(readDocuments(`# ${opens.repeat(10_001)}\n`), []);
      assert.deepEqual(readDocuments(`a: '${opens.repeat(10_001)}'\n`), []);
      assert.deepEqual(readDocuments(`a: ${opens.repeat(300)}${closes.repeat(300)}\n`), []);
      assert.throws(() => readDocuments(`a: ${opens.repeat(301)}${closes.repeat(301)}\n`), /nested too deeply/);
    }
    const entries = (count: number): string => `${'- '.repeat(count)}a\n`;
    assert.deepEqual(readDocuments(entries(99)), []);
    assert.throws(() => readDocuments(entries(100)), /nested too deeply/);
  });

  it('is refused whose aliases grow without end', () => {
    const more = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}*a${at}]\n`);
    assert.throws(() => readDocuments(`a0: &a0 [x]\n${more.join('')}`), /[Aa]lias/);
    assert.deepEqual(readDocuments('a: &a [x]\nb: [*a, *a]\n'), []);
  });

  it('is refused where it is cut off or neither', () => {
    assert.throws(() => readDocuments('{"kind": "List", "items": ['), SyntaxError);
    assert.throws(() => readDocuments('a: [1'), SyntaxError);
    assert.deepEqual(readDocuments('just words'), []);
  });
});

describe('a dump', () => {
  it('shows objects as a server does', async () => {
    const dump = await dumpOf([{ name: 'f', text: LIST }], 'f');
    const { objects } = dump.abilities;
    assert.ok(objects);
    assert.equal((await objects.list(resources.secrets, { namespace: 'kube-system' })).length, 2);
    assert.equal(
      (await objects.list(resources.secrets, { namespace: 'kube-system', fieldSelector: 'type=x' })).length,
      1,
    );
    assert.equal((await objects.list(resources.secrets, { labelSelector: 'k=v' })).length, 1);
    assert.equal((await objects.get(resources.secrets, 'a', 'kube-system'))?.metadata.name, 'a');
  });

  it('takes for absent only what a list of the same kind and namespace lacks', async () => {
    const { objects } = (await dumpOf([{ name: 'f', text: LIST }], 'f')).abilities;
    assert.ok(objects);
    assert.equal(await objects.get(resources.secrets, 'c', 'kube-system'), undefined);
    await assert.rejects(objects.get(resources.secrets, 'c', 'default'), NotInDump);
    await assert.rejects(objects.list(resources.secrets, { namespace: 'default' }), NotInDump);
    await assert.rejects(objects.list(resources.nodes), /the dump holds no list of nodes \(v1\)/);
    const single = 'apiVersion: v1\nkind: Secret\nmetadata: { name: a, namespace: kube-system }\n';
    const alone = (await dumpOf([{ name: 'f', text: single }], 'f')).abilities.objects;
    await assert.rejects(async () => alone?.get(resources.secrets, 'b', 'kube-system'), NotInDump);
    const everywhere = `${LIST}${secret('c', 'default')}`;
    const all = (await dumpOf([{ name: 'f', text: everywhere }], 'f')).abilities.objects;
    assert.deepEqual(await all?.list(resources.secrets, { namespace: 'other' }), []);
  });

  it('is concluded from where a list is of all namespaces', async () => {
    const lists = async (text: string, namespace?: string): Promise<boolean> => {
      const objects = (await dumpOf([{ name: 'a', text }], 'a')).abilities.objects;
      try {
        await objects?.list(resources.secrets, { whole: true, ...(namespace === undefined ? {} : { namespace }) });
        return true;
      } catch (error) {
        assert.ok(error instanceof NotInDump);
        return false;
      }
    };
    assert.equal(await lists(LIST), false);
    assert.equal(await lists(LIST, 'kube-system'), true);
    assert.equal(await lists(LIST, 'default'), false);
    assert.equal(await lists(`${LIST}${secret('c', 'default')}`), true);
    const map = '- apiVersion: v1\n  kind: ConfigMap\n  metadata: { name: c, namespace: default }\n';
    assert.equal(await lists(`${LIST}${map}`), true);
    assert.equal(await lists(`${LIST}${map}`, 'other'), true);
    assert.equal(await lists(secret('a', 'kube-system').replace('- ', '').replaceAll('\n  ', '\n')), false);
  });

  it('is concluded from lists of several other kinds in all namespaces', async () => {
    const listOf = (kind: string, ...namespaces: readonly string[]) => ({
      name: kind,
      text: JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: namespaces.map((namespace) => ({ apiVersion: 'v1', kind, metadata: { name: 'a', namespace } })),
      }),
    });
    const isWhole = async (...kinds: readonly string[]): Promise<boolean> => {
      const others = kinds.map((kind) => listOf(kind, 'default', 'kube-system'));
      const { objects } = (await dumpOf([...others, listOf('Secret', 'kube-system')], 'a')).abilities;
      return (
        objects?.list(resources.secrets, { whole: true }).then(
          () => true,
          () => false,
        ) ?? false
      );
    };
    assert.equal(await isWhole('ConfigMap', 'ServiceAccount', 'Pod'), true);
    assert.equal(await isWhole('ConfigMap', 'ServiceAccount'), false);
    assert.equal(await isWhole(), false);
  });

  it('says what it lacks, and shows neither token secrets nor a version that is not there', async () => {
    const token = {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'bootstrap-token-abcdef', namespace: 'kube-system' },
      type: 'bootstrap.kubernetes.io/token',
      data: { 'token-secret': Buffer.from('0123456789abcdef').toString('base64') },
    };
    const dump = await dumpOf([{ name: 'f', text: JSON.stringify(token) }], 'f');
    assert.equal(dump.redactor.redact('x 0123456789abcdef'), 'x [redacted]');
    assert.match(dump.why('requests'), /nobody answers/);
    assert.match(dump.why('kubeadm'), /kubeadm-config/);
    assert.deepEqual(dump.facts.version, { unreadable: 'the dump shows no version of Kubernetes' });
  });

  it('tells the version by what kubeadm wrote, or by the image of the API server', async () => {
    const config = (text: string) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'kubeadm-config', namespace: 'kube-system' },
      data: { ClusterConfiguration: text },
    });
    const written = await dumpOf(
      [{ name: 'f', text: JSON.stringify(config('a: 1\nkubernetesVersion: v1.33.2\n')) }],
      'f',
    );
    assert.deepEqual(written.facts.version, { gitVersion: 'v1.33.2', minor: 33, patch: 2 });
    assert.ok(written.facts.holds.has('kubeadm'));
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'a', namespace: 'kube-system', labels: { component: 'kube-apiserver' } },
      spec: { containers: [{ image: 'registry.k8s.io/kube-apiserver:v1.31.1' }] },
    };
    const list = { apiVersion: 'v1', kind: 'List', items: [pod] };
    const { version } = (await dumpOf([{ name: 'f', text: JSON.stringify(list) }], 'f')).facts;
    assert.deepEqual(version, { gitVersion: 'v1.31.1', minor: 31, patch: 1 });
  });

  it('must hold an object', async () => {
    await assert.rejects(dumpOf([{ name: 'f', text: '' }], 'f'), ConfigurationError);
    await assert.rejects(dumpOf([{ name: 'f', text: 'a: [1' }], 'f'), /neither YAML nor JSON/);
  });

  it('holds objects as their types have them: null is nothing, another type is named with its object and file', async () => {
    const role = (verbs: string) =>
      `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: r, labels: }\nrules: [${verbs}]`;
    const { objects } = (await dumpOf([{ name: 'f', text: role('{ verbs: }') }], 'f')).abilities;
    assert.deepEqual(await objects?.get(resources.clusterRoles, 'r'), {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'r' },
      rules: [{ verbs: [] }],
    });
    await assert.rejects(
      dumpOf(
        [
          { name: 'g', text: LIST },
          { name: 'f', text: role('{ verbs: get }') },
        ],
        'both',
      ),
      new ConfigurationError(
        '--manifests: f holds what no API server takes (ClusterRole r: its rules[0].verbs is not a list of texts); repair it, or leave it out.',
      ),
    );
  });
});

describe('a dump and the disk of a node', () => {
  it('are judged together', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'joinproof-dump-'));
    try {
      const [dump, node] = [path.join(home, 'a.yaml'), path.join(home, 'node')];
      writeFileSync(dump, LIST);
      mkdirSync(path.join(node, 'etc'), { recursive: true });
      writeFileSync(path.join(node, 'etc/hostname'), 'cp-1\n');
      const alone = await openDump(dump);
      assert.equal(alone.abilities.files, undefined);
      const both = await openDump(dump, node);
      assert.deepEqual(Object.keys(both.abilities).sort(), [...Object.keys(alone.abilities), 'files'].sort());
      const [entry] = (await both.abilities.files?.read(['/etc/hostname'])) ?? [];
      assert.equal(entry?.text, 'cp-1\n');
      assert.ok(both.name.startsWith(`${alone.name}, and `) && both.name.includes(node), both.name);
      assert.equal((await both.abilities.objects?.get(resources.secrets, 'a', 'kube-system'))?.metadata.name, 'a');
      await assert.rejects(openDump(dump, path.join(home, 'none')), ConfigurationError);
    } finally {
      rmSync(home, { recursive: true });
    }
  });
});
