import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from './judged.testing.js';
import { proxiesIn } from './kubelet-service.js';
import { pod } from './node-seen.testing.js';
import { askedDirectly, environmentOf } from './proxied.js';

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

  it('is read of a Pod and of a file of variables, without who asks it', () => {
    const env = [{ name: 'HTTPS_PROXY', value: HTTPS_PROXY }, { name: 'A' }];
    const seen = pod('kube-scheduler', {}, { containers: [{ name: 'a', env }] });
    assert.deepEqual(environmentOf(seen), { HTTPS_PROXY, A: '' });
    assert.deepEqual(environmentOf({ path: '/a', file: null }), {});
    assert.deepEqual(
      proxiesIn({ https_proxy: '"http://u:p@h"', NO_PROXY: "'a,b'", HTTP_PROXY: 'x', HTTPS_PROXY: '' }),
      {
        https_proxy: 'a proxy',
        NO_PROXY: 'a,b',
        HTTPS_PROXY: '',
      },
    );
  });
});
