/** What a program is started with before each server, and how what it leaves is told. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import type { ClientRun } from '../../kubernetes/transcript.js';
import { lies } from '../../liars/lies/index.js';
import type { ClientDescription } from './description.js';
import { type Ground, type Place, plainGround } from './ground.js';
import type { Ended, Program } from './program.js';
import { Programs } from './programs.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-told-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const { signal } = new AbortController();
const ENDED: Ended = { exit: 0, said: ['well'], message: '', milliseconds: 5 };

type Run = (program: Omit<Program, 'folder' | 'mark'>, place: Place) => Promise<Ended> | Ended;
/** One that runs so, before a server; `more`: what its place is besides. */
async function joined(
  description: Partial<ClientDescription>,
  server: string,
  run?: Run,
  more: Partial<Place> = {},
): Promise<ClientRun | undefined> {
  const plain = plainGround(mkdtempSync(path.join(folder, 'ground-')));
  const ground: Ground = {
    open: async (id, lie) => {
      const place = { ...(await plain.open(id, lie)), ...more };
      return run === undefined ? place : { ...place, run: async (program) => run(program, place) };
    },
  };
  const whole = { name: 'a client', timeLimit: 60_000, environment: {}, files: {}, ways: {}, ...description };
  return new Programs({ description: whole, ground, atOnce: 1, beginning: 1, signal }).join(server);
}
const NAMES = [
  ...['endpoint', 'token', 'tls-token', 'other-tls-token', 'ca-hash', 'discovery-file', 'discovery-url'],
  ...['certificate-key', 'advertise-address', 'node-name', 'configuration', 'timeout', 'stays', 'root'],
];
const all = ['p', ...NAMES.map((name) => [`${name}={${name}}`])];
const WAYS = Object.fromEntries(
  [
    ...['token', 'token-unsafe', 'file', 'url', 'none'],
    ...['control-plane', 'control-plane-unsafe', 'control-plane-file', 'control-plane-url'],
  ].map((way) => [way, [`/${way}`, ...all.slice(1)]]),
) as ClientDescription['ways'];

interface Started {
  readonly program: Omit<Program, 'folder' | 'mark'>;
  readonly place: Place;
  /** What it was told, by its name. */
  readonly told: Readonly<Record<string, string>>;
  readonly configuration: Readonly<Record<string, unknown>>;
  readonly run: ClientRun | undefined;
}
async function started(server: string, description: Partial<ClientDescription> = {}): Promise<Started> {
  const seen: Omit<Started, 'run'>[] = [];
  const run = await joined(
    { ways: WAYS, files: { ca: 'ca.crt', pki: 'pki', kubeconfig: 'k.conf' }, ...description },
    server,
    (program, place) => {
      const told = program.command.flatMap((one) => {
        const [, name = '', value = ''] = /^([a-z-]+)=(.*)$/s.exec(String(one)) ?? [];
        return NAMES.includes(name) ? [[name, value] as const] : [];
      });
      const configuration = JSON.parse(readFileSync(path.join(place.work, 'join.yaml'), 'utf8'));
      seen.push({ program, place, told: Object.fromEntries(told), configuration });
      return ENDED;
    },
  );
  const [one] = seen;
  assert.ok(one !== undefined && seen.length === 1);
  return { ...one, run };
}
const named = (is: (lie: (typeof lies)[number]) => boolean): string => {
  const name = lies.find((lie) => is(lie) && lie.onlyPlayed === undefined)?.name;
  assert.ok(name !== undefined);
  return name;
};

