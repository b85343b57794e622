/** What the words of command lines come to: no option is lost on its way to what does it, and none is another. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import type { Command } from 'commander';
import { UsageError } from '../run/usage-error.js';
import { initCommand } from './init.js';
import { taskOf as initTaskOf } from './init-action.js';
import { joinCommand } from './join.js';
import { taskOf as joinTaskOf } from './join-action.js';
import { readsStandardInput } from './keeper.js';
import { preflightCommand } from './preflight.js';
import { taskOf as preflightTaskOf } from './preflight-action.js';
import { makes } from './run-action.js';
import { serveCommand } from './serve.js';
import { referenceOf } from './serve-action.js';
import { sweepCommand } from './sweep.js';
import { choiceOf, placeOf, told } from './sweep-action.js';
import { version } from './version.js';

/** What a command hands to its action. */
function given<T extends readonly unknown[]>(command: Command, words: readonly string[]): T {
  let all: readonly unknown[] = [];
  command.exitOverride().action((...handed: readonly unknown[]) => {
    all = handed;
  });
  command.parse(words, { from: 'user' });
  return all as T;
}
const none = (): void => {};

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-command-lines-'));
after(() => rmSync(folder, { recursive: true }));
const fileOf = (text: string): string => {
  const file = path.join(folder, text);
  writeFileSync(file, `text of ${text}`);
  return file;
};

describe('joinproof join', () => {
  const taskOf = (...words: readonly string[]) =>
    joinTaskOf(...given<Parameters<typeof joinTaskOf>>(joinCommand(none), words));
  const userAgent = `joinproof/${version()}`;
  const { flags: unsaid } = taskOf('--root', 'r');

  it('is told each flag', () => {
    assert.deepEqual(
      taskOf(
        ...['a:1', '--root', 'r', '--token', 't', '--discovery-token', 'd', '--tls-bootstrap-token', 'b'],
        ...['--discovery-token-ca-cert-hash', 'p', '--discovery-token-ca-cert-hash', 'q'],
        ...['--discovery-token-unsafe-skip-ca-verification', '--discovery-file', 'f', '--node-name', 'n'],
        ...['--cri-socket', 's', '--control-plane', '--certificate-key', 'k', '--apiserver-advertise-address', '::1'],
        ...['--apiserver-bind-port', '65535', '--ignore-preflight-errors', 'A,B', '--ignore-preflight-errors', 'C'],
        ...['--kubernetes-version', '1.33', '--timeout', '60'],
      ),
      {
        root: 'r',
        flags: {
          endpoint: 'a:1',
          token: 't',
          discoveryToken: 'd',
          tlsBootstrapToken: 'b',
          caCertHashes: ['p', 'q'],
          unsafeSkipCAVerification: true,
          discoveryFile: 'f',
          nodeName: 'n',
          criSocket: 's',
          controlPlane: true,
          certificateKey: 'k',
          advertiseAddress: '::1',
          bindPort: 65_535,
        },
        ignoredChecks: ['A', 'B', 'C'],
        kubernetesVersion: '1.33',
        userAgent,
      },
    );
  });

  it('takes nothing for said that is not', () => {
    assert.deepEqual(taskOf('--root', 'r'), { root: 'r', flags: unsaid, ignoredChecks: [], userAgent });
    const said = Object.entries(unsaid).filter(([, value]) => value !== undefined);
    assert.deepEqual(said, [['caCertHashes', []]]);
  });

  it('takes beside a file what is of this machine alone', () => {
    const beside = ['--root', 'r', '--config', 'c', '--node-name', 'n', '--ignore-preflight-errors', 'all'];
    assert.deepEqual(taskOf(...beside, '--kubernetes-version', '1.31', '--timeout', '5'), {
      root: 'r',
      configurationFile: 'c',
      flags: { ...unsaid, nodeName: 'n' },
      ignoredChecks: ['all'],
      kubernetesVersion: '1.31',
      userAgent,
    });
    for (const more of [
      ['a:1'],
      ...['token', 'discovery-token', 'tls-bootstrap-token', 'discovery-token-ca-cert-hash', 'discovery-file'].map(
        (flag) => [`--${flag}`, 'x'],
      ),
      ...['cri-socket', 'certificate-key', 'apiserver-advertise-address', 'apiserver-bind-port'].map((flag) => [
        `--${flag}`,
        'x',
      ]),
      ['--control-plane'],
      ['--discovery-token-unsafe-skip-ca-verification'],
    ])
      assert.throws(() => taskOf('--root', 'r', '--config', 'c', ...more), UsageError, more.join(' '));
  });
});

