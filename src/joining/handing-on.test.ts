import assert from 'node:assert/strict';
import { it } from 'node:test';
import { joiningDecisions } from './decisions/index.js';
import { uploadPhase } from './handing-on.js';
import type { Uploading } from './shared-certificates.js';

const FOLDER = '/etc/kubernetes/pki';

/** Why authorities are not handed on; undefined: that is not why. */
async function refused(...there: readonly string[]): Promise<boolean> {
  const machine = {
    files: { exists: (path: string) => there.includes(path), read: () => undefined },
    tell: () => {},
    random: (length: number) => Buffer.alloc(length),
  };
  const uploading = { machine, decisions: joiningDecisions } as unknown as Uploading;
  const cluster = { certificatesDir: FOLDER, externalEtcd: undefined } as unknown as Parameters<typeof uploadPhase>[1];
  return uploadPhase(uploading, cluster, { uploads: true, quiet: false }).then(
    () => false,
    (error: Error) => /can't use upload-certs with an external CA or an external front-proxy CA/.test(error.message),
  );
}

it('authorities without their keys are not handed on', async () => {
  for (const name of ['ca', 'front-proxy-ca']) {
    assert.equal(await refused(`${FOLDER}/${name}.crt`), true, name);
    assert.equal(await refused(`${FOLDER}/${name}.crt`, `${FOLDER}/${name}.key`), false, name);
  }
  assert.equal(await refused(), false);
  assert.equal(await refused(`${FOLDER}/etcd/ca.crt`), false);
});

it('nothing is handed on where that is not asked for', async () => {
  const told: string[] = [];
  const uploading = {
    machine: { tell: (line: string) => told.push(line) },
    decisions: joiningDecisions,
  } as unknown as Uploading;
  const cluster = { certificatesDir: FOLDER } as unknown as Parameters<typeof uploadPhase>[1];
  assert.equal(await uploadPhase(uploading, cluster, { uploads: false, quiet: false }), undefined);
  assert.match(told.join(), /Skipping phase/);
});
