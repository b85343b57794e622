import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAmong, takesNoProxy } from './no-proxy.js';

describe('an address among those of a network', () => {
  const among = (host: string, network: string): boolean => {
    const [address = '', bits] = network.split('/');
    return isAmong(host, address, bits);
  };
  it('is, from the first to the last', () => {
    for (const [host, network] of [
      ['10.96.0.0', '10.96.0.0/12'],
      ['10.111.255.255', '10.96.0.0/12'],
      ['10.96.0.10', '10.96.0.10/32'],
      ['10.96.0.10', '10.96.0.10'],
      ['255.255.255.255', '0.0.0.0/0'],
      ['fd00::ffff', 'fd00::/112'],
      ['fd00::1', 'fd00:0::1'],
    ] as const)
      assert.ok(among(host, network), `${host} ${network}`);
  });

  it('is not, beyond them, of another family, or where one of them is none', () => {
    for (const [host, network] of [
      ['10.95.255.255', '10.96.0.0/12'],
      ['10.112.0.0', '10.96.0.0/12'],
      ['10.96.0.11', '10.96.0.10'],
      ['fd00::1:0', 'fd00::/112'],
      ['10.96.0.10', '::/0'],
      ['fd00::1', '0.0.0.0/0'],
      ['10.96.0.10', '10.96.0.0/33'],
      ['10.96.0.10', '10.96.0.0/'],
      ['10.96.0.10', '10.96.0.0/a'],
      ['fd00::1', 'fd00::/129'],
      ['fe80::1%eth0', 'fe80::/10'],
      ['a.example', '0.0.0.0/0'],
      ['10.96.0.10', 'a.example'],
      ['', '0.0.0.0/0'],
    ] as const)
      assert.ok(!among(host, network), `${host} ${network}`);
  });
});

describe('a connection without a proxy', () => {
  it('is that to the machine itself, always', () => {
    for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.255.0.1', '::1'])
      assert.ok(takesNoProxy(host, '443', ''));
    for (const host of ['localhost.example', '128.0.0.1', '::2', '192.0.2.1'])
      assert.ok(!takesNoProxy(host, '443', ''), host);
  });

  it('is that to whom an exception is about', () => {
    for (const [host, exceptions] of [
      ['a.example', '*'],
      ['a.example', 'a.example'],
      ['A.example', 'a.EXAMPLE'],
      ['b.a.example', 'a.example'],
      ['b.a.example', '.a.example'],
      ['b.a.example', '*.a.example'],
      ['a.example', 'b.example, a.example'],
      ['a.example', 'a.example:443'],
      ['192.0.2.1', '192.0.2.0/24'],
      ['192.0.2.1', '192.0.2.1'],
      ['192.0.2.1', '192.0.2.1:443'],
      ['2001:db8::1', '2001:db8::1'],
      ['2001:db8::1', '[2001:db8::1]:443'],
      ['2001:db8::1', '2001:db8::/32'],
    ] as const)
      assert.ok(takesNoProxy(host, '443', exceptions), `${host} ${exceptions}`);
  });

  it('is none to anybody else', () => {
    for (const [host, exceptions] of [
      ['a.example', ''],
      ['a.example', '.a.example'],
      ['a.example', '*.a.example'],
      ['ba.example', 'a.example'],
      ['a.example', 'b.a.example'],
      ['a.example', 'a.example:6443'],
      ['192.0.2.1', '192.0.3.0/24'],
      ['192.0.2.1', '192.0.2.10'],
      ['192.0.2.1', '192.0.2.1:6443'],
      ['192.0.2.1', '192.0.2.'],
      ['2001:db8::1', '[2001:db8::1]:6443'],
      ['a.example', ':443'],
      ['a.example', 'a.example b.example'],
    ] as const)
      assert.ok(!takesNoProxy(host, '443', exceptions), `${host} ${exceptions}`);
  });
});
