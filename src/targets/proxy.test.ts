import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError } from './errors.js';
import { checkedProxy, proxyFromEnvironment } from './proxy.js';

const chosen = (server: string, env: NodeJS.ProcessEnv): string | undefined =>
  proxyFromEnvironment(new URL(server), env);

test('the environment names a proxy as Go reads it', () => {
  assert.equal(chosen('https://10.0.0.1:6443', { HTTPS_PROXY: 'http://p:3128' }), 'http://p:3128');
  assert.equal(chosen('https://10.0.0.1:6443', { https_proxy: 'p:3128' }), 'http://p:3128');
  assert.equal(chosen('https://10.0.0.1:6443', { HTTP_PROXY: 'http://p:3128' }), undefined);
  assert.equal(chosen('https://127.0.0.1:6443', { HTTPS_PROXY: 'http://p:3128' }), undefined);
  assert.equal(chosen('https://localhost:6443', { HTTPS_PROXY: 'http://p:3128' }), undefined);
  for (const exception of ['*', '10.0.0.0/8', '10.0.0.1', '10.0.0.1:6443', 'x, 10.0.0.1']) {
    assert.equal(
      chosen('https://10.0.0.1:6443', { HTTPS_PROXY: 'http://p', NO_PROXY: exception }),
      undefined,
      exception,
    );
  }
  for (const exception of ['10.1.0.0/16', '10.0.0.1:443', '.2', 'example', '10.0.0.0/99']) {
    assert.equal(
      chosen('https://10.0.0.1:6443', { HTTPS_PROXY: 'http://p', NO_PROXY: exception }),
      'http://p',
      exception,
    );
  }
  assert.equal(chosen('https://api.example.org', { HTTPS_PROXY: 'http://p', NO_PROXY: 'example.org' }), undefined);
  assert.equal(chosen('https://example.org', { HTTPS_PROXY: 'http://p', NO_PROXY: '.example.org' }), 'http://p');
});

test('either case of a name counts, and capitals first', () => {
  const of = (env: NodeJS.ProcessEnv, server = 'https://10.0.0.1:6443'): string | undefined =>
    proxyFromEnvironment(new URL(server), env);
  const [upper, lower] = ['http://upper:1', 'http://lower:1'];
  assert.equal(of({ https_proxy: lower }), lower);
  assert.equal(of({ HTTPS_PROXY: upper, https_proxy: lower }), upper);
  assert.equal(of({ HTTPS_PROXY: '', https_proxy: lower }), lower);
  assert.equal(of({ http_proxy: lower }, 'http://10.0.0.1'), lower);
  assert.equal(of({ HTTP_PROXY: upper }), undefined);
  assert.equal(of({ HTTPS_PROXY: upper, NO_PROXY: '10.0.0.1' }), undefined);
  assert.equal(of({ HTTPS_PROXY: upper, no_proxy: '10.0.0.1' }), undefined);
  assert.equal(of({ HTTPS_PROXY: upper, NO_PROXY: '10.0.0.2', no_proxy: '10.0.0.1' }), upper);
  // a port that the server's address leaves out is that of its scheme
  assert.equal(of({ HTTP_PROXY: upper, NO_PROXY: '10.0.0.1:80' }, 'http://10.0.0.1'), undefined);
  assert.equal(of({ HTTP_PROXY: upper, NO_PROXY: '10.0.0.1:443' }, 'http://10.0.0.1'), upper);
  assert.equal(of({ HTTPS_PROXY: upper, NO_PROXY: '10.0.0.1:443' }, 'https://10.0.0.1'), undefined);
});

test('schemes that cannot be spoken are refused in a sentence', () => {
  assert.equal(checkedProxy('https://p:1', 'proxy-url'), 'https://p:1');
  for (const url of ['socks5://p:1080', 'ftp://p', 'nonsense'])
    assert.throws(() => checkedProxy(url, 'proxy-url of x'), ConfigurationError);
  assert.throws(
    () => checkedProxy('socks5://user:word@p:1080', 'proxy-url'),
    (error: Error) => !error.message.includes('word'),
  );
});
