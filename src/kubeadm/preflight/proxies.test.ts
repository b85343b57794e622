import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proxyFor } from './proxies.js';

const PROXY = 'http://proxy.example:3128';
const via = (host: string, exceptions: string, port = '443'): boolean =>
  proxyFor(host, port, { HTTPS_PROXY: PROXY, NO_PROXY: exceptions }) !== undefined;

describe('a proxy', () => {
  it('is taken as it is named, without its user', () => {
    assert.equal(proxyFor('192.0.2.1', '443', { HTTPS_PROXY: 'proxy:3128' }), 'http://proxy:3128');
    assert.equal(proxyFor('192.0.2.1', '443', { https_proxy: 'http://u:secret@proxy:3128' }), 'http://proxy:3128');
    assert.equal(proxyFor('192.0.2.1', '443', { HTTP_PROXY: PROXY }), undefined);
  });
  it('is not for this machine', () => {
    for (const host of ['localhost', '127.0.0.1', '::1']) assert.equal(via(host, ''), false, host);
  });
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['10.96.0.1', '', true],
    ['10.96.0.1', '*', false],
    ['10.96.0.1', '10.96.0.0/12', false],
    ['10.96.0.1', ' a.example , 10.0.0.0/8 ', false],
    ['10.96.0.1', '10.112.0.0/12', true],
    ['10.96.0.1', '10.96.0.1', false],
    ['10.96.0.1', '10.96.0.1:443', false],
    ['10.96.0.1', '10.96.0.1:80', true],
    ['10.96.0.1', '10.96.0.0/99', true],
    ['fd00::1', 'fd00::/48', false],
    ['fd00::1', '[fd00::1]', false],
    ['fd00::1', 'fd01::/48', true],
    ['api.a.example', 'a.example', false],
    ['api.a.example', '.a.example', false],
    ['a.example', '.a.example', true],
    ['api.a.example', '*.a.example', false],
    ['bada.example', 'a.example', true],
  ];
  for (const [host, exceptions, expected] of cases)
    it(`${host} with NO_PROXY "${exceptions}"`, () => assert.equal(via(host, exceptions), expected));
});
