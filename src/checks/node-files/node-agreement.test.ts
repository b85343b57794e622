import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { publicAnew } from '../../pki/keys.js';
import { pinOf } from '../certificates/signature.js';
import {
  isOfCluster,
  issuesServer,
  letIn,
  presentsOwn,
  sameAuthorities,
  verifiesTokens,
  writtenDown,
} from './node-agreement.js';
import { type CertificatesSeen, certificatesSeen, pinsOfJwks, publishedIn } from './node-authorities.js';
import { at, broken, certificate, conf, crt, key } from './node-seen.testing.js';

const results = (findings: readonly { readonly result: string }[]): readonly string[] =>
  findings.map(({ result }) => result);

/** Authorities by their pins. */
const shown = (...pins: readonly string[]): CertificatesSeen => ({
  subject: 'ConfigMap a/b',
  certificates: pins.map((pin) => ({ ...certificate({ ca: true, pin }), digest: `digest of ${pin}` })),
  unreadable: '',
});
const onDisk = (...pins: readonly string[]) =>
  at('/etc/kubernetes/pki/ca.crt', { kind: 'certificates', certificates: shown(...pins).certificates });
const unread: CertificatesSeen = { subject: 'ConfigMap a/b', certificates: [], unreadable: 'it is no DER' };

describe('the authority of a disk', () => {
  const same = (disk: ReturnType<typeof onDisk>, other: CertificatesSeen): readonly string[] =>
    results(sameAuthorities.judge({ disk, shown: [other] }, undefined));

  it('is that of the cluster, and one side may know its successor', () => {
    assert.deepEqual(same(onDisk('old'), shown('old')), ['met']);
    assert.deepEqual(same(onDisk('old', 'new'), shown('old')), ['met']);
    assert.deepEqual(same(onDisk('old'), shown('old', 'new')), ['met']);
    assert.deepEqual(same(onDisk('new'), shown('old', 'new')), ['met']);
  });

  it('is another where each side has one of its own', () => {
    assert.deepEqual(same(onDisk('a'), shown('b')), ['unmet']);
    assert.deepEqual(same(onDisk('old', 'a'), shown('old', 'b')), ['unmet']);
    assert.deepEqual(same(at('/etc/kubernetes/pki/ca.crt', null), shown('a')), ['unmet']);
  });

  it('is unknown where either side cannot be read', () => {
    assert.deepEqual(same(broken('/etc/kubernetes/pki/ca.crt'), shown('a')), ['unclear']);
    assert.deepEqual(same(onDisk('a'), unread), ['unclear']);
  });

  it('is written down whole', () => {
    const judge = (file: ReturnType<typeof onDisk>) =>
      results(writtenDown.judge({ file, shown: shown('a', 'b') }, undefined));
    assert.deepEqual(judge(onDisk('a')), ['met']);
    assert.deepEqual(judge(onDisk('a', 'c')), ['unmet']);
  });

  it('shows whether the folder is of the cluster', () => {
    assert.equal(isOfCluster(onDisk('a'), [shown('b'), shown('a', 'c')]), true);
    assert.equal(isOfCluster(onDisk('a'), [shown('b')]), false);
    assert.equal(isOfCluster(onDisk('a'), [unread]), undefined);
    assert.equal(isOfCluster(broken('/etc/kubernetes/pki/ca.crt'), [shown('b')]), undefined);
  });
});

describe('what an API server presents', () => {
  const presented = { ...shown(), certificates: [certificate({}, ['digest of a'])] };

  it('is issued by the authority of the disk', () => {
    const judge = (disk: ReturnType<typeof onDisk>, seen: CertificatesSeen = presented) =>
      results(issuesServer.judge({ disk, presented: seen }, undefined));
    assert.deepEqual(judge(onDisk('b', 'a')), ['met']);
    assert.deepEqual(judge(onDisk('b')), ['unmet']);
    assert.deepEqual(judge(onDisk('a'), unread), ['unclear']);
  });

  it('lies on the disk', () => {
    const judge = (digest: string) =>
      results(
        presentsOwn.judge(
          { own: crt(), presented: { ...presented, certificates: [{ ...certificate(), digest }] } },
          undefined,
        ),
      );
    assert.deepEqual(judge('own'), ['met']);
    assert.deepEqual(judge('another'), ['unmet']);
    assert.deepEqual(results(presentsOwn.judge({ own: crt(), presented: unread }, undefined)), ['unclear']);
  });
});

describe('keys', () => {
  it('of tokens are among those that are shown', () => {
    const judge = (keys: readonly string[]) =>
      results(verifiesTokens.judge({ file: key('a', false), keys }, undefined));
    assert.deepEqual(judge(['b', 'a']), ['met']);
    assert.deepEqual(judge(['b']), ['unmet']);
    assert.deepEqual(judge([]), ['unmet']);
  });

  it('are read of a set, and what is none is left out', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const keys = [publicAnew(publicKey).export({ format: 'jwk' }), { kty: 'EC' }, 'none'];
    assert.deepEqual(pinsOfJwks({ keys }), [pinOf(publicKey.export({ type: 'spki', format: 'der' }))]);
    assert.deepEqual(pinsOfJwks('none'), []);
  });
});

describe('client certificates', () => {
  it('are of an authority that is let in', () => {
    const judge = (signedBy: readonly string[], by = shown('a')) => {
      const config = conf({}, { certificate: certificate({}, signedBy) });
      return results(letIn.judge([{ config, named: null }], { by }));
    };
    assert.deepEqual(judge(['digest of a']), ['met']);
    assert.deepEqual(judge(['digest of b']), ['unmet']);
    assert.deepEqual(judge(['digest of a'], unread), ['unclear']);
  });
});

describe('what a cluster shows', () => {
  it('is read of PEM and of kubeconfigs, whatever they are', () => {
    assert.equal(certificatesSeen('it', 'no PEM').unreadable, 'it holds no certificate');
    const bad = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    assert.notEqual(certificatesSeen('it', bad).unreadable, '');
    const data = Buffer.from('pem').toString('base64');
    const kubeconfig = `clusters: [{ name: "", cluster: { server: "https://a:1", certificate-authority-data: ${data} } }]`;
    assert.deepEqual(publishedIn(kubeconfig), { server: 'https://a:1', authorities: 'pem' });
    for (const text of ['', '- a', '{', 'clusters: 1'])
      assert.deepEqual(publishedIn(text), { server: '', authorities: '' });
  });
});
