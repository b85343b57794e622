import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { packageFile } from '../run/package-root.js';

const BIN = 'dist/src/cli/joinproof.js';
/** Words in front of a module's name, relative to the file that names it. */
const IMPORTS = /(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+\.js)['"]/g;

describe('what npm packs', () => {
  let files: readonly string[] = [];
  before(async () => {
    // scripts would only build again what is tested here
    const { stdout } = await promisify(execFile)('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: packageFile('.'),
      maxBuffer: 16 * 1024 * 1024,
    });
    const [packed] = JSON.parse(stdout) as readonly { readonly files: readonly { readonly path: string }[] }[];
    files = packed?.files.map(({ path }) => path) ?? [];
  });

  it('has the command, the rules, their steps and schemas', () => {
    const wanted = [
      BIN,
      'dist/src/index.js',
      'features/profiles/kubeadm.yaml',
      'features/authenticators/3-flags.feature',
      'schemas/report.schema.json',
      'LICENSE',
      'README.md',
    ];
    assert.deepEqual(
      wanted.filter((file) => !files.includes(file)),
      [],
    );
    assert.ok(files.some((file) => file.startsWith('dist/steps/authenticators/')));
    assert.match(readFileSync(packageFile(BIN), 'utf8'), /^#!\/usr\/bin\/env node\n/);
  });

  it('has no tests, no defects and nothing that only developers run', () => {
    const others = files.filter((file) => /\.test\.|testing|^dist\/src\/(?:mutants|matrix|tools)\/|^src\//.test(file));
    assert.deepEqual(others, []);
  });

  it('has every module that one of its own names', () => {
    const missing = files
      .filter((file) => file.endsWith('.js'))
      .flatMap((file) =>
        [...readFileSync(packageFile(file), 'utf8').matchAll(IMPORTS)]
          .map(([, name = '']) => posix.join(posix.dirname(file), name))
          .filter((name) => !files.includes(name))
          .map((name) => `${file}: ${name}`),
      );
    assert.deepEqual(missing, []);
  });
});
