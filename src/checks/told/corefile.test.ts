import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { twinsOf } from '../common/twins.testing.js';
import { isInZone, readCorefile, serverFor } from './corefile.js';

const zonesOf = (text: string): readonly (readonly string[])[] => readCorefile(text).servers.map(({ zones }) => zones);

describe('the servers of a Corefile', () => {
  it('are for zones, without their scheme, port and last dot', () => {
    for (const [key, ...zones] of [
      ['.', ''],
      ['.:53', ''],
      ['dns://Cluster.Local.:1053', 'cluster.local'],
      ['a.example.com,b.example.com c.example.com', 'a.example.com', 'b.example.com', 'c.example.com'],
      ['a, b', 'a', 'b'],
      ['10.96.0.0/12', '10.96.0.0/12'],
      ['a.example.com:99:53', 'a.example.com:99'],
      ['x.dns://a', 'x.dns://a'],
      ['"a.example.com"', 'a.example.com'],
      ['a"b"', 'a"b"'],
      // Pods ask them by none of these protocols
      ['tls://a https://b grpc://c quic://d https3://e f', 'f'],
      ['x.tls://a', 'x.tls://a'],
    ] as const)
      assert.deepEqual(zonesOf(`${key} {\n log\n}\n`), [zones], key);
    assert.deepEqual(zonesOf('a,\nb {\n log\n}\n'), [['a', 'b']]);
  });

  it('are none where a snippet begins, or others are brought in', () => {
    assert.deepEqual(zonesOf('(own) {\n log\n}\na {\n log\n}\n'), [['a']]);
    assert.deepEqual(zonesOf('a (own) {\n log\n}\n'), []);
    assert.deepEqual(zonesOf('import x\na {\n log\n}\n'), [['a']]);
    assert.deepEqual(zonesOf('a\nimport x\nb {\n log\n}\n'), [['a', 'import', 'x', 'b']]);
  });

  it('have plugins with words and options, as far as no comment begins', () => {
    const text =
      '. { # own\n a b "c d" #e\n f {\n  g h {\n   i\n  }\n\n  # none\n }\n x#y z\n j" k\n "" \n}\nb {\n l\n}\n';
    const { servers, whole } = readCorefile(text.replace('. { # own', '. {'));
    assert.equal(whole, true);
    assert.deepEqual(servers, [
      {
        zones: [''],
        plugins: [
          { name: 'a', args: ['b', 'c d'], options: [] },
          { name: 'f', args: [], options: [['g', 'h'], ['i']] },
          { name: 'x#y', args: ['z'], options: [] },
          { name: 'j"', args: ['k'], options: [] },
          { name: '', args: [], options: [] },
        ],
      },
      { zones: ['b'], plugins: [{ name: 'l', args: [], options: [] }] },
    ]);
  });

  it('are read of what is broken as well', () => {
    assert.deepEqual(readCorefile('. {\n {\n a\n }\n}\n').servers, [{ zones: [''], plugins: [] }]);
    assert.equal(readCorefile('. {\n log {\n }\n').whole, false);
    assert.equal(readCorefile('}\n').whole, false);
    assert.equal(readCorefile('').whole, true);
  });
});

describe('the server that is asked for a name', () => {
  it('is that of the longest zone, wherever it stands', () => {
    const block = (key: string): string => `${key} {\n log\n}\n`;
    const keys = ['.', 'local', 'cluster.local other.example', 'svc.cluster.local'];
    for (const order of [keys, keys.toReversed()])
      for (const [name, zone] of [
        ['a.svc.cluster.local', 'svc.cluster.local'],
        ['svc.cluster.local', 'svc.cluster.local'],
        ['asvc.cluster.local', 'cluster.local'],
        ['local', 'local'],
        ['a.example', ''],
      ] as const)
        assert.equal(serverFor(readCorefile(order.map(block).join('')), name)?.zones[0], zone, name);
    assert.equal(serverFor(readCorefile(block('a')), 'b'), undefined);
  });

  it('is in the zone itself, below it, or anywhere below the root', () => {
    for (const [name, zone, is] of [
      ['a', 'a', true],
      ['b.a', 'a', true],
      ['ba', 'a', false],
      ['a', 'b.a', false],
      ['a', '', true],
    ] as const)
      assert.equal(isInZone(name, zone), is, `${name} in ${zone}`);
  });
});

describe('names of a Corefile', () => {
  it('are read whole and in these letters', () => {
    const zones = (text: string) => readCorefile(text).servers.map((server) => server.zones.join());
    assert.deepEqual(zones('import x\na.example {\n log\n}\n'), ['a.example']);
    for (const twin of ['Import', 'imports', 'impor'])
      assert.equal(zones(`${twin} x\na.example {\n log\n}\n`)[0] === 'a.example', false, twin);
    const served = (name: string) =>
      serverFor(readCorefile('a.example {\n log\n}\nb.a.example {\n log\n}\n'), name)?.zones[0];
    assert.equal(served('a.example'), 'a.example');
    assert.equal(served('x.a.example'), 'a.example');
    assert.equal(served('x.b.a.example'), 'b.a.example');
    for (const twin of twinsOf('a.example')) assert.equal(served(twin), undefined, twin);
    assert.equal(served('xa.example'), undefined);
  });
});
