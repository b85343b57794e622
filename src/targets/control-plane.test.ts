/** A control plane of ours as a target, with scripts in the place of its programs. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type ControlPlaneOptions, type InitPhases, openControlPlane } from './control-plane.js';
import { ConfigurationError, TargetUnreachable } from './errors.js';
import { endMarked } from './marked-processes.js';
import type { Abilities, Ability, Target } from './types.js';

let root: string;
let count = 0;
let temporary: string | undefined;
before(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'jp-control-plane-'));
  temporary = process.env.TMPDIR;
  process.env.TMPDIR = root;
});
after(async () => {
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  endMarked(`${root}/`);
  await rm(root, { recursive: true, force: true });
});

/** An API server that is ready at once, and has what a start waits for. It writes down its id and who asks for what. */
const SERVER = `
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
const KINDS = { serviceaccounts: 'ServiceAccount', configmaps: 'ConfigMap', namespaces: 'Namespace' };
const [log, ...args] = process.argv.slice(2);
const told = Object.fromEntries(args.map((one) => one.slice(2).split(/=(.*)/s)));
appendFileSync(log, 'pid ' + process.pid + '\\n');
const read = (flag) => readFileSync(told[flag]);
const tls = { cert: read('tls-cert-file'), key: read('tls-private-key-file'), ca: read('client-ca-file') };
createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (request, response) => {
  const who = request.headers.authorization ?? request.socket.getPeerCertificate().subject?.CN ?? 'nobody';
  const url = request.url.replace(/\\?.*/, '');
  appendFileSync(log, [told['etcd-prefix'] ?? '', request.method, url, 'as', who].join(' ').trim() + '\\n');
  let text = '';
  request.on('data', (chunk) => (text += chunk));
  request.on('end', () => {
    const metadata = { name: url.replace(/.*\\//, ''), uid: 'u', resourceVersion: '1' };
    const [, kind] = Object.entries(KINDS).find(([resource]) => url.includes('/' + resource)) ?? [];
    const answer =
      url === '/version' ? { gitVersion: 'v1.36.1', major: '1', minor: '36' }
      : request.method === 'POST' ? JSON.parse(text)
      : { kind, metadata, data: { 'jws-kubeconfig-abcdef': 'x' } };
    response.writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ ...answer, metadata: { ...metadata, ...answer.metadata } }));
  });
}).listen(Number(told['secure-port']), told['bind-address']);
`;

interface Programs {
  readonly folder: string;
  readonly log: () => readonly string[];
  readonly ids: () => readonly number[];
}

/** `kubeadm`, `controllers`: whether they are there; of kubeadm what it does besides writing down what it is told. */
async function programs({ kubeadm, controllers }: { kubeadm?: string; controllers?: boolean } = {}): Promise<Programs> {
  count += 1;
  const folder = path.join(root, `programs-${count}`);
  await mkdir(folder);
  const [log, server] = [path.join(folder, 'log'), path.join(folder, 'server.mjs')];
  await writeFile(server, SERVER);
  const put = (name: string, [asked, version]: readonly [string, string], does: string): Promise<void> =>
    writeFile(
      path.join(folder, name),
      `#!/bin/sh\nif [ "$1" = ${asked} ]; then echo '${version}'; exit; fi\n${does}\n`,
      { mode: 0o755 },
    );
  const sleeps = `echo "pid $$" >> '${log}'\nexec sleep 600`;
  await put('etcd', ['--version', 'etcd Version: 3.6.5'], sleeps);
  const release = ['--version', 'Kubernetes v1.36.1'] as const;
  await put('kube-apiserver', release, `exec '${process.execPath}' '${server}' '${log}' "$@"`);
  if (controllers === true) await put('kube-controller-manager', release, sleeps);
  if (kubeadm !== undefined) await put('kubeadm', ['version', 'v1.36.1'], `echo "kubeadm $*" >> '${log}'\n${kubeadm}`);
  const lines = (): readonly string[] => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : []);
  return {
    folder,
    log: () => lines().filter((line) => !line.startsWith('pid ')),
    ids: () => lines().flatMap((line) => (line.startsWith('pid ') ? [Number(line.slice(4))] : [])),
  };
}

