/**
 * What a server says of its health: src/apiserver/recorded/health.txt has the checks of each release that was asked, in
 * their order. `node dist/src/apiserver/discovery/health.test.js --write` writes them anew.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { testRecorded } from '../../report/recorded.testing.js';
import { packageFile } from '../../run/package-root.js';
import { fixture } from '../serving/fixture.js';

const told = (minor: number, path: string): string => `1.${minor} ${path}\n${fixture({ minor }).ask('GET', path).text}`;
const PATHS = ['/healthz?verbose', '/livez?verbose', '/readyz?verbose'];
testRecorded(
  'the checks of health',
  packageFile('src/apiserver/recorded'),
  new Map([['health.txt', `${[31, 33, 36].flatMap((minor) => PATHS.map((path) => told(minor, path))).join('\n')}`]]),
);

it('is ok, as a whole and in each of its checks', () => {
  const { ask } = fixture();
  for (const path of [
    '/healthz',
    '/livez',
    '/readyz',
    '/livez/ping',
    '/readyz/shutdown',
    '/healthz/poststarthook/rbac/bootstrap-roles',
  ]) {
    const { code, text } = ask('GET', path);
    assert.deepEqual([code, text], [200, 'ok'], path);
  }
  for (const path of ['/livez/', '/livez/none', '/livez/shutdown', '/health', '/toString'])
    assert.equal(ask('GET', path).code, 404, path);
});

it('says what is left out, and what cannot be', () => {
  const { text } = fixture().ask('GET', '/livez?verbose&exclude=etcd&exclude=a&exclude=b');
  assert.match(text, /^\[\+\]ping ok\n[\s\S]*\[\+\]etcd excluded: ok\n/);
  assert.match(text, /ok\nwarn: some health checks cannot be excluded: no matches for "a","b"\nlivez check passed\n$/);
  assert.equal(fixture().ask('GET', '/livez?exclude=a').text, 'ok');
});
