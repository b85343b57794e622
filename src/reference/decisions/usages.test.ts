/** Usages of requests, and what a certificate says instead. Source: pkg/controller/certificates/authority/policies.go. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { admissionDecisions } from './admission.js';
import { authorizationDecisions } from './authorization.js';
import { API_USAGES, EXTENDED_USAGE_OF, KEY_USAGE_OF } from './usages.js';

test('each usage becomes the one of X.509', () => {
  assert.deepEqual(
    Object.entries({ ...KEY_USAGE_OF, ...EXTENDED_USAGE_OF }).map((pair) => pair.join(' = ')),
    [
      ...['signing = digitalSignature', 'digital signature = digitalSignature'],
      ...['content commitment = contentCommitment', 'key encipherment = keyEncipherment'],
      ...['key agreement = keyAgreement', 'data encipherment = dataEncipherment', 'cert sign = keyCertSign'],
      ...['crl sign = cRLSign', 'encipher only = encipherOnly', 'decipher only = decipherOnly', 'any = any'],
      ...['server auth = serverAuth', 'client auth = clientAuth', 'code signing = codeSigning'],
      ...['email protection = emailProtection', 's/mime = emailProtection', 'ipsec end system = ipsecEndSystem'],
      ...['ipsec tunnel = ipsecTunnel', 'ipsec user = ipsecUser', 'timestamping = timeStamping'],
      ...['ocsp signing = ocspSigning', 'microsoft sgc = microsoftSgc', 'netscape sgc = netscapeSgc'],
    ],
  );
  assert.deepEqual(API_USAGES, [...API_USAGES].sort());
  assert.equal(API_USAGES.length, 23);
});

// Source: pkg/kubeapiserver/options/plugins.go AllOrderedPlugins.
test('admission runs in the order of the API server', () => {
  assert.deepEqual(admissionDecisions.admissionPlugins(), [
    ...['NamespaceLifecycle', 'ServiceAccount', 'NodeRestriction', 'TaintNodesByCondition', 'Priority'],
    ...['DefaultTolerationSeconds', 'CertificateApproval', 'CertificateSigning', 'CertificateSubjectRestriction'],
  ]);
});

// Source: pkg/registry/rbac/validation/rule.go appliesToUser.
test('a subject of a binding is a user, a group or an account with a namespace', () => {
  const of = (kind: string, namespace?: string, bindingNamespace = ''): string | undefined =>
    authorizationDecisions.subjectPrincipal(
      { kind, name: 'n', ...(namespace === undefined ? {} : { namespace }) } as Parameters<
        typeof authorizationDecisions.subjectPrincipal
      >[0],
      bindingNamespace,
    );
  assert.deepEqual([of('User'), of('Group'), of('Pod')], ['User n', 'Group n', undefined]);
  assert.equal(of('ServiceAccount', 'a'), 'User system:serviceaccount:a:n');
  assert.equal(of('ServiceAccount', 'a', 'b'), 'User system:serviceaccount:a:n');
  assert.equal(of('ServiceAccount', undefined, 'b'), 'User system:serviceaccount:b:n');
  assert.equal(of('ServiceAccount', '', 'b'), 'User system:serviceaccount:b:n');
  assert.equal(of('ServiceAccount'), undefined);
});