function isLiving(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

/** Folders of control planes that are there. */
const folders = (): readonly string[] => readdirSync(root).filter((name) => name.startsWith('joinproof-'));

async function within(options: ControlPlaneOptions, act: (target: Target) => Promise<void> | void): Promise<void> {
  const target = await openControlPlane(options);
  try {
    await act(target);
  } finally {
    await target.close();
  }
}
const nothing: InitPhases = async () => {};

describe('a control plane of ours', () => {
  it('has what was started, and leaves nothing of it', async () => {
    const { folder, log, ids } = await programs({ controllers: true });
    const doing: string[] = [];
    const options = {
      env: { KUBEBUILDER_ASSETS: folder },
      initPhases: nothing,
      progress: (one: string) => doing.push(one),
    };
    await within(options, (target) => {
      assert.deepEqual(doing, ['starting kube-apiserver 1.36.1']);
      assert.match(target.name, /^Kubernetes 1\.36\.1 at https:\/\/127\.0\.0\.1:\d+ \(started by joinproof\)$/);
      assert.deepEqual(
        [target.kind, target.facts.version],
        ['control-plane', { gitVersion: 'v1.36.1', minor: 36, patch: 1 }],
      );
      assert.deepEqual([...target.facts.holds].sort(), ['anonymous', 'controllers', 'fresh', 'kubeadm', 'ours']);
      assert.deepEqual([...(target.facts.absent ?? [])], []);
      assert.deepEqual(target.facts.signs, ['joinproof has set it up as kubeadm does']);
      assert.equal(target.why('inProcess'), 'the control plane is other processes');
      for (const ability of ['variants', 'init', 'tls'] as const) assert.ok(target.abilities[ability], ability);
      for (const ability of ['client', 'preflight', 'uploads', 'clock', 'files'] as const)
        assert.equal(target.abilities[ability], undefined, ability);
      assert.ok(folders().length === 1 && ids().length === 3 && ids().every(isLiving));
      assert.ok(log().includes('GET /readyz as kubernetes-super-admin'));
      assert.ok(log().includes('GET /version as kubernetes-admin'));
    });
    assert.deepEqual([folders(), ids().filter(isLiving)], [[], []]);
  });

  it('says what it lacks without controllers, and what where it is bare', async () => {
    const { folder } = await programs();
    const bare = 'the control plane was started bare, without the phases of kubeadm';
    for (const options of [{ initPhases: nothing, switches: { bare: true } }, {}])
      await within({ folder, ...options }, (target) => {
        assert.deepEqual([...target.facts.holds].sort(), ['anonymous', 'fresh', 'ours']);
        assert.deepEqual([...(target.facts.absent ?? [])], ['controllers']);
        assert.deepEqual(target.facts.signs, []);
        assert.equal(target.why('kubeadm'), bare);
        assert.equal(
          target.why('controllers'),
          `${folder} has no kube-controller-manager: nothing signs, cleans or approves`,
        );
      });
  });

  it('needs a folder', async () => {
    for (const env of [{}, { KUBEBUILDER_ASSETS: '' }])
      await assert.rejects(
        openControlPlane({ env }),
        new ConfigurationError(
          '--control-plane needs a folder that holds etcd and kube-apiserver; give one, or set KUBEBUILDER_ASSETS.',
        ),
      );
  });

  it('runs the phase of the tokens again, by kubeadm or by ours, or says that it cannot', async () => {
    const again = async (target: Target): Promise<void> => target.abilities.init?.repeatBootstrapToken();
    const own = await programs();
    const asked: string[] = [];
    const initPhases: InitPhases = async (target, { only, version, folder }) => {
      asked.push(`${only} ${version} ${path.dirname(folder) === root} ${target.name.includes('started by joinproof')}`);
    };
    await within({ folder: own.folder, initPhases }, again);
    assert.deepEqual(asked, ['undefined 1.36.1 true true', 'bootstrap-token 1.36.1 true true']);
    await within({ folder: own.folder }, (target) =>
      assert.rejects(
        again(target),
        new ConfigurationError(`${own.folder} has no kubeadm to run a phase of init again.`),
      ),
    );
  });
});

describe('what was started beside it', () => {
  it('is another control plane, or an API server of this one alone', async () => {
    const { folder, log, ids } = await programs();
    const doing: string[] = [];
    await within({ folder, initPhases: nothing, progress: (one) => doing.push(one) }, async (target) => {
      const { variants } = target.abilities;
      const twin = await variants?.open({ anonymousAuth: false });
      assert.match(twin?.name ?? '', /\(started by joinproof\)$/);
      assert.notEqual(twin?.facts.server, target.facts.server);
      assert.equal(folders().length, 2);
      const alone = { named: 'with tokens', adminToken: 'secret-token' };
      const beside = await variants?.open({ alone });
      assert.match(
        beside?.name ?? '',
        /^Kubernetes 1\.36\.1 at https:\/\/127\.0\.0\.1:\d+ \(started by joinproof with tokens\)$/,
      );
      assert.ok(beside?.name.includes(beside.facts.server) === true && beside.facts.server !== target.facts.server);
      assert.deepEqual(doing.slice(1), [
        'starting kube-apiserver 1.36.1',
        'starting kube-apiserver 1.36.1 with tokens',
      ]);
      assert.equal(folders().length, 2);
      assert.deepEqual([...(beside?.facts.holds ?? [])].sort(), ['anonymous', 'fresh', 'ours']);
      assert.deepEqual([...(beside?.facts.absent ?? [])].sort(), ['controllers', 'kubeadm']);
      assert.deepEqual(beside?.facts.signs, []);
      assert.equal(beside?.facts.version && 'minor' in beside.facts.version && beside.facts.version.minor, 36);
      assert.equal(beside?.why('controllers'), 'an API server was started alone, without controllers');
      assert.equal(beside?.why('kubeadm'), 'an API server was started alone, and nobody has set it up');
      assert.equal(beside?.why('inProcess'), 'the API server is another process');
      const asked = log().filter((line) => line.startsWith('/kube-apiserver-'));
      assert.ok(asked.length > 0 && asked.every((line) => line.endsWith('as Bearer secret-token')), asked.join('\n'));
      await variants?.open({ alone: { named: 'with certificates' } });
      assert.ok(log().some((line) => /^\/kube-apiserver-.* as kubernetes-super-admin$/.test(line)));
    });
    assert.deepEqual([folders(), ids().length, ids().filter(isLiving)], [[], 6, []]);
  });
});

/** A client of a folder, and whether it was closed. */
const joinedBy = (kept: Partial<Abilities>) => {
  const seen: { closed: number; given: unknown[] } = { closed: 0, given: [] };
  const joining: NonNullable<ControlPlaneOptions['joining']> = async (given) => {
    seen.given.push(given);
    const close = async (): Promise<void> => {
      seen.closed += 1;
    };
    return { abilities: kept, close };
  };
  return { seen, joining };
};
const CLIENT = { client: {}, preflight: {}, uploads: {}, files: {} } as unknown as Partial<Abilities>;
/** kubeadm that writes the files which a start needs: those of another start, but for the port. */
const copies = (from: string): string => `
if [ "$3" = certs ]; then cp -R '${from}/pki' "$(dirname "$6")"; fi
port=$(sed -n 's/.*"bindPort":\\([0-9]*\\).*/\\1/p' "$6" | head -n 1)
if [ "$3" = kubeconfig ]; then sed "s/127\\.0\\.0\\.1:[0-9]*/127.0.0.1:$port/" "${from}/$4.conf" > "$8/$4.conf"; fi`;

describe('kubeadm of its folder', () => {
  const OF_KUBEADM: readonly Ability[] = ['client', 'preflight', 'uploads'];

  it('is a client that joins, unless it cannot be one', async () => {
    const none = await programs();
    const { seen, joining } = joinedBy(CLIENT);
    await within({ folder: none.folder, joining }, (target) => {
      for (const ability of OF_KUBEADM) {
        assert.equal(target.abilities[ability], undefined);
        assert.equal(target.why(ability), `${none.folder} has no kubeadm: nobody joins`);
      }
    });
    assert.deepEqual(seen, { closed: 0, given: [] });
    await within({ folder: none.folder }, (target) => {
      for (const ability of OF_KUBEADM) assert.doesNotMatch(target.why(ability), /nobody joins/);
    });
  });

  it('is closed where nothing could be started, and what others have left is ended before', async () => {
    const broken = await programs({ kubeadm: 'exit 1' });
    const stale = path.join(root, 'joinproof-stale');
    await mkdir(stale);
    const owner = { pid: 999_999_999, started: '1' };
    await writeFile(path.join(stale, 'processes.json'), JSON.stringify({ owner, children: [] }));
    const { seen, joining } = joinedBy(CLIENT);
    await assert.rejects(openControlPlane({ folder: broken.folder, joining }), /phase certs all failed \(1\)/);
    assert.deepEqual(seen, { closed: 1, given: [{ kubeadm: path.join(broken.folder, 'kubeadm') }] });
    assert.deepEqual(folders(), []);
  });

  it('is what the control plane is set up by and judged with, and closed with it', async () => {
    const made = path.join(root, 'made');
    const { folder } = await programs();
    await within({ folder, initPhases: (_, at) => cp(at.folder, made, { recursive: true }) }, () => {});
    const { log, ...own } = await programs({ kubeadm: copies(made) });
    const { seen, joining } = joinedBy(CLIENT);
    await writeFile(path.join(own.folder, 'kubelet'), '#!/bin/sh\n', { mode: 0o755 });
    await assert.rejects(
      within({ folder: own.folder, joining }, async (target) => {
        for (const ability of OF_KUBEADM) assert.equal(target.abilities[ability], CLIENT[ability]);
        assert.equal(target.abilities.files, undefined);
        assert.ok(target.facts.holds.has('kubeadm'));
        const before = log().length;
        await target.abilities.init?.repeatBootstrapToken();
        const again = log().slice(before);
        assert.equal(again.length, 1);
        assert.match(again[0] ?? '', /^kubeadm init phase bootstrap-token --config \S+ --kubeconfig \S+\/admin\.conf$/);
        const twin = await target.abilities.variants?.open({});
        for (const ability of OF_KUBEADM) assert.equal(twin?.abilities[ability], undefined);
        assert.equal(seen.closed, 0);
        throw new Error('it was seen');
      }),
      /it was seen/,
    );
    const names = ['kubeadm', 'kubelet'];
    const given = Object.fromEntries(names.map((name) => [name, path.join(own.folder, name)]));
    assert.deepEqual(seen, { closed: 1, given: [given] });
    assert.deepEqual([folders(), own.ids().filter(isLiving)], [[], []]);
  });

  it('that cannot be tried is told of, and what is not of joinproof alone', async () => {
    const { folder } = await programs({ kubeadm: 'exit 1' });
    const joining = (thrown: Error) => (): Promise<never> => Promise.reject(thrown);
    for (const thrown of [new ConfigurationError('no kubeadm'), new TargetUnreachable('no host', 'other')])
      await assert.rejects(openControlPlane({ folder, joining: joining(thrown) }), /certs all failed/);
    const bug = new TypeError('a bug');
    await assert.rejects(openControlPlane({ folder, joining: joining(bug) }), bug);
  });
});
