import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { readClientDescription } from './client-description.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-description-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const program = path.join(folder, 'join.sh');
writeFileSync(program, '#!/bin/sh\n');
chmodSync(program, 0o755);

async function read(text: string) {
  const file = path.join(folder, 'join.yaml');
  writeFileSync(file, text);
  return readClientDescription(file);
}
const WAY = 'ways: { token: [./join.sh, "{token}"] }\n';

describe('the description of a client', () => {
  it('is what its file says: times in seconds, paths from its folder on', async () => {
    assert.deepEqual(
      await read(
        `${WAY}name: mine\nspeaks: kubeadm\ntimeLimit: 40\ndiscoveryTimeout: 7\nenvironment: { A: "{node-name}" }\nfiles: { ca: etc/ca.crt, pki: /etc/pki/ }\n`,
      ),
      {
        name: 'mine',
        speaks: 'kubeadm',
        timeLimit: 40_000,
        discoveryTimeout: 7000,
        ways: { token: [program, '{token}'] },
        environment: { A: '{node-name}' },
        files: { ca: 'etc/ca.crt', pki: 'etc/pki' },
      },
    );
  });

  it('is refused whose aliases grow without end', async () => {
    const more = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(9)}*a${at}]\n`);
    await assert.rejects(read(`${WAY}a0: &a0 [x]\n${more.join('')}`), /its YAML aliases are broken or too many/);
  });

  it('has a name, a time limit and no files where it says nothing of them', async () => {
    assert.deepEqual(await read(WAY), {
      name: 'join.yaml',
      timeLimit: 60_000,
      ways: { token: [program, '{token}'] },
      environment: {},
      files: {},
    });
  });

  it('is refused with the field that is wrong', async () => {
    for (const [text, why] of [
      ['ways: {}\n', /ways/],
      [`${WAY}timeLimit: 0\n`, /timeLimit/],
      [`${WAY}more: 1\n`, /more/],
      ['ways: { token: [./join.sh, "{tokens}"] }\n', /\{tokens\} in ways\.token.*Did you mean "?\{?token/],
      [`${WAY}environment: { A: "{nobody}" }\n`, /\{nobody\} in environment\.A/],
      [`${WAY}files: { ca: ../ca.crt }\n`, /files\.ca/],
      [`${WAY}files: { ca: / }\n`, /files\.ca/],
      ['ways: { token: [./none.sh] }\n', /ways\.token/],
      ['a: b: c\n', /no YAML/],
    ] as const)
      await assert.rejects(read(text), why, text);
    await assert.rejects(readClientDescription(path.join(folder, 'none.yaml')), /cannot be read/);
  });
});
