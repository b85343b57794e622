import assert from 'node:assert/strict';
import { it } from 'node:test';
import { serviceAddresses } from './service-addresses.js';

it('addresses of a Service are those that it has', () => {
  const of = (spec: unknown) => serviceAddresses({ spec });
  assert.deepEqual(of({ clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1', 'fd00::1'] }), ['10.96.0.1', 'fd00::1']);
  assert.deepEqual(of({ clusterIPs: ['10.96.0.1'] }), ['10.96.0.1']);
  assert.deepEqual(of({ clusterIP: 'None', clusterIPs: ['None'] }), []);
  for (const none of [of({ clusterIP: '' }), of({}), of(undefined), serviceAddresses(undefined)])
    assert.deepEqual(none, []);
});
