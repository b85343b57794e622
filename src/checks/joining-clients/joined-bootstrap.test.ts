import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentenceOf } from '../../model/finding.js';
import { judged } from '../common/judged.testing.js';
import { bootstrapEmbedded, bootstrapGoneForGood } from './joined-bootstrap.js';
import type { FileSeen, Machine, Part } from './joined-files-reader.js';
import { untouchedMachine } from './joined-machine.testing.js';

const INLINE: Part = { inline: { certificate: 'sha256:0', key: '' } };

describe('the credential of a bootstrap kubeconfig', () => {
  const file = (shows: string, certificate: Part, key: Part): FileSeen => ({
    path: '/etc/kubernetes/bootstrap-kubelet.conf',
    mode: 0o600,
    digest: 'd',
    held: {
      kind: 'kubeconfig',
      cluster: 'kubernetes',
      server: 'https://a:6443',
      user: 'u',
      context: 'u@kubernetes',
      isOneCluster: true,
      besides: [],
      isTrueCa: true,
      shows,
      certificate,
      key,
    },
  });
  const told = (machine: Partial<Machine>): readonly string[] =>
    judged(bootstrapEmbedded, [{ ...untouchedMachine, ...machine }], undefined).map(
      (one) => `${one.result} ${sentenceOf(one)}`,
    );
  const wrote = (one: FileSeen): Partial<Machine> => ({ done: [{ what: 'wrote', after: 3, file: one }] });
  const demanded = 'x (y): its certificate and its key stand in it';

  it('stands in it', () => {
    const both = file('a certificate', INLINE, INLINE);
    assert.deepEqual(told(wrote(both)), [`met ${demanded}; seen: a certificate`]);
    const halves = file('a certificate', INLINE, { file: 'own.key' });
    assert.deepEqual(told(wrote(halves)), [`unmet ${demanded}; seen: a certificate, of own.key`]);
    const none = file('its token', { file: '' }, { file: '' });
    assert.deepEqual(told(wrote(none)), [`unmet ${demanded}; seen: its token, of nothing, nothing`]);
  });

  it('is not judged of who has other ways, and is unclear where nobody watched', () => {
    assert.deepEqual(told({ ...wrote(file('nothing', INLINE, INLINE)), ownWays: true }), []);
    assert.match(told({ done: undefined })[0] ?? '', /^unclear /);
  });
});

describe('a bootstrap kubeconfig that is gone', () => {
  const told = (done: Machine['done']): readonly string[] =>
    judged(bootstrapGoneForGood, [{ ...untouchedMachine, done }], undefined).map(({ result }) => result);
  const removed = (path: string): Machine['done'] => [{ what: 'removed', after: 3, path }];
  const BOOTSTRAP = '/etc/kubernetes/bootstrap-kubelet.conf';

  it('does not come back', () => {
    assert.deepEqual(told([...(removed(BOOTSTRAP) ?? []), ...(removed('/etc/other') ?? [])]), ['met']);
    assert.deepEqual(told([]), ['met']);
    assert.deepEqual(told([...(removed(BOOTSTRAP) ?? []), ...(removed(BOOTSTRAP) ?? [])]), ['unmet']);
  });

  it('is unclear where nobody watched', () => assert.deepEqual(told(undefined), ['unclear']));
});
