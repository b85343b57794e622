import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ipBytes, ipText, shortestIp } from './ip.js';

const hex = (text: string): string | undefined => ipBytes(text)?.toString('hex');

it('addresses are bytes', () => {
  assert.equal(hex('192.0.2.1'), 'c0000201');
  assert.equal(hex('::'), '0'.repeat(32));
  assert.equal(hex('::1'), `${'0'.repeat(31)}1`);
  assert.equal(hex('fd00::'), `fd00${'0'.repeat(28)}`);
  assert.equal(hex('2001:db8:0:1:2:3:4:5'), '20010db8000000010002000300040005');
  assert.equal(hex('2001:db8::4:5'), '20010db8000000000000000000040005');
  assert.equal(hex('::ffff:192.0.2.1'), `${'0'.repeat(20)}ffffc0000201`);
  assert.equal(hex('64:ff9b::192.0.2.1'), `0064ff9b${'0'.repeat(16)}c0000201`);
  for (const text of ['', '192.0.2', '192.0.2.256', '192.0.2.01', 'fe80::1%eth0', ':::', 'a', '1::2::3'])
    assert.equal(hex(text), undefined, text);
});

it('bytes are addresses as Go writes them, the longest and first run of zeros left out', () => {
  for (const [from, to] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::', '::'],
    ['::1', '::1'],
    ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['2001:db8:0:1:0:0:0:1', '2001:db8:0:1::1'],
    ['2001:db8:0:0:1:1:1:1', '2001:db8::1:1:1:1'],
    ['1:0:1:0:0:1:0:0', '1:0:1::1:0:0'],
    ['1:1:1:1:1:1:0:0', '1:1:1:1:1:1::'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['1:0:0:0:0:0:0:0', '1::'],
  ] as const)
    assert.equal(ipText(ipBytes(from) ?? Buffer.alloc(4)), to, from);
});

it('an IPv4 address in sixteen bytes becomes four, and no other', () => {
  const short = (text: string): number => shortestIp(ipBytes(text) ?? Buffer.alloc(0)).length;
  assert.deepEqual(['::ffff:192.0.2.1', '::fffe:192.0.2.1', '::192.0.2.1', '192.0.2.1'].map(short), [4, 16, 16, 4]);
});
