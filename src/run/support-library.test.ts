import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { packageRoot, supportModule } from './package-root.js';
import { loadSteps } from './support-library.js';

describe('steps', () => {
  it('have a world of ours, however many kinds of them a process loads', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-steps-'));
    try {
      for (const name of ['first.js', 'second.js']) {
        const file = path.join(folder, name);
        writeFileSync(file, '');
        const library = await loadSteps([supportModule, file], packageRoot);
        assert.throws(
          () => library.newWorld(false, 1),
          /No target is set: steps run only inside joinproof run\./,
          name,
        );
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
