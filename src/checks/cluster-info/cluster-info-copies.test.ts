import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { base64 } from '../../kubernetes/json.js';
import { sentenceOf } from '../../model/finding.js';
import { createCertificate } from '../../pki/certificate.js';
import { generateKey } from '../../pki/keys.js';
import { copiesAlike, readCopyTold } from './cluster-info-copies.js';

const authority = (): string => {
  const key = generateKey('ECDSA-P256');
  const subject = { commonName: 'kubernetes' };
  return createCertificate({ subject, publicKey: key, signingKey: key, notBefore: 0, notAfter: 4_000_000_000_000 }).pem;
};
const [OWN, OTHER] = [authority(), authority()];
const SERVER = 'https://192.0.2.1:6443';
const ELSEWHERE = 'https://203.0.113.9:6443';

const config = (server: string, ca: string, more = ''): string =>
  `clusters:\n- cluster: {server: "${server}", certificate-authority-data: "${base64(ca)}"${more}}\n  name: a\n`;
const told = (place: string, kubeconfig: string, published = { server: SERVER, authorities: OWN }) => {
  const [namespace = '', name = ''] = place.split('/');
  const read = readCopyTold({ metadata: { name, namespace }, data: { kubeconfig } } as never);
  return copiesAlike
    .judge({ told: read === undefined ? [] : [read], seen: 1 }, published)
    .filter(({ role }) => role === 'demand')
    .map(({ result, subject, seen }) => `${result}: ${subject}: ${seen}`);
};
const NONE = ['met: ConfigMaps: none of 1 differs'];

