import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ipv4Number, ipv4Text, isCidr } from './ip.js';

it('is an address and the length of its network', () => {
  const those = (texts: readonly string[]): readonly string[] => texts.filter(isCidr);
  const networks = ['10.0.0.0/0', '10.0.0.0/32', '10.0.0.1/8', 'fd00::/0', 'fd00::/128', '::/1'];
  assert.deepEqual(those(networks), networks);
  const others = ['', '/', '10.0.0.0', '10.0.0.0/', '/8', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', 'fd00::'];
  const odd = ['10.0.0.0/8/8', '10.0.0.0/-1', '10.0.0.0/+8', '10.0.0.0/8x', '10.0.0.0/x8', 'x/8', '10.0.0.0/0008'];
  assert.deepEqual(those([...others, ...odd]), []);
});

it('is a number and a text of four bytes, there and back', () => {
  for (const [text, value] of [
    ['0.0.0.0', 0],
    ['0.0.0.255', 255],
    ['0.0.1.0', 256],
    ['0.1.0.0', 65_536],
    ['1.2.3.4', 16_909_060],
    ['255.255.255.255', 4_294_967_295],
  ] as const) {
    assert.equal(ipv4Number(text), value);
    assert.equal(ipv4Text(value), text);
  }
  for (const text of ['', '1.2.3', '::1', '1.2.3.256']) assert.ok(Number.isNaN(ipv4Number(text)), text);
});
