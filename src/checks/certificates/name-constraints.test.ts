import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { certificate } from '../node-files/node-seen.testing.js';
import { readDer } from './der.js';
import { beyond, maySign, nameLimits } from './name-constraints.js';

const NONE = { dns: [], ip: [] };
const dns = (names: readonly string[]) => ({ permitted: NONE, excluded: { dns: names, ip: [] } });
const part = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, content.length]), content]);
};
const base = (tag: number, content: Buffer): Buffer => part(0x30, part(tag, content));
const address = (...bytes: readonly number[]): Buffer => base(0x87, Buffer.from(bytes));

describe('name constraints', () => {
  it('are read as they are written', () => {
    const v6 = [...Buffer.from('fd00'.padEnd(32, '0'), 'hex'), ...Buffer.from('ff'.repeat(2).padEnd(32, '0'), 'hex')];
    const value = part(
      0x30,
      part(0xa0, base(0x82, Buffer.from('Example.com')), address(10, 0, 0, 0, 255, 0, 0, 0), address(...v6)),
      part(
        0xa1,
        base(0x82, Buffer.from('.a.example')),
        address(10, 1, 0, 0, 255, 255, 0, 0),
        base(0x82, Buffer.from('b')),
      ),
    );
    assert.deepEqual(nameLimits(readDer(value)), {
      permitted: { dns: ['example.com'], ip: ['10.0.0.0/8', 'fd00:0:0:0:0:0:0:0/16'] },
      excluded: { dns: ['.a.example', 'b'], ip: ['10.1.0.0/16'] },
    });
    assert.deepEqual(nameLimits(readDer(part(0x30))), { permitted: NONE, excluded: NONE });
    // of other kinds, of no network, and with what stands behind a base
    const mail = base(0x81, Buffer.alloc(8, 1));
    const depth = part(
      0x30,
      part(0x82, Buffer.from('b.example')),
      part(0x80, Buffer.from([0])),
      part(0x82, Buffer.from('c')),
    );
    const other = part(0x30, part(0xa0, mail, address(10, 0, 0, 0), address(1, 2, 3, 4, 5, 6, 7, 8, 9), depth));
    assert.deepEqual(nameLimits(readDer(other)), { permitted: { dns: ['b.example'], ip: [] }, excluded: NONE });
    const universal = part(0x30, part(0x31, base(0x82, Buffer.from('a'))), part(0x20, base(0x82, Buffer.from('b'))));
    assert.deepEqual(nameLimits(readDer(universal)), { permitted: NONE, excluded: NONE });
  });
  it('are about a domain and all below it, or only that', () => {
    assert.equal(maySign(dns(['a.example']), 'b.a.example'), false);
    assert.equal(maySign(dns(['a.example']), 'A.example'), false);
    assert.equal(maySign(dns(['.a.example']), 'a.example'), true);
    assert.equal(maySign(dns(['.a.example']), 'b.a.example'), false);
    assert.equal(maySign(dns(['a.example']), 'ba.example'), true);
    assert.equal(maySign(dns(['']), 'x'), false);
    assert.equal(maySign(dns(['a.example']), '10.0.0.1'), true);
  });
  it('permit nothing but what they name, of a kind that they name', () => {
    const limits = { permitted: { dns: [], ip: ['10.0.0.0/8', 'fd00::/16'] }, excluded: NONE };
    const told = ['10.1.2.3', '192.0.2.1', 'fd00::1', 'fe80::1', 'a.example'].map((name) => maySign(limits, name));
    assert.deepEqual(told, [true, false, true, false, true]);
    // names that look like addresses at one end
    const within = { permitted: { dns: ['example'], ip: [] }, excluded: NONE };
    assert.deepEqual(
      ['10.example', 'a.10', '1a.2'].map((name) => maySign(within, name)),
      [true, false, false],
    );
    assert.equal(maySign({ permitted: NONE, excluded: { dns: [], ip: ['10.0.0.0/8'] } }, '10.0.0.1'), false);
    assert.equal(maySign({ permitted: NONE, excluded: { dns: [], ip: ['10.0.0.0/8'] } }, '11.0.0.1'), true);
  });
});

describe('what an authority may not sign', () => {
  const leaf = certificate({
    altNames: { dns: ['a.example'], ip: ['10.0.0.1'], email: [], uri: [], other: 0 },
    extendedKeyUsage: ['serverAuth', 'clientAuth', '1.2.3'],
  }).facts;
  const root = (more: object, usages?: readonly string[]) => ({
    ...certificate(usages === undefined ? {} : { extendedKeyUsage: usages }),
    ...more,
  });
  it('is a name, an address or a purpose of ours', () => {
    assert.deepEqual(beyond(root({}), leaf), []);
    assert.deepEqual(beyond(root({ limits: dns(['a.example']) }), leaf), ['a.example']);
    const within = (ip: readonly string[]) => ({ permitted: { dns: [], ip }, excluded: NONE });
    assert.deepEqual(beyond(root({ limits: within(['192.0.2.0/24']) }), leaf), ['10.0.0.1']);
    assert.deepEqual(beyond(root({ limits: within(['192.0.2.0/24', '10.0.0.0/8']) }), leaf), []);
    const neither = { permitted: { dns: ['b.example'], ip: ['192.0.2.0/24'] }, excluded: NONE };
    assert.deepEqual(beyond(root({ limits: neither }, ['clientAuth']), leaf), ['a.example', '10.0.0.1', 'serverAuth']);
    assert.deepEqual(beyond(root({}, ['clientAuth']), leaf), ['serverAuth']);
    assert.deepEqual(beyond(root({}, ['any']), leaf), []);
    assert.deepEqual(beyond(root({}, ['1.2.3']), leaf), ['serverAuth', 'clientAuth']);
  });
});
