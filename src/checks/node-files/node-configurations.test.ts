import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Finding, sentenceOf } from '../../model/finding.js';
import { resultsOf } from '../common/judged.testing.js';
import {
  auditKeepsSecrets,
  auditRecords,
  configurationsTaken,
  discoveryLetIn,
  probesLetIn,
  secretsEncrypted,
  socketsMounted,
} from './node-configurations.js';
import { at, pod } from './node-seen.testing.js';

const seen = (more: object = {}) =>
  at('/etc/kubernetes/enc.yaml', {
    ...{ kind: 'configuration', flag: 'encryption-provider-config', odd: [], isOpen: false, names: [] },
    ...more,
  });
const taken = (more: object = {}) =>
  resultsOf(configurationsTaken, [seen(more)], { files: ['/etc/kubernetes/a.yaml'], below: '/etc/kubernetes' }).join();

describe('a file that configures the API server of a disk', () => {
  it('is taken where nothing of it is odd, and what it names is there', () => {
    assert.equal(taken(), 'met');
    assert.equal(taken({ odd: ['it has no rules'] }), 'unmet');
    assert.equal(taken({ names: ['/etc/kubernetes/a.yaml', '/srv/elsewhere.yaml'] }), 'met');
    assert.equal(taken({ names: ['/etc/kubernetes/b.yaml'] }), 'unmet');
    const [finding] = configurationsTaken.judge([seen({ odd: ['a', 'b'] })], { files: [], below: '/etc/kubernetes' });
    assert.equal(finding?.seen, 'a; b');
    assert.deepEqual(configurationsTaken.judge([], { files: [], below: '/etc/kubernetes' }), []);
  });

  it('encrypts Secrets where it is one of encryption', () => {
    const encrypted = (more: object = {}) => resultsOf(secretsEncrypted, [seen(more)], undefined).join();
    assert.equal(encrypted(), 'met');
    assert.equal(encrypted({ isOpen: true }), 'unmet');
    assert.equal(encrypted({ flag: 'audit-policy-file', isOpen: true }), '');
    assert.deepEqual(secretsEncrypted.judge([at('/x', { kind: 'other' })], undefined), []);
  });
});

describe('an API server with files that configure it', () => {
  const file = (flag: string, more: object = {}) => {
    const { file } = seen({ flag, ...more });
    return { path: '/a.yaml', file };
  };
  const probe = (path: string, more: object = {}) => ({ httpGet: { path, ...more } });
  const api = (flags: Readonly<Record<string, string>>, probes: object = {}) =>
    pod('kube-apiserver', flags, { containers: [{ name: 'a', livenessProbe: probe('/livez'), ...probes }] });

  it('records what is asked of it, and says where', () => {
    const told = (flags: Readonly<Record<string, string>>, more: object = {}): string =>
      resultsOf(
        auditRecords,
        { api: api({ 'audit-policy-file': '/a.yaml', ...flags }), files: [file('audit-policy-file', more)] },
        undefined,
      ).join();
    assert.equal(told({ 'audit-log-path': '-' }), 'met,met,met');
    assert.equal(told({ 'audit-log-path': '/var/log/a.log' }), 'met,met,unmet');
    assert.equal(told({ 'audit-webhook-config-file': '/b' }), 'met,met,met');
    assert.equal(told({}), 'met,unmet,met');
    assert.equal(told({ 'audit-log-path': '-' }, { isSilent: true }), 'unmet,met,met');
    assert.deepEqual(resultsOf(auditRecords, { api: api({}), files: [] }, undefined), []);
    const alone = { api: api({ 'audit-log-path': '-' }), files: [] };
    assert.deepEqual(resultsOf(auditRecords, alone, undefined), ['unmet']);
  });
  it('records no body of what bears credentials', () => {
    const told = (more: object, flags: Readonly<Record<string, string>> = { 'audit-policy-file': '/a.yaml' }) =>
      auditKeepsSecrets
        .judge({ api: api(flags), files: [file('audit-policy-file', more)] }, undefined)
        .map(({ subject, seen: found, result }) => `${subject}: ${found}: ${result}`)
        .join();
    assert.equal(told({}), '/a.yaml: none is: met');
    assert.equal(told({ bodies: [] }), '/a.yaml: none is: met');
    assert.equal(told({ bodies: ['secrets', 'tokenreviews'] }), '/a.yaml: bodies of secrets, tokenreviews are: unmet');
    assert.equal(told({ bodies: ['secrets'] }, {}), '');
    assert.equal(told({ bodies: ['secrets'] }, { 'audit-policy-file': '/b.yaml' }), '');
  });
  it('has the sockets mounted that it asks at', () => {
    const mounted = (mountPath: string) => {
      const volumeMounts = [{ name: 'kms', mountPath }];
      const volumes = [{ name: 'kms', hostPath: { path: mountPath } }];
      return pod('kube-apiserver', {}, { containers: [{ name: 'a', volumeMounts }], volumes });
    };
    const told = (mountPath: string, sockets: readonly string[] = ['/run/kms/a.sock']): string =>
      resultsOf(
        socketsMounted,
        { api: mounted(mountPath), files: [file('encryption-provider-config', { sockets })] },
        undefined,
      ).join();
    assert.equal(told('/run/kms'), 'met');
    assert.equal(told('/run/kms/a.sock'), 'met');
    assert.equal(told('/run/kms-other'), 'unmet');
    assert.equal(told('/run/kms', ['/run/kms/a.sock', '/srv/b.sock']), 'unmet');
    assert.equal(told('/run/kms', []), '');
  });
  it('lets its probes in', () => {
    const told = (flags: Readonly<Record<string, string>>, anonymous?: unknown, probes: object = {}): string =>
      resultsOf(
        probesLetIn,
        {
          api: api(anonymous === undefined ? flags : { ...flags, 'authentication-config': '/a.yaml' }, probes),
          files: [file('authentication-config', anonymous === undefined ? {} : { anonymous })],
        },
        undefined,
      ).join();
    assert.equal(told({}), 'met');
    assert.equal(told({ 'anonymous-auth': 'true' }), 'met');
    assert.equal(told({ 'anonymous-auth': 'false' }), 'unmet');
    assert.equal(told({}, 'all'), 'met');
    assert.equal(told({}, []), 'unmet');
    assert.equal(told({}, ['/livez']), 'met');
    assert.equal(told({}, ['/livez'], { startupProbe: probe('/livez?exclude=a') }), 'met');
    assert.equal(told({}, ['/livez'], { readinessProbe: probe('/readyz') }), 'unmet');
    assert.equal(told({ 'anonymous-auth': 'true' }, 'all'), 'unmet');
    const known = probe('/livez', { httpHeaders: [{ name: 'Authorization', value: 'Bearer a' }] });
    assert.equal(told({ 'anonymous-auth': 'false' }, undefined, { livenessProbe: known }), 'met');
    assert.equal(told({ 'anonymous-auth': 'false' }, undefined, { livenessProbe: { tcpSocket: { port: 1 } } }), 'met');
  });
});

