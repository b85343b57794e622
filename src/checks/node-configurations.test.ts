import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from './judged.testing.js';
import {
  auditKeepsSecrets,
  auditRecords,
  configurationsTaken,
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
