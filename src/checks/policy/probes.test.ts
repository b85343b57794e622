import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { isProbed } from './probes.js';

it('a Pod is probed by one container, and one probe without a credential', () => {
  const pod = (...containers: readonly object[]): KubeObject =>
    ({ metadata: { name: 'a' }, spec: { containers } }) as KubeObject;
  const asks = (...names: readonly string[]) => ({
    httpGet: { path: '/livez', httpHeaders: names.map((name) => ({ name, value: 'a' })) },
  });
  assert.equal(isProbed(pod({ livenessProbe: asks() })), true);
  assert.equal(isProbed(pod({ startupProbe: asks('Host', 'X-Authorization', 'Authorization-Of') })), true);
  assert.equal(isProbed(pod({ livenessProbe: asks('AUTHORIZATION'), startupProbe: asks() })), true);
  assert.equal(isProbed(pod({}, { livenessProbe: asks() })), true);
  assert.equal(isProbed(pod({ livenessProbe: asks('Host', 'Authorization') })), false);
  assert.equal(isProbed(pod({ livenessProbe: { tcpSocket: { port: 1 } }, readinessProbe: asks() })), false);
  assert.equal(isProbed(pod({ livenessProbe: { httpGet: { port: 1 } } })), false);
  assert.equal(isProbed(pod()), false);
});
