import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentenceOf } from '../../model/finding.js';
import { judged, resultsOf } from '../common/judged.testing.js';
import { proxiesIn } from './kubelet-service.js';
import type { Disk, Held } from './node-seen.js';
import { at, pod } from './node-seen.testing.js';
import { askedDirectly, environmentOf, proxiesAt } from './proxied.js';

const asked = (variables: Readonly<Record<string, string>>, ...urls: readonly string[]): string =>
  resultsOf(askedDirectly, [{ subject: 'a', variables, urls }], undefined).join();
const HTTPS_PROXY = 'http://proxy:3128';
const OWN = 'https://192.0.2.10:6443';

describe('a proxy of an environment', () => {
  it('stands between who asks over https and all that NO_PROXY does not name', () => {
    assert.equal(asked({}, OWN), 'met');
    assert.equal(asked({ HTTP_PROXY: HTTPS_PROXY }, OWN), 'met');
    assert.equal(asked({ HTTPS_PROXY }, OWN), 'unmet');
    assert.equal(asked({ https_proxy: HTTPS_PROXY }, OWN), 'unmet');
    for (const NO_PROXY of ['192.0.2.10', '192.0.2.0/24', 'a.example, 192.0.2.10:6443', '*'])
      assert.equal(asked({ HTTPS_PROXY, NO_PROXY }, OWN), 'met', NO_PROXY);
    for (const NO_PROXY of ['', 'localhost,127.0.0.1', '192.0.3.0/24', '192.0.2.10:443'])
      assert.equal(asked({ HTTPS_PROXY, NO_PROXY }, OWN), 'unmet', NO_PROXY);
    assert.equal(asked({ HTTPS_PROXY, no_proxy: '.example' }, 'https://api.example:6443'), 'met');
    assert.equal(asked({ HTTPS_PROXY }, 'https://127.0.0.1:6443', 'https://localhost'), 'met');
    assert.equal(asked({ HTTPS_PROXY }), '');
  });

  it('is asked for hosts and ports of URLs as Go reads them', () => {
    for (const [url, NO_PROXY, result] of [
      ['https://192.0.2.10:6443/prefix', '192.0.2.10:6443', 'met'],
      ['https://192.0.2.10:6443/prefix:443', '192.0.2.10:443', 'unmet'],
      ['https://192.0.2.10', '192.0.2.10:443', 'met'],
      ['https://192.0.2.10/', '192.0.2.10:443', 'met'],
      ['https://192.0.2.10:6443/', '192.0.2.10:443', 'unmet'],
      ['https://API.example:6443', 'api.example', 'met'],
      ['https://api.example:6443', 'API.Example', 'met'],
      ['http://192.0.2.10:6443', '192.0.2.10:6443', 'met'],
      ['https://[2001:db8::1]:6443', '2001:db8::/64', 'met'],
      ['https://[2001:db8::1]', '[2001:db8::1]:443', 'met'],
      ['https://[2001:db8::443]', '[2001:db8::443]:80', 'unmet'],
      // a port that only looks like one
      ['https://192.0.2.10/https://a:443', '192.0.2.10:443', 'met'],
      ['https://192.0.2.10/https://a:6443', '192.0.2.10:443', 'met'],
      // what is no URL is asked by nobody
      ['', 'a', 'met'],
      ['api.example:6443', 'a', 'met'],
    ] as const)
      assert.equal(asked({ HTTPS_PROXY, NO_PROXY }, url), result, `${url} ${NO_PROXY}`);
    // the one in capitals counts, unless it is empty
    assert.equal(asked({ HTTPS_PROXY, NO_PROXY: 'a', no_proxy: '*' }, OWN), 'unmet');
    assert.equal(asked({ HTTPS_PROXY: '', https_proxy: HTTPS_PROXY, NO_PROXY: '', no_proxy: 'a' }, OWN), 'unmet');
    assert.equal(asked({ HTTPS_PROXY: '', NO_PROXY: 'a' }, OWN), 'met');
    assert.equal(asked({ HTTPS_PROXY }, 'https://localhost', OWN), 'unmet');
  });

  it('is told with whom it is asked for', () => {
    const said = (...urls: string[]): readonly string[] =>
      judged(
        askedDirectly,
        [{ subject: 'a', variables: { HTTPS_PROXY, NO_PROXY: 'own.example' }, urls }],
        undefined,
      ).map(sentenceOf);
    const demanded = 'a: it asks its cluster without a proxy; seen:';
    assert.deepEqual(said('https://own.example'), [`${demanded} it does`]);
    assert.deepEqual(said(OWN, 'https://own.example', 'https://b.example'), [
      `${demanded} ${OWN}, https://b.example is asked by way of a proxy`,
    ]);
    const many = `https://${'a'.repeat(200)}.example`;
    assert.deepEqual(said(many), [`${demanded} ${many.slice(0, 120)} is asked by way of a proxy`]);
  });

  it('is read of a Pod and of a file of variables, without who asks it', () => {
    const env = [{ name: 'HTTPS_PROXY', value: HTTPS_PROXY }, { name: 'A' }];
    const seen = pod('kube-scheduler', {}, { containers: [{ name: 'a', env }] });
    assert.deepEqual(environmentOf(seen), { HTTPS_PROXY, A: '' });
    assert.deepEqual(environmentOf({ path: '/a', file: null }), {});
    assert.deepEqual(environmentOf(at('/a', { kind: 'other' })), {});
    assert.deepEqual(environmentOf(pod('kube-scheduler', {})), {});
    assert.deepEqual(
      proxiesIn({ https_proxy: '"http://u:p@h"', NO_PROXY: "'a,b'", HTTP_PROXY: 'x', HTTPS_PROXY: '' }),
      {
        https_proxy: 'a proxy',
        NO_PROXY: 'a,b',
        HTTPS_PROXY: '',
      },
    );
  });

  it('is that of the last of several files, by their paths', () => {
    const told = (proxies: Readonly<Record<string, string>>): Held => ({ kind: 'machine', told: { proxies } });
    const disk: Disk = Object.fromEntries(
      (
        [
          ['/etc/a/2', told({ HTTPS_PROXY: 'b', NO_PROXY: 'c' })],
          ['/etc/a/1', told({ HTTPS_PROXY: 'a', no_proxy: 'd' })],
          ['/etc/a/3', { kind: 'other' }],
          ['/etc/a/4', { kind: 'machine', told: {} }],
          ['/etc/b', told({ HTTPS_PROXY: '' })],
        ] as const
      ).flatMap(([path, held]) => {
        const { file } = at(path, held);
        return file === null ? [] : [[path, file] as const];
      }),
    );
    assert.deepEqual(proxiesAt(disk, /^\/etc\/a\//), { HTTPS_PROXY: 'b', NO_PROXY: 'c', no_proxy: 'd' });
    assert.deepEqual(proxiesAt(disk, /./), { HTTPS_PROXY: '', NO_PROXY: 'c', no_proxy: 'd' });
    assert.deepEqual(proxiesAt(disk, /^\/etc\/c/), {});
  });
});