describe('joinproof preflight', () => {
  const taskOf = (...words: readonly string[]) =>
    preflightTaskOf(...given<Parameters<typeof preflightTaskOf>>(preflightCommand(none), words));

  it('is told each option', () => {
    assert.deepEqual(taskOf(), { phase: 'init', ignoredChecks: [] });
    assert.deepEqual(
      taskOf(
        ...['join', '[fd00::1]:6443', '--root', 'r', '--kubernetes-version', '1.33'],
        ...['--ignore-preflight-errors', 'A,,B', '--ignore-preflight-errors', 'C,'],
      ),
      {
        phase: 'join',
        endpoint: '[fd00::1]:6443',
        root: 'r',
        kubernetesVersion: '1.33',
        ignoredChecks: ['A', 'B', 'C'],
      },
    );
    assert.deepEqual(taskOf('join', '--config', 'c'), { phase: 'join', configurationFile: 'c', ignoredChecks: [] });
    assert.deepEqual(taskOf('init', '--config', 'c'), { phase: 'init', configurationFile: 'c', ignoredChecks: [] });
  });
});

describe('joinproof init', () => {
  const taskOf = (...words: readonly string[]) =>
    initTaskOf(...given<Parameters<typeof initTaskOf>>(initCommand(none), words));

  it('is told each option', () => {
    assert.deepEqual(taskOf('--root', 'r'), { root: 'r', phases: [] });
    assert.deepEqual(
      taskOf(
        ...['--root', 'r', '--config', 'c', '--phase', 'certs/ca', '--phase', 'kubeconfig/admin'],
        ...['--kubernetes-version', '1.31'],
      ),
      { root: 'r', configurationFile: 'c', phases: ['certs/ca', 'kubeconfig/admin'], kubernetesVersion: '1.31' },
    );
  });
});