it('an API server lets in who joins by a token, and has no credential yet', () => {
  const told = (flags: Readonly<Record<string, string>>, anonymous?: readonly string[] | 'all'): readonly string[] =>
    discoveryLetIn
      .judge(
        {
          api: pod(
            'kube-apiserver',
            { 'enable-bootstrap-token-auth': 'true', 'authentication-config': '/a.yaml', ...flags },
            {},
          ),
          files: [
            at('/a.yaml', {
              ...{ kind: 'configuration', flag: 'authentication-config', odd: [], isOpen: false, names: [] },
              ...(anonymous === undefined ? {} : { anonymous }),
            }),
          ],
        },
        undefined,
      )
      .map(({ result, seen }) => `${result} ${seen}`);
  const INFO = '/api/v1/namespaces/kube-public/configmaps/cluster-info';
  for (const sound of [told({}), told({ 'anonymous-auth': 'true' }), told({}, 'all'), told({}, ['/livez', INFO])])
    assert.deepEqual(sound, ['met he may']);
  for (const on of ['1', 't', 'T', 'TRUE', 'True'])
    assert.deepEqual(told({ 'enable-bootstrap-token-auth': on }, [INFO]), ['met he may'], on);
  assert.deepEqual(told({ 'anonymous-auth': 'false' }), ['unmet nothing may be read so']);
  assert.deepEqual(told({}, ['/livez', '/readyz']), ['unmet /livez, /readyz may be read so']);
  for (const other of [`${INFO}/`, `${INFO}x`, '/api/v1/namespaces/kube-public/configmaps', '/'])
    assert.deepEqual(told({}, [other]), [`unmet ${other} may be read so`]);
  for (const off of ['false', '0', '', 'yes'])
    assert.deepEqual(told({ 'enable-bootstrap-token-auth': off, 'anonymous-auth': 'false' }), [], off);
});

