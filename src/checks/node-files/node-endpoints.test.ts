import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { twinsOf } from '../common/twins.testing.js';
import { asksKnown, endpointOf, type Servers, whyNotOwn } from './node-endpoints.js';
import { conf } from './node-seen.testing.js';

const SERVERS: Servers = {
  endpoints: ['lb.example:6443', '192.0.2.10:6443'],
  nodes: ['192.0.2.11'],
  names: { dns: ['api.example'], ip: [], email: [], uri: [], other: 0 },
  isWorker: false,
};

const asks = (server: string, more: Partial<Servers> = {}): readonly string[] =>
  asksKnown.judge([conf({ server })], { ...SERVERS, ...more }).map(({ result }) => result);

describe('whom kubeconfigs ask', () => {
  it('is an endpoint, a control plane, or a name of the API server', () => {
    for (const host of ['LB.example:6443', '192.0.2.10:6443', '192.0.2.11:443', 'api.example', '127.0.0.1:6443'])
      assert.deepEqual(asks(`https://${host}`), ['met'], host);
  });

  it('is nobody else, and not at another port', () => {
    for (const host of ['192.0.2.99:6443', 'lb.example:443', '192.0.2.10', 'old.example:6443', '127.0.0.1:7443', ''])
      assert.deepEqual(asks(host === '' ? '' : `https://${host}`), ['unmet'], host);
    assert.deepEqual(asks('https://api.example', { names: null }), ['unmet']);
  });

  it('is none that is called alike', () => {
    for (const host of ['lb.example ', 'lb.examplex', 'lb.exampl', '192.0.2.1', '192.0.2.111'])
      assert.deepEqual(asks(`https://${host}:6443`), ['unmet'], host);
    for (const endpoint of ['lb.example:64430', 'lb.example:644', 'lb.example:16443'])
      assert.deepEqual(asks(`https://${endpoint}`), ['unmet'], endpoint);
    for (const port of ['64430', '643', '16443']) assert.deepEqual(asks(`https://127.0.0.1:${port}`), ['unmet'], port);
    const two = asksKnown.judge(
      [conf({ server: 'https://lb.example:6443' }), conf({ server: 'https://x:1' })],
      SERVERS,
    );
    assert.deepEqual(
      two.map(({ result }) => result),
      ['met', 'unmet'],
    );
    const asked = {
      server: 'https://a.example:6443',
      own: 'a.example:6443',
      endpoints: [],
      controlPlanes: 3,
      isNamed: false,
    };
    assert.equal(whyNotOwn(asked), '');
    for (const own of twinsOf('a.example:6443'))
      assert.match(whyNotOwn({ ...asked, own }), /^the cluster is asked at/, own);
    const one = { ...asked, own: 'b:1', controlPlanes: 1, endpoints: ['c:1', 'a.example:6443'] };
    assert.equal(whyNotOwn(one), '');
    for (const twin of twinsOf('a.example:6443'))
      assert.match(whyNotOwn({ ...one, endpoints: [twin] }), /^the cluster is asked at/, twin);
  });

  it('may be a proxy of a worker itself', () => {
    assert.deepEqual(asks('https://127.0.0.1:7443', { isWorker: true }), ['met']);
  });

  it('is asked at a port that one of several names of it has', () => {
    const endpoints = ['192.0.2.10:6443', '192.0.2.10:443'];
    assert.deepEqual(asks('https://192.0.2.10', { endpoints }), ['met']);
    assert.deepEqual(asks('https://192.0.2.10:6443', { endpoints }), ['met']);
    assert.deepEqual(asks('https://192.0.2.10:64430', { endpoints }), ['unmet']);
  });

  it('is loopback as a whole, by any of its names', () => {
    for (const host of ['127.0.0.1', '127.12.13.14', '127.255.255.255', '[::1]', 'localhost', 'LOCALHOST'])
      assert.deepEqual(asks(`https://${host}:7443`, { isWorker: true }), ['met'], host);
    for (const host of [
      '127.0.0.1.example',
      'x127.0.0.1',
      '127.0.0',
      '[::1:2]',
      '[fd00::1]',
      'localhost.example',
      'a-localhost',
    ])
      assert.deepEqual(asks(`https://${host}:7443`, { isWorker: true }), ['unmet'], host);
  });

  it('is told', () => {
    const said = (server: string) =>
      asksKnown.judge([conf({ server })], SERVERS).map(({ result, seen }) => `${result}: ${seen}`);
    assert.deepEqual(said(''), ['unmet: it asks nobody']);
    assert.deepEqual(said('https://old:1'), ['unmet: https://old:1']);
  });

  it('is not judged where the cluster names no server', () => {
    assert.deepEqual(asks('https://a', { endpoints: [] }), []);
  });
});

describe('endpoints', () => {
  it('have the port of https where none is said', () => {
    assert.equal(endpointOf('https://A.example/'), 'a.example:443');
    assert.equal(endpointOf('https://[fd00::1]:6443'), '[fd00::1]:6443');
    assert.equal(endpointOf('none'), '');
    assert.equal(endpointOf('http://a:80'), 'a:80');
    assert.equal(endpointOf('x-https://a:80'), '');
  });
});

describe('the machine that answers', () => {
  const asked = {
    server: 'https://lb.example:6443',
    own: '192.0.2.10:6443',
    endpoints: ['lb.example:6443'],
    controlPlanes: 1,
    isNamed: false,
  };

  it('is this one where it is asked itself, or is the only one', () => {
    assert.equal(whyNotOwn(asked), '');
    assert.equal(whyNotOwn({ ...asked, server: 'https://192.0.2.10:6443', controlPlanes: 3 }), '');
  });

  it('may be another', () => {
    assert.match(whyNotOwn({ ...asked, controlPlanes: 2 }), /another of its control planes/);
    assert.match(whyNotOwn({ ...asked, server: 'https://tunnel:1' }), /tunnel/);
    assert.match(whyNotOwn({ ...asked, isNamed: true }), /--tls-sni-cert-key/);
  });
});
