import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { it } from 'node:test';
import { isProgram } from './program-file.js';

it('takes a file that may be run for a program, and neither a folder nor what is not there', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'joinproof-program-'));
  try {
    const file = path.join(folder, 'a');
    await writeFile(file, '#!/bin/sh\n', { mode: 0o755 });
    assert.deepEqual(await Promise.all([file, folder, `${file}/b`].map(isProgram)), [true, false, false]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
