import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import os, { type NetworkInterfaceInfo, tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it, mock } from 'node:test';
import { ConfigurationError } from '../errors.js';
import { ownAddress, readConfigurationFile, releaseFor, rootOf } from './given.js';

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'joinproof-given-')));
after(() => rmSync(folder, { recursive: true }));

describe('what a user gives with a machine', () => {
  it('is a folder that is there, and no link to one', () => {
    const link = path.join(folder, 'link');
    symlinkSync(folder, link);
    const file = path.join(folder, 'file');
    writeFileSync(file, 'a: b\n');
    assert.equal(rootOf(folder), folder);
    for (const wrong of [link, file, path.join(folder, 'none')])
      assert.throws(() => rootOf(wrong), ConfigurationError, wrong);
  });

  it('is a release that can be read', () => {
    assert.equal(releaseFor('v1.36.1').minor, 36);
    assert.throws(() => releaseFor('newest'), ConfigurationError);
  });

  it('is a file that can be read, or it is said which cannot', async () => {
    const file = path.join(folder, 'config.yaml');
    writeFileSync(file, 'kind: InitConfiguration\n');
    assert.equal(await readConfigurationFile(file), 'kind: InitConfiguration\n');
    await assert.rejects(readConfigurationFile(`${file}x`), ConfigurationError);
  });

  it('is otherwise asked of the machine: its first address that others may reach, or loopback', () => {
    const at = (address: string, more: Partial<NetworkInterfaceInfo> = {}) =>
      ({ address, family: 'IPv4', internal: false, ...more }) as NetworkInterfaceInfo;
    const lo = [at('127.0.0.2', { internal: true }), at('::1', { internal: true, family: 'IPv6' })];
    const six = at('2001:db8::1', { family: 'IPv6' });
    const of = (interfaces: NodeJS.Dict<NetworkInterfaceInfo[]>): string => {
      const asked = mock.method(os, 'networkInterfaces', () => interfaces);
      syncBuiltinESMExports();
      try {
        return ownAddress();
      } finally {
        asked.mock.restore();
        syncBuiltinESMExports();
      }
    };
    assert.equal(of({ lo, eth0: [six, at('192.0.2.7')], eth1: [at('192.0.2.8')] }), '192.0.2.7');
    for (const none of [{}, { lo }, { lo, eth0: undefined }, { lo, eth0: [six] }]) assert.equal(of(none), '127.0.0.1');
  });
});