describe('what tells of a cluster beside cluster-info', () => {
  it('names no other authority for its server', () => {
    for (const place of ['a/kubeconfig', 'default/cluster-info', 'kube-public/other']) {
      const unmet = [`unmet: ConfigMap ${place}: data.kubeconfig: for 192.0.2.1:6443 another authority`];
      assert.deepEqual(told(place, config(SERVER, OTHER)), unmet);
      assert.deepEqual(told(place, config(SERVER, OWN)), NONE);
      assert.deepEqual(told(place, config(SERVER, OTHER + OWN)), NONE);
      assert.deepEqual(told(place, config(SERVER, '', ', insecure-skip-tls-verify: true')), [
        `unmet: ConfigMap ${place}: data.kubeconfig: whoever answers at 192.0.2.1:6443 is believed`,
      ]);
    }
  });

  it('is called as it only where it says the same', () => {
    assert.deepEqual(told('default/cluster-info', config(ELSEWHERE, OWN)), [
      'unmet: ConfigMap default/cluster-info: data.kubeconfig: another server, 203.0.113.9:6443',
    ]);
    assert.deepEqual(told('kube-public/other', config(ELSEWHERE, OTHER)), [
      'unmet: ConfigMap kube-public/other: data.kubeconfig: for 203.0.113.9:6443 another authority',
    ]);
    assert.deepEqual(told('kube-public/other', config(ELSEWHERE, OWN)), NONE);
    assert.deepEqual(told('a/clusters', config(ELSEWHERE, OTHER)), NONE);
    assert.deepEqual(told('kube-public/cluster-info', config(ELSEWHERE, OTHER)), NONE);
  });

  it('is read where it can be', () => {
    for (const written of ['', 'clusters: [}', 'clusters: x', 'server: y', 'clusters: [{}]'])
      assert.deepEqual(told('a/b', written), NONE, written);
    assert.deepEqual(told('a/b', config(SERVER, OTHER), { server: '', authorities: OWN }), []);
    assert.deepEqual(told('a/b', config(SERVER, OTHER), { server: SERVER, authorities: '' }), []);
  });

  it('is read however its keys are written', () => {
    const read = (kubeconfig: string) =>
      readCopyTold({ metadata: { name: 'a', namespace: 'b' }, data: { x: 'y', kubeconfig } } as never)?.clusters.map(
        ({ path, place, skipsTls }) => `${path} ${place} ${skipsTls}`,
      );
    for (const key of ['clusters', '"clusters"', "'clusters'", 'clusters  '])
      assert.deepEqual(
        read(`${key}: [{cluster: {server: "${SERVER}"}}]`),
        ['data.kubeconfig 192.0.2.1:6443 false'],
        key,
      );
    assert.equal(read('other: [{cluster: {server: "https://a"}}]'), undefined);
    assert.equal(read('clusters'), undefined);
    // keys said twice, and aliases
    const twice = `clusters: []\nclusters: [{cluster: &c {server: "https://a", insecure-skip-tls-verify: true}}, {cluster: *c}]`;
    assert.deepEqual(read(twice), ['data.kubeconfig a:443 true', 'data.kubeconfig a:443 true']);
    for (const [server, place] of [
      ['https://a.example', 'a.example:443'],
      ['https://a.example:443/x', 'a.example:443'],
      ['http://a.example', 'a.example:80'],
      ['http://a.example:8080', 'a.example:8080'],
      ['no URL', ''],
    ])
      assert.deepEqual(
        read(`clusters: [{cluster: {server: "${server}"}}]`),
        [`data.kubeconfig ${place} false`],
        server,
      );
    for (const skips of ['"true"', 'false', '1'])
      assert.deepEqual(read(`clusters: [{cluster: {server: "https://a", insecure-skip-tls-verify: ${skips}}}]`), [
        'data.kubeconfig a:443 false',
      ]);
    // no more than anybody writes
    const many = (count: number): string => `clusters: [${Array(count).fill('{}').join()}]`;
    assert.equal(read(many(20))?.length, 20);
    assert.equal(read(many(21))?.length, 20);
    const long = (length: number): string => `clusters: [{}]\n#`.padEnd(length, 'x');
    assert.equal(read(long(65_536))?.length, 1);
    assert.equal(read(long(65_537)), undefined);
  });

  it('may leave out the authority, where its own name does not promise one', () => {
    assert.deepEqual(told('default/cluster-info', config(SERVER, '')), NONE);
    assert.deepEqual(told('a/kubeconfig', config(SERVER, '')), NONE);
    assert.deepEqual(told('default/cluster-info', 'clusters: [{cluster: {}}]'), [
      'unmet: ConfigMap default/cluster-info: data.kubeconfig: another server, none',
    ]);
  });

  it('is told as far as a line goes, beside how many were looked at', () => {
    const clusters = Array.from({ length: 7 }, (_, at) => `{cluster: {server: "https://192.0.2.${at}"}}`);
    const read = readCopyTold({
      metadata: { name: 'cluster-info', namespace: 'a' },
      data: { k: `clusters: [${clusters.join()}]` },
    } as never);
    assert.ok(read);
    const judge = (all: readonly (typeof read)[], seen: number): readonly string[] =>
      copiesAlike
        .judge({ told: all, seen }, { server: SERVER, authorities: OWN })
        .map((one) => `${one.role} ${one.result} ${sentenceOf(one)}`);
    const other = [0, 1, 2, 3, 4].map((at) => `data.k: another server, 192.0.2.${at}:443`).join('; ');
    const demanded = 'tells of this cluster what cluster-info does';
    assert.deepEqual(judge([read], 3), [
      'control met ConfigMaps: can be listed; seen: 3',
      `demand unmet ConfigMap a/cluster-info: ${demanded}; seen: ${other}`,
    ]);
    const long = { ...read, clusters: read.clusters.map((one) => ({ ...one, path: `data.${'k'.repeat(100)}` })) };
    assert.match(judge([long], 1)[1] ?? '', /; seen: .{240}$/);
    assert.deepEqual(judge([], 0), [
      'control unmet ConfigMaps: can be listed; seen: 0',
      `demand met ConfigMaps: ${demanded}; seen: none of 0 differs`,
    ]);
    assert.deepEqual(copiesAlike.judge({ told: [read], seen: 1 }, { server: '', authorities: OWN }), []);
  });
});
