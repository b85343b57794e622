import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf, saidBy } from '../common/judged.testing.js';
import { pod } from './node-seen.testing.js';
import { isSubnets, podAddresses, subnetsApart, subnetsGiven } from './node-subnets.js';

describe('subnets', () => {
  it('are one or two, each an address and a length', () => {
    for (const sound of [
      '10.96.0.0/12',
      '0.0.0.0/0',
      '10.0.0.1/32',
      'fd00::/8',
      'FD00::/112',
      '::/128',
      '::1.2.3.4/96',
    ])
      assert.equal(isSubnets(sound), true, sound);
    assert.equal(isSubnets('10.96.0.0/12,fd00::/108'), true);
    for (const odd of [
      '10.96.0.0',
      '10.96.0.0/',
      '10.96.0.0/33',
      '10.96.0/12',
      '10.96.0.0.0/12',
      'x10.96.0.0/12',
      '10.96.0.0/12x',
      'fd00::',
      'fd00::/129',
      'fd00::/1280',
      'xfd00::/8',
      'fd00::/8x',
      'ten:/8',
      'abc/8',
      '10.96.0.0/12,',
      '10.96.0.0/12,ten',
      'ten,10.96.0.0/12',
      '10.96.0.0/12,fd00::/108,10.244.0.0/16',
      '10.96.0.0/12;fd00::/108',
    ])
      assert.equal(isSubnets(odd), false, odd);
  });

  it('are told where they are given', () => {
    const flag = 'service-cluster-ip-range';
    const all = [pod('a', { [flag]: '10.96.0.0/12' }), pod('a', { [flag]: 'ten' }), pod('a', {})];
    assert.deepEqual(saidBy(subnetsGiven, all, { flag }), [
      `met: --${flag}=10.96.0.0/12`,
      `unmet: --${flag}=ten`,
      'unmet: it is not set',
    ]);
  });

  it('of Pods go with their allocation', () => {
    const told = (allocates: string | undefined, range: string | undefined) =>
      resultsOf(
        podAddresses,
        [
          pod('a', {
            ...(allocates === undefined ? {} : { 'allocate-node-cidrs': allocates }),
            ...(range === undefined ? {} : { 'cluster-cidr': range }),
          }),
        ],
        undefined,
      ).join();
    for (const [allocates, range, result] of [
      [undefined, undefined, 'met'],
      ['false', undefined, 'met'],
      ['false', '', 'met'],
      ['true', undefined, 'unmet'],
      ['true', '10.244.0.0/16', 'met'],
      ['false', '10.244.0.0/16', 'met'],
      [undefined, '10.244.0.0/16', 'unmet'],
      ['true', 'ten', 'unmet'],
    ] as const)
      assert.equal(told(allocates, range), result, `${allocates} ${range}`);
  });
});

describe('subnets of Pods and services', () => {
  const told = (pods: string | undefined, services: string | undefined): string =>
    saidBy(
      subnetsApart,
      [
        pod('a', {
          ...(pods === undefined ? {} : { 'cluster-cidr': pods }),
          ...(services === undefined ? {} : { 'service-cluster-ip-range': services }),
        }),
      ],
      undefined,
    ).join();

  it('have an address in common with those that the API server gives', () => {
    const beside = (own: Readonly<Record<string, string>>, services: string): string =>
      saidBy(subnetsApart, [pod('a', { 'cluster-cidr': '10.96.0.0/16', ...own })], { services }).join();
    assert.match(beside({}, '10.96.0.0/12'), /^unmet/);
    assert.match(beside({}, '10.97.0.0/16'), /^met/);
    assert.match(beside({}, ''), /^met/);
    assert.match(beside({ 'service-cluster-ip-range': '10.97.0.0/16' }, '10.96.0.0/12'), /^met/);
  });

  it('have an address in common at their ends, within, and beside others', () => {
    for (const [pods, services] of [
      ['10.96.0.0/16', '10.96.0.0/12'],
      ['10.96.0.0/12', '10.97.0.0/16'],
      ['fd00:1::/64', 'fd00:1::/108'],
      ['10.244.0.0/16,fd00:1::/112', '10.96.0.0/12,fd00::/16'],
      ['10.244.0.0/16,fd00::/64', '10.96.0.0/12,fd00::/108'],
      ['10.0.0.255/32', '10.0.0.0/24'],
      ['10.0.0.0/32', '10.0.0.0/24'],
      ['10.0.0.0/24', '10.0.0.255/32'],
      ['10.0.0.0/24', '10.0.0.0/32'],
      ['10.0.0.77/24', '10.0.0.1/32'],
      ['10.1.0.0/16,10.96.0.0/16', '10.96.0.0/12'],
      ['10.96.0.0/16,10.1.0.0/16', '10.96.0.0/12'],
      ['10.96.0.0/16', '10.1.0.0/16,10.96.0.0/12'],
      ['10.96.0.0/16', '10.96.0.0/12,10.1.0.0/16'],
      ['fd00::/64,10.96.0.0/16', '10.96.0.0/12'],
    ] as const)
      assert.equal(told(pods, services), `unmet: ${pods} and ${services}`);
  });

  it('have none where one begins when the other has ended, or one is not told', () => {
    for (const [pods, services] of [
      ['10.0.1.0/24', '10.0.0.0/24'],
      ['10.0.0.0/24', '10.0.1.0/24'],
      ['10.0.1.0/32', '10.0.0.0/24'],
      ['10.0.0.255/32', '10.0.1.0/24'],
      ['10.244.0.0/16,fd00::/64', '10.96.0.0/12,fd00:1::/108'],
      ['10.96.0.0', '10.96.0.0/12'],
    ] as const)
      assert.equal(told(pods, services), `met: ${pods} and ${services}`);
    assert.equal(told(undefined, '10.96.0.0/12'), 'met: none and 10.96.0.0/12');
    assert.equal(told('10.96.0.0/12', undefined), 'met: 10.96.0.0/12 and none');
  });
});