describe('what is told of such files', () => {
  const file = (flag: string, more: object = {}, path = '/a.yaml') => ({ path, file: seen({ flag, ...more }).file });
  const api = (flags: Readonly<Record<string, string>>, container: object = {}, volumes: readonly object[] = []) =>
    pod('kube-apiserver', flags, { containers: [{ name: 'a', ...container }], volumes });
  const said = (findings: readonly Finding[]): readonly string[] =>
    findings.map((one) => `${one.result} ${sentenceOf(one)}`);
  const SERVER = '/etc/kubernetes/manifests/kube-apiserver.yaml';

  it('is which sockets are not mounted, and none of what is no Pod', () => {
    const sockets = ['/a', '/b', '/c', '/d', '/e'];
    const files = [file('encryption-provider-config', { sockets }), { path: '/b', file: null }];
    const demanded = `${SERVER}: the sockets that it asks at are mounted; seen:`;
    assert.deepEqual(said(socketsMounted.judge({ api: api({}), files }, undefined)), [
      `unmet ${demanded} /a, /b, /c, /d`,
    ]);
    const mounts = { volumeMounts: [{ name: 'v', mountPath: '/run' }] };
    const mounted = api({}, mounts, [{ name: 'v', hostPath: { path: '/run' } }]);
    const one = [file('encryption-provider-config', { sockets: ['/run/a'] })];
    assert.deepEqual(said(socketsMounted.judge({ api: mounted, files: one }, undefined)), [`met ${demanded} they are`]);
    assert.deepEqual(socketsMounted.judge({ api: mounted, files: [{ path: '/b', file: null }] }, undefined), []);
  });

  it('is whether a log outlives its container', () => {
    const log = { 'audit-policy-file': '/a.yaml', 'audit-log-path': '/var/log/a/a.log' };
    const told = (container: object, volumes: readonly object[]) =>
      said(auditRecords.judge({ api: api(log, container, volumes), files: [file('audit-policy-file')] }, undefined));
    const mounts = { volumeMounts: [{ name: 'v', mountPath: '/var/log/a' }] };
    const kept = told(mounts, [{ name: 'v', hostPath: { path: '/var/log/a' } }]);
    assert.deepEqual(kept, [
      'met /a.yaml: some requests are recorded by it; seen: some are',
      `met ${SERVER}: it says where what the policy records goes; seen: --audit-log-path`,
      `met ${SERVER}: what is recorded outlives its container; seen: it does`,
    ]);
    assert.equal(
      told({}, [])[2],
      `unmet ${SERVER}: what is recorded outlives its container; seen: /var/log/a/a.log lies in no folder of the machine`,
    );
    const gone = told(mounts, [{ name: 'v', emptyDir: {} }])[2];
    assert.match(gone ?? '', /^unmet .* lies in no folder of the machine$/);
    const read = { volumeMounts: [{ name: 'v', mountPath: '/var/log/a', readOnly: true }] };
    const unwritten = told(read, [{ name: 'v', hostPath: { path: '/var/log/a' } }])[2];
    assert.match(unwritten ?? '', /^unmet .* lies in a folder that it may only read$/);
    for (const none of [at('/x', null), at('/x', { kind: 'other' })]) {
      assert.deepEqual(auditRecords.judge({ api: none, files: [file('audit-policy-file')] }, undefined), []);
      assert.deepEqual(auditKeepsSecrets.judge({ api: none, files: [file('audit-policy-file')] }, undefined), []);
    }
    const two = { ...log, 'audit-webhook-config-file': '/b' };
    const both = auditRecords.judge({ api: api(two, mounts, []), files: [file('audit-policy-file')] }, undefined);
    assert.equal(both[1]?.seen, '--audit-log-path, --audit-webhook-config-file');
    assert.deepEqual(said(auditKeepsSecrets.judge({ api: api(log), files: [file('audit-policy-file')] }, undefined)), [
      'met /a.yaml: no body of what bears credentials is recorded by it; seen: none is',
    ]);
  });

  it('is who has to show a credential, and why', () => {
    const told = (flags: Readonly<Record<string, string>>, container: object, anonymous?: unknown) =>
      probesLetIn.judge(
        {
          api: api({ ...flags, 'authentication-config': '/a.yaml' }, container),
          files: [file('authentication-config', anonymous === undefined ? {} : { anonymous })],
        },
        undefined,
      )[0]?.seen;
    const livez = {
      livenessProbe: { httpGet: { path: '/livez?a?b' } },
      startupProbe: { httpGet: { path: '/livez' } },
      readinessProbe: { httpGet: { path: '/readyz' } },
    };
    for (const off of ['false', 'F', '0'])
      assert.equal(told({ 'anonymous-auth': off }, livez), '/livez, /readyz is refused without a credential');
    assert.equal(told({ 'anonymous-auth': 'false' }, {}), 'they are');
    assert.equal(told({}, livez, ['/livez', '/readyz']), 'they are');
    for (const open of [['/live'], ['/'], ['/livezx', '/readyz/x'], ['/LIVEZ', '/READYZ']])
      assert.equal(told({}, livez, open), '/livez, /readyz is refused without a credential', open.join());
    assert.equal(told({}, livez, ['/livez']), '/readyz is refused without a credential');
    assert.equal(
      told({ 'anonymous-auth': 'false' }, livez, 'all'),
      '--anonymous-auth beside a file that says it ends it',
    );
    for (const name of ['X-Authorization', 'Authorization-X'])
      assert.match(
        told(
          { 'anonymous-auth': 'false' },
          { livenessProbe: { httpGet: { path: '/livez', httpHeaders: [{ name }] } } },
        ) ?? '',
        /refused/,
        name,
      );
    assert.equal(
      told(
        { 'anonymous-auth': 'false' },
        { livenessProbe: { httpGet: { path: '/livez', httpHeaders: [{ name: 'authorization' }] } } },
      ),
      'they are',
    );
  });
});
