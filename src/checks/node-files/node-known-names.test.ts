import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { saidBy } from '../common/judged.testing.js';
import { controllersKnown, nothingOff, pluginsKnown } from './node-known-names.js';
import { pod } from './node-seen.testing.js';

const api = (flags: Readonly<Record<string, string>>) => [pod('kube-apiserver', flags)];
const [ON, OFF] = ['enable-admission-plugins', 'disable-admission-plugins'] as const;

describe('admission plugins that flags name', () => {
  const told = (flags: Readonly<Record<string, string>>, minor: number | null = 36): string | undefined =>
    saidBy(pluginsKnown, api(flags), { minor })[0];
  it('are known to the API server of the minor', () => {
    assert.equal(told({}), 'met: it has');
    assert.equal(told({ [ON]: '' }), 'met: it has');
    assert.equal(told({ [ON]: 'NodeRestriction,AlwaysPullImages', [OFF]: 'DefaultStorageClass' }), 'met: it has');
    assert.equal(told({ [ON]: 'NodeRestriction,Bogus' }), 'unmet: Bogus');
    assert.equal(told({ [OFF]: 'Bogus' }), 'unmet: Bogus');
    for (const [minor, result] of [
      [35, 'unmet: SecurityContextDeny'],
      [30, 'unmet: SecurityContextDeny'],
      [29, 'met: it has'],
      [null, 'met: it has'],
    ] as const)
      assert.equal(told({ [ON]: 'SecurityContextDeny' }, minor), result);
    assert.equal(told({ [ON]: 'a,b,c,d,e,f' }), 'unmet: a, b, c, d, e');
    assert.equal(told({ [ON]: 'a'.repeat(300) }), `unmet: ${'a'.repeat(200)}`);
  });
  it('guard certificates, each of them', () => {
    const guarded = (off: string) => saidBy(pluginsKnown, api({ [OFF]: off }), { minor: 36 })[1];
    for (const name of ['CertificateApproval', 'CertificateSigning', 'CertificateSubjectRestriction']) {
      assert.equal(guarded(name), `unmet: off: ${name}`);
      assert.equal(guarded(`DefaultStorageClass,${name}`), `unmet: off: ${name}`);
    }
    assert.equal(guarded('DefaultStorageClass'), 'met: it is');
    assert.equal(saidBy(pluginsKnown, api({ [ON]: 'CertificateApproval' }), { minor: 36 })[1], 'met: it is');
  });
});

describe('what a cluster relies on', () => {
  const told = (flags: Readonly<Record<string, string>>): string => saidBy(nothingOff, api(flags), undefined).join();
  it('is off in no plugin', () => {
    for (const name of [
      ...['PodSecurity', 'Priority', 'ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook'],
      ...['ValidatingAdmissionPolicy', 'StorageObjectInUseProtection', 'ClusterTrustBundleAttest'],
    ])
      assert.equal(told({ [OFF]: `DefaultStorageClass,${name}` }), `unmet: off: ${name}`);
    assert.equal(told({ [OFF]: 'DefaultStorageClass,LimitRanger' }), 'met: nothing is');
    assert.equal(told({ [ON]: 'PodSecurity' }), 'met: nothing is');
  });
  it('is off in no controller, by either of its names', () => {
    assert.equal(told({ controllers: '*,bootstrapsigner' }), 'met: nothing is');
    assert.equal(told({ controllers: '*,-namespace-controller' }), 'unmet: off: namespace');
    assert.equal(told({ controllers: '-namespace,*' }), 'unmet: off: namespace');
    assert.equal(told({ controllers: '*,namespace' }), 'met: nothing is');
    assert.equal(told({ controllers: '*,xnamespace' }), 'met: nothing is');
  });
  it('is known to the controller manager', () => {
    const known = (controllers: string): string => saidBy(controllersKnown, api({ controllers }), undefined).join();
    assert.equal(known('*,bootstrapsigner,-tokencleaner'), 'met: it has');
    assert.equal(known('*,bogus'), 'unmet: bogus');
    assert.equal(known('-bogus'), 'unmet: bogus');
    assert.equal(known('--tokencleaner'), 'unmet: -tokencleaner');
    assert.deepEqual(saidBy(controllersKnown, api({}), undefined), ['met: it has']);
  });
});