describe('a program before a server', () => {
  it('is told whom to join and where it is, in its way', async () => {
    const { program, place, told, configuration, run } = await started('ok-pin');
    const { endpoint } = place.liar.scene;
    assert.equal(program.command[0], '/token');
    const { token = '', 'ca-hash': pin = '', ...others } = told;
    assert.match(token, /^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    assert.match(pin, /^sha256:[0-9a-f]{64}$/);
    assert.deepEqual(others, {
      endpoint,
      'node-name': 'worker-9',
      configuration: path.join(place.work, 'join.yaml'),
      timeout: '7',
      root: place.root,
      ...('tls-token' in others ? { 'tls-token': others['tls-token'] } : {}),
    });
    assert.equal(configuration.kind, 'JoinConfiguration');
    assert.deepEqual([run?.transcript.exit, run?.transcript.said], [0, ['well']]);
    assert.equal(run?.truth.discoveryTimeout, 7000);
    assert.equal(run?.speaksKubeadm, false);
    assert.deepEqual(run?.transcript.files, {});
    const unsafe = await started('ok-unsafe');
    assert.equal(unsafe.program.command[0], '/token-unsafe');
    assert.equal(unsafe.told['ca-hash'], undefined);
    const file = await started('file-ok');
    assert.equal(file.program.command[0], '/file');
    assert.ok(file.told['discovery-file']?.startsWith(`${file.place.work}/`));
    assert.deepEqual([file.told['discovery-url'], file.told['ca-hash']], [undefined, undefined]);
    assert.equal(file.told.endpoint, file.place.liar.scene.endpoint);
    const nobody = await started('discovery-none');
    assert.deepEqual([nobody.program.command[0], nobody.told.endpoint], ['/none', undefined]);
    const url = await started('https-ok');
    assert.equal(url.program.command[0], '/url');
    assert.match(url.told['discovery-url'] ?? '', /^https:\/\//);
    assert.equal(url.told['discovery-file'], undefined);
    const control = await started('cp-download-certs');
    assert.equal(control.program.command[0], '/control-plane');
    assert.match(control.told['certificate-key'] ?? '', /^[0-9a-f]{64}$/);
    assert.deepEqual([control.told['advertise-address'], control.told.stays], ['192.0.2.20', undefined]);
    for (const [server, way] of [
      ['cp-unsafe', 'unsafe'],
      ['cp-file', 'file'],
      ['cp-https', 'url'],
    ] as const)
      assert.equal((await started(server)).program.command[0], `/control-plane-${way}`);
    const staying = await started('kubelet-seconds');
    assert.equal(staying.told.stays, '60');
    assert.equal(staying.program.limit, 120_000);
  });

  it('says what is waited for, as far as it was told', async () => {
    const ways = { configuration: ['p', '{configuration}'], token: ['p', '{endpoint}', '{token}', ['{ca-hash}']] };
    const by = async (description: Partial<ClientDescription>) =>
      (await started('ok-pin', description)).run?.truth ?? { discoveryTimeout: undefined };
    const file = await by({ ways: { configuration: ways.configuration } });
    assert.deepEqual([file.discoveryTimeout, 'bootstrapTimeout' in file && file.bootstrapTimeout], [7000, 20_000]);
    const flags = await by({ ways: { token: ways.token }, discoveryTimeout: 5 });
    assert.deepEqual([flags.discoveryTimeout, 'bootstrapTimeout' in flags], [5, false]);
    assert.equal((await by({ ways: { token: ways.token } })).discoveryTimeout, undefined);
  });

  it("has an environment of its own, and its description's", async () => {
    const { program, place } = await started('ok-pin', { environment: { TOKEN: 'a {token}', LEFT: '{unknown}' } });
    const { PATH = '', HOME, TMPDIR, TOKEN, LEFT } = program.environment;
    assert.ok(PATH.startsWith(`${place.standIns}:`) && PATH.endsWith(place.path));
    assert.deepEqual([HOME, TMPDIR, LEFT], [place.work, place.work, '{unknown}']);
    assert.match(TOKEN ?? '', /^a [a-z0-9]{6}\./);
    const services = named(({ told }) => told?.services === 'none');
    const none = await started(services);
    assert.equal(none.program.environment.PATH, none.place.path);
    const trusting = named(({ told }) => told?.hostTrusts !== undefined);
    const { program: trusts, place: at } = await started(trusting);
    for (const name of ['SSL_CERT_FILE', 'CURL_CA_BUNDLE', 'REQUESTS_CA_BUNDLE', 'NODE_EXTRA_CA_CERTS'])
      assert.equal(trusts.environment[name], path.join(at.work, 'host-ca.crt'));
    for (const name of ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']) assert.equal(program.environment[name], undefined);
  });

  it('has as long as its description says, or as its server takes at most', async () => {
    assert.equal((await started('ok-pin', { timeLimit: 77 })).program.limit, 77);
    const patient = lies.find(({ limit, onlyPlayed }) => limit !== undefined && onlyPlayed === undefined);
    assert.ok(patient?.limit !== undefined);
    assert.equal((await started(patient.name, { timeLimit: patient.limit + 1 })).program.limit, patient.limit);
    assert.equal((await started(patient.name, { timeLimit: patient.limit - 1 })).program.limit, patient.limit - 1);
  });

  it('writes no more, and says more, where it is told so', async () => {
    const small = await started(named(({ told }) => told?.largestFile !== undefined));
    assert.deepEqual(small.program.command.slice(0, 4), ['/bin/sh', '-c', 'ulimit -f 1; exec "$@"', 'sh']);
    const verbose = await started(named(({ told }) => told?.isVerbose === true));
    assert.equal(verbose.program.command.at(-1), '-v=5');
    assert.notEqual((await started('ok-pin')).program.command.at(-1), '-v=5');
  });
});

describe('what a program leaves', () => {
  const write = (place: Place, files: Readonly<Record<string, string>>): Ended => {
    for (const [name, text] of Object.entries(files)) {
      const file = path.join(place.root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    return ENDED;
  };

  it('is told as a machine has it whose "/" is its root', async () => {
    const files = { kubeconfig: 'own/k.conf', ca: 'own/ca.pem' };
    const ways = { token: ['p', '{endpoint}', '{token}', '{ca-hash}'] };
    const texts = (root: string) => ({
      'own/k.conf': `kind: Config\nca: "${root}/own/ca.pem", ${root}/else/x ${root}`,
      'else/plain': 'nothing to tell',
      'else/key': '-----BEGIN PRIVATE KEY-----',
    });
    const plain = await joined({ files, ways }, 'ok-pin', (_, place) => write(place, texts(place.root)));
    const kept = plain?.transcript.files ?? {};
    assert.deepEqual(Object.keys(kept).sort(), ['/else/key', '/etc/kubernetes/kubelet.conf']);
    assert.match(
      kept['/etc/kubernetes/kubelet.conf']?.text ?? '',
      /^kind: Config\nca: "\/etc\/kubernetes\/pki\/ca\.crt", \/else\/x \/.*\/root$/,
    );
    assert.deepEqual(plain?.transcript.deeds?.map((deed) => (deed.kind === 'wrote' ? deed.path : deed.kind)).sort(), [
      '/else/key',
      '/etc/kubernetes/kubelet.conf',
    ]);
    assert.deepEqual(Object.keys(plain?.transcript.folders ?? {}).sort(), ['/else', '/own']);
  });

  it('is of a machine what is not of joinproof', async () => {
    const ways = { token: ['p', '{endpoint}', '{token}', '{ca-hash}'] };
    const secret = '-----BEGIN X-----';
    const of = await joined(
      { ways },
      'ok-pin',
      (_, place) =>
        write(place, {
          'joinproof/x': secret,
          'etc/kubernetes/any': 'any',
          'var/lib/kubelet/any': 'any',
          'etc/other': 'any',
          'opt/x': secret,
          'run/x': secret,
        }),
      { isMachine: true },
    );
    assert.deepEqual(Object.keys(of?.transcript.files ?? {}).sort(), [
      ...['/etc/kubernetes/any', '/opt/x', '/run/x', '/var/lib/kubelet/any'],
    ]);
    assert.deepEqual(Object.keys(of?.transcript.folders ?? {}).sort(), [
      '/etc/kubernetes',
      '/var/lib',
      '/var/lib/kubelet',
    ]);
  });

  it('is, beside its root, what holds a secret', async () => {
    const ways = { token: ['p', '{endpoint}', '{token}', '{ca-hash}'] };
    const run = await joined({ ways }, 'ok-pin', ({ command }, { work }) => {
      writeFileSync(path.join(work, 'told'), `it was ${command[2]}`);
      writeFileSync(path.join(work, 'other'), 'nothing');
      return ENDED;
    });
    assert.deepEqual(Object.keys(run?.transcript.beside ?? {}), ['(HOME)/told']);
    const none = await joined({ ways }, 'ok-pin', () => ENDED);
    assert.ok(none !== undefined && !('beside' in none.transcript));
    const control = { 'control-plane': [...ways.token, '{certificate-key}'] };
    const keys = await joined({ ways: control }, 'cp-download-certs', ({ command }, { root, work }) => {
      for (const [name, secret] of [
        ['token', command[2]],
        ['key', command.at(-1)],
        ['else', 'nothing'],
      ] as const)
        for (const at of [root, work]) writeFileSync(path.join(at, name), `it was ${secret}`);
      return ENDED;
    });
    assert.deepEqual(Object.keys(keys?.transcript.beside ?? {}).sort(), ['(HOME)/key', '(HOME)/token']);
    assert.deepEqual(Object.keys(keys?.transcript.files ?? {}).sort(), ['/key', '/token']);
  });

  it('is kept of a control plane that has joined, and of no other', async () => {
    const ways = { token: ['p', '{endpoint}', '{token}', '{ca-hash}'] };
    const keep = async () => ({ '/kept': { mode: 0o600, text: 'kept' } });
    const kept = async (exit: number) =>
      (await joined({ ways }, 'ok-pin', () => ({ ...ENDED, exit }), { keep }))?.transcript.files;
    assert.deepEqual(await kept(0), { '/kept': { mode: 0o600, text: 'kept' } });
    assert.deepEqual(await kept(1), {});
  });

  it('is nothing once its place is closed, also where it could not be run', async () => {
    const ways = { token: ['p', '{endpoint}', '{token}', '{ca-hash}'] };
    const reason = new Error('it cannot be run');
    await assert.rejects(
      joined({ ways }, 'ok-pin', () => Promise.reject(reason)),
      reason,
    );
    const left = readdirSync(folder).flatMap((ground) => readdirSync(path.join(folder, ground)));
    assert.deepEqual([...new Set(left)], ['bin']);
  });
});
