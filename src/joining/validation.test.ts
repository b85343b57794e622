import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { configurationOfFlags, type JoinFlags } from './configuration.js';
import { joiningDecisions } from './decisions/index.js';
import { problemsOf } from './validation.js';

const TOKEN = 'abcdef.0123456789abcdef';
const PIN = `sha256:${'a'.repeat(64)}`;
const GOOD: JoinFlags = { endpoint: '192.0.2.1:6443', token: TOKEN, caCertHashes: [PIN] };

/** What is wrong with what these flags say, of a machine that has one file. */
const problems = (flags: Partial<JoinFlags>, nodeName = 'w-1'): readonly string[] =>
  problemsOf(configurationOfFlags({ ...GOOD, ...flags }, joiningDecisions), {
    decisions: joiningDecisions,
    nodeName,
    exists: (path) => path === '/discovery.conf',
  });
const BY_FILE = { endpoint: undefined, token: undefined, caCertHashes: [] };

describe('what a machine is told of its join', () => {
  it('is good', () => {
    assert.deepEqual(problems({}), []);
    assert.deepEqual(problems({ endpoint: 'a.example:6443' }), []);
    assert.deepEqual(problems({ endpoint: '[fd00::1]:6443' }), []);
    assert.deepEqual(problems({ caCertHashes: [], unsafeSkipCAVerification: true }), []);
    assert.deepEqual(problems({ ...BY_FILE, discoveryFile: '/discovery.conf' }), []);
    assert.deepEqual(problems({ ...BY_FILE, discoveryFile: 'https://a.example/b' }), []);
    assert.deepEqual(problems({ ...BY_FILE, discoveryFile: 'HTTPS://a.example/b', tlsBootstrapToken: TOKEN }), []);
  });

  it('names one way of discovery', () => {
    assert.deepEqual(problems(BY_FILE), ['discovery: Invalid value: "": bootstrapToken or file must be set']);
    assert.deepEqual(problems({ discoveryFile: '/discovery.conf' }), [
      'discovery: Invalid value: "": bootstrapToken and file cannot both be set',
    ]);
  });

  it('has pins, or is told that none are wanted', () => {
    const [why, ...others] = problems({ caCertHashes: [] });
    assert.match(why ?? '', /^discovery\.bootstrapToken\.caCertHashes: Invalid value: "": using token-based discovery/);
    assert.match(why ?? '', /Set unsafeSkipCAVerification as true .* flag to continue$/);
    assert.deepEqual(others, []);
  });

  it('shows each token that is none by its place, never by its value', () => {
    const wrong = 'Invalid value: the bootstrap token is invalid';
    const [discovery, tls] = [`discovery.bootstrapToken.token: ${wrong}`, `discovery.tlsBootstrapToken: ${wrong}`];
    assert.deepEqual(problems({ token: 'abcdef' }), [discovery, tls]);
    assert.deepEqual(problems({ discoveryToken: 'abcdef' }), [discovery]);
    assert.deepEqual(problems({ tlsBootstrapToken: 'abcdef' }), [tls]);
    assert.deepEqual(problems({ ...BY_FILE, discoveryFile: '/discovery.conf', tlsBootstrapToken: 'a' }), [tls]);
  });

  it('has a host and a port', () => {
    const at = 'discovery.bootstrapToken.apiServerEndpoint: Invalid value:';
    for (const [endpoint, why] of [
      ['a.example', 'missing port in address'],
      ['[fd00::1]', 'missing port in address'],
      ['[fd00::1]a:1', 'missing port in address'],
      ['fd00::1:6443', 'too many colons in address'],
    ] as const)
      assert.deepEqual(problems({ endpoint }), [`${at} "${endpoint}": address ${endpoint}: ${why}`]);
    assert.deepEqual(problems({ endpoint: '' }), [
      'discovery.bootstrapToken: Required value: APIServerEndpoint is not set',
      `${at} "": missing port in address`,
    ]);
  });

  it('has a file that is there, or one to download over https', () => {
    const at = 'discovery.file.kubeConfigPath: Invalid value:';
    const of = (discoveryFile: string) => problems({ ...BY_FILE, discoveryFile });
    assert.deepEqual(of('/none.conf'), [`${at} "/none.conf": not a valid HTTPS URL or a file on disk`]);
    assert.deepEqual(of('1http:/x'), [`${at} "1http:/x": not a valid HTTPS URL or a file on disk`]);
    for (const url of ['http://a.example/b', 'file:///discovery.conf'])
      assert.deepEqual(of(url), [`${at} "${url}": if a URL is used, the scheme must be https`]);
  });

  it('has a name that is one of a Node', () => {
    assert.deepEqual(problems({}, 'a.b-1'), []);
    const [why, ...others] = problems({}, 'Upper');
    assert.match(why ?? '', /^nodeRegistration\.name: Invalid value: "Upper": a lowercase RFC 1123 subdomain/);
    assert.deepEqual(others, []);
  });

  it('has an address, a port and a key where it is a control plane', () => {
    const controlPlane = { controlPlane: true, advertiseAddress: '192.0.2.7' };
    const at = 'controlPlane.localAPIEndpoint: Invalid value:';
    assert.deepEqual(problems(controlPlane), []);
    assert.deepEqual(problems({ ...controlPlane, advertiseAddress: 'fd00::1', certificateKey: 'ab'.repeat(32) }), []);
    assert.deepEqual(problems({ ...controlPlane, advertiseAddress: 'a.example' }), [
      `${at} "a.example": ip address is not valid`,
    ]);
    for (const [bindPort, isPort] of [
      [1, true],
      [65_535, true],
      [65_536, false],
      [-1, false],
      [0, false],
      [1.5, false],
    ] as const)
      assert.deepEqual(
        problems({ ...controlPlane, bindPort }),
        isPort ? [] : [`${at} "${bindPort}": port number is not valid`],
      );
    const [why] = problems({ ...controlPlane, certificateKey: 'zzzz' });
    assert.match(why ?? '', /^controlPlane\.certificateKey: Invalid value: /);
    assert.doesNotMatch(why ?? '', /zzzz/);
    assert.deepEqual(problems({ advertiseAddress: 'a.example', bindPort: -1 }), []);
  });
});