describe('joinproof serve', () => {
  const wantedOf = (...words: readonly string[]) =>
    referenceOf(...given<Parameters<typeof referenceOf>>(serveCommand(), words));

  it('is kubeadm init as it is, at its port on loopback', () => {
    assert.deepEqual(wantedOf(), {
      port: 6443,
      host: '127.0.0.1',
      keyAlgorithm: 'RSA-2048',
      bootstrapTokenAuth: true,
      authentication: { requestHeader: {} },
    });
  });

  it('is told each option', () => {
    const token = 'abcdef.0123456789abcdef';
    assert.deepEqual(
      wantedOf(
        ...['--port', '65535', '--host', '::1', '--data', 'd', '--token', token, '--kubernetes-version', '1.33'],
        ...['--key-algorithm', 'ECDSA-P256', '--cluster-signing-duration', '2h3m4s', '--anonymous-auth', 'false'],
        ...['--enable-bootstrap-token-auth', 'false', '--legacy-basic-auth-file', fileOf('basic')],
        ...['--token-auth-file', fileOf('tokens'), '--service-account-key-file', fileOf('one')],
        ...['--service-account-key-file', fileOf('two'), '--service-account-issuer', 'https://a.example'],
        ...['--service-account-issuer', 'b', '--api-audiences', 'c,d', '--service-account-lookup', 'false'],
        ...['--client-ca-file', fileOf('clients'), '--requestheader-client-ca-file', fileOf('front')],
        ...['--requestheader-allowed-names', '', '--requestheader-username-headers', 'U,V'],
        ...['--requestheader-uid-headers', 'I', '--requestheader-group-headers', 'G'],
        ...['--requestheader-extra-headers-prefix', 'E-', '--authentication-config', fileOf('strangers')],
      ),
      {
        port: 65_535,
        host: '::1',
        dataFile: 'd',
        tokens: [{ token, description: 'made by init' }],
        kubernetesVersion: '1.33',
        keyAlgorithm: 'ECDSA-P256',
        clusterSigningDuration: 7_384_000,
        anonymousAuth: false,
        bootstrapTokenAuth: false,
        authentication: {
          basicAuthFile: 'text of basic',
          tokenAuthFile: 'text of tokens',
          authenticationConfig: 'text of strangers',
          clientCa: 'text of clients',
          requestHeader: {
            clientCa: 'text of front',
            allowedNames: [],
            usernameHeaders: ['U', 'V'],
            uidHeaders: ['I'],
            groupHeaders: ['G'],
            extraHeadersPrefix: ['E-'],
          },
          serviceAccountKeyFiles: ['text of one', 'text of two'],
          serviceAccountIssuers: ['https://a.example', 'b'],
          apiAudiences: ['c', 'd'],
          serviceAccountLookup: false,
        },
      },
    );
  });

  it('hears strangers, looks tokens up and takes bootstrap tokens where it is told to', () => {
    const on = wantedOf(
      ...['--anonymous-auth', 'true', '--enable-bootstrap-token-auth', 'true', '--service-account-lookup', 'true'],
    );
    assert.deepEqual([on.anonymousAuth, on.bootstrapTokenAuth], [true, true]);
    assert.equal(on.authentication?.serviceAccountLookup, true);
  });

  it('refuses what is no port, and signs for as long as it is told', () => {
    for (const port of ['65536', '99999', '-1', '1.5', '']) assert.throws(() => wantedOf('--port', port), UsageError);
    assert.equal(wantedOf('--port', '0').port, 0);
    for (const [text, milliseconds] of [
      ['8760h', 31_536_000_000],
      ['10m', 600_000],
      ['1h30m', 5_400_000],
      ['90s', 90_000],
    ] as const)
      assert.equal(wantedOf('--cluster-signing-duration', text).clusterSigningDuration, milliseconds);
    for (const text of ['0s', '0h0m', '1h 30m', '1h30', '1d', '1.5h', '-1h', '', '9007199254740992s'])
      assert.throws(() => wantedOf('--cluster-signing-duration', text), UsageError, text);
  });

  it('refuses what is empty, no version or no token, and does not repeat a token', () => {
    for (const option of ['--host', '--data', '--kubeconfig-out'])
      assert.throws(() => wantedOf(option, ''), new RegExp(`${option} is empty`));
    for (const text of ['2', 'latest', '1.99', ''])
      assert.throws(() => wantedOf('--kubernetes-version', text), UsageError);
    for (const token of ['qwerty.0123456789abcde', 'xqwerty.0123456789abcdef', 'qwerty.0123456789abcdefx'])
      assert.throws(
        () => wantedOf('--token', token),
        (error) => error instanceof UsageError && !error.message.includes(token),
      );
  });
});

