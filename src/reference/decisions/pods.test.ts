import assert from 'node:assert/strict';
import { it } from 'node:test';
import { podDecisions } from './pods.js';

it('a token lies beside the root certificate and the namespace', () => {
  // Source: serviceaccount/admission.go TokenVolumeSource.
  assert.deepEqual(podDecisions.tokenVolumeSources(), [
    { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] },
    },
  ]);
});

it('a token is mounted as the pod says, else as its account says, else it is', () => {
  const account = (automountServiceAccountToken?: boolean) => ({
    metadata: {},
    ...(automountServiceAccountToken === undefined ? {} : { automountServiceAccountToken }),
  });
  const { mountsToken } = podDecisions;
  for (const said of [true, false])
    for (const other of [undefined, account(), account(true), account(false)])
      assert.equal(mountsToken({ automountServiceAccountToken: said }, other), said);
  assert.deepEqual(
    [undefined, account(), account(true), account(false)].map((one) => mountsToken({}, one)),
    [true, true, true, false],
  );
});
