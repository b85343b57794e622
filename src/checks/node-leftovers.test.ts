import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from './judged.testing.js';
import { type CopySeen, copiesClosed, copiesKept, noAdministrators } from './node-leftovers.js';
import { at, certificate, conf } from './node-seen.testing.js';

const folder = (mode = 0o750) => at('/root/.kube', { kind: 'folder' }, mode);
const copy = (mode: number, owner = 0, user: Parameters<typeof conf>[1] = {}): CopySeen => {
  const { file } = conf({}, user);
  const path = '/root/.kube/config';
  return { copy: { path, file: file === null ? null : { ...file, path, mode, owner } }, folder: folder() };
};
const told = (one: CopySeen, isCopied = false) =>
  [
    ...resultsOf(copiesClosed, [one.copy], { authorities: ['ca'] }),
    ...resultsOf(copiesKept, [one], { authorities: ['ca'], isCopied }),
  ].join();

describe('a kubeconfig in a home', () => {
  it('is read by its owner alone, and is root’s in the home of root', () => {
    assert.equal(told(copy(0o600)), 'met,met,met');
    assert.equal(told(copy(0o644)), 'unmet,met,met');
    assert.equal(told(copy(0o600, 1000)), 'met,unmet,met');
    assert.equal(told(copy(0o600, 1000), true), 'met,met');
    assert.equal(told({ ...copy(0o600), folder: folder(0o777) }), 'met,met,unmet');
    assert.deepEqual(resultsOf(copiesClosed, [copy(0o644).copy], { authorities: ['other'] }), []);
  });
  it('is no administrator’s where it should not be', () => {
    const who = (commonName: string, organizations: readonly string[], isWorker: boolean) =>
      resultsOf(noAdministrators, [copy(0o600, 0, { certificate: certificate({ commonName, organizations }) }).copy], {
        authorities: ['ca'],
        isWorker,
      }).join();
    const admins = ['kubeadm:cluster-admins'];
    assert.equal(who('kubernetes-admin', admins, false), 'met');
    assert.equal(who('kubernetes-admin', admins, true), 'unmet');
    assert.equal(who('kubernetes-super-admin', ['system:masters'], false), 'unmet');
    assert.equal(who('ann', ['readers'], true), 'met');
  });
});