describe('joinproof sweep', () => {
  const chosen = (...words: readonly string[]) =>
    choiceOf(...given<Parameters<typeof choiceOf>>(sweepCommand(none), words));

  it('takes what is over, or all, or what is older', () => {
    assert.deepEqual(chosen(), { kind: 'expired' });
    assert.deepEqual(chosen('--all'), { kind: 'all' });
    assert.deepEqual(chosen('--older-than', '600.5'), { kind: 'older', seconds: 600.5 });
    for (const words of [
      ['--all', '--older-than', '5'],
      ['--older-than', '0'],
    ])
      assert.throws(() => chosen(...words), UsageError);
  });

  const nothing = { removed: [], left: [], spared: { objects: 0, runs: 0, until: 0 }, foreign: [] };
  const one = (kind: string, n: number) => ({ kind, what: `${kind} ${n}`, run: `r${n}`, why: `why ${n}` });

  it('writes nothing where it only says what it would remove', () => {
    assert.deepEqual(placeOf('a', {}), { kubeconfig: 'a', allowWrites: true });
    assert.deepEqual(placeOf('a', { context: 'b' }), { kubeconfig: 'a', context: 'b', allowWrites: true });
    assert.deepEqual(placeOf('a', { dryRun: true }), { kubeconfig: 'a', allowWrites: false });
  });

  it('says what it removed, could not remove and left alone', () => {
    assert.deepEqual(told(nothing, false, 'it'), ['it: no run of joinproof left anything.']);
    const some = { ...nothing, removed: [one('Secret', 1), one('Pod', 2)] };
    assert.deepEqual(told(some, false, 'it'), [
      'removed  Secret 1  (run r1)',
      'removed  Pod 2  (run r2)',
      'it: 2 removed.',
    ]);
    assert.deepEqual(told(some, true, 'it'), [
      'would be removed  Secret 1  (run r1)',
      'would be removed  Pod 2  (run r2)',
      'it: 2 to be removed.',
    ]);
    assert.deepEqual(told({ ...some, left: [one('Node', 3), one('Node', 4)] }, false, 'it').slice(2), [
      'could not be removed  Node 3: why 3',
      'could not be removed  Node 4: why 4',
      'it: 2 removed, 2 could not be removed (2 Nodes).',
    ]);
    const spared = { objects: 5, runs: 2, until: Date.UTC(2026, 0, 1) };
    assert.deepEqual(told({ ...nothing, spared }, false, 'it'), [
      'it: nothing is to be removed. 5 objects of 2 runs that may be under way are left alone (until 2026-01-01T00:00:00.000Z); --all takes those, too.',
    ]);
  });

  it('names ten that are not of its making, and counts the others', () => {
    const foreign = (count: number) => Array.from({ length: count }, (_, n) => one('Secret', n));
    const line = (n: number): string => `left alone  Secret ${n}  (labelled r${n})`;
    const ten = Array.from({ length: 10 }, (_, n) => line(n));
    const last = (count: number): string =>
      `it: no run of joinproof left anything. ${count} that carry joinproof's label are not of joinproof's making and are left alone.`;
    assert.deepEqual(told({ ...nothing, foreign: foreign(10) }, false, 'it'), [...ten, last(10)]);
    assert.deepEqual(told({ ...nothing, foreign: foreign(12) }, false, 'it'), [
      ...ten,
      'left alone  2 more of that kind',
      last(12),
    ]);
  });
});

describe('a command line', () => {
  it('reads standard input where it says so, and leaves it to credential plugins else', () => {
    for (const words of ['run --manifests -', 'run --manifests=- --quiet', 'replay -', 'diff a.json -'])
      assert.equal(readsStandardInput(words.split(' ')), true, words);
    for (const words of ['run', 'run --kubeconfig a --out json=-', 'run --manifests a-b', 'rules'])
      assert.equal(readsStandardInput(words.split(' ')), false, words);
  });
});

describe('joinproof run', () => {
  it('is patient at its end with what makes things that have to be removed', () => {
    const cluster = { kind: 'cluster', kubeconfig: 'a' } as const;
    for (const [choice, expected] of [
      [{ kind: 'reference' }, false],
      [{ ...cluster, allowWrites: false }, false],
      [{ ...cluster, allowWrites: true }, true],
      [{ kind: 'in-cluster', allowWrites: false }, false],
      [{ kind: 'in-cluster', allowWrites: true }, true],
      [{ kind: 'dump', manifests: 'a' }, false],
      [{ kind: 'node', folder: 'a' }, false],
      [{ kind: 'control-plane', folder: 'a' }, true],
      [{ kind: 'client', file: 'a' }, true],
      [{ kind: 'kubeadm', kubeadm: 'a' }, true],
    ] as const)
      assert.equal(makes(choice), expected, JSON.stringify(choice));
  });
});
