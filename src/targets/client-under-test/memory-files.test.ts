import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LeftFile } from '../../kubernetes/transcript.js';
import { type DiskOptions, MemoryFiles } from './memory-files.js';

/** A disk, and what is heard of it. */
function disk(options: DiskOptions = {}) {
  const heard: string[] = [];
  const files = new MemoryFiles({
    ...options,
    onWrite: (path: string, { mode, text }: LeftFile) => heard.push(`wrote ${path} ${mode.toString(8)} ${text}`),
    onRemove: (path: string) => heard.push(`removed ${path}`),
  });
  return { files, heard };
}

describe('a disk in memory', () => {
  it('has what is given, and what was written over that', () => {
    const { files, heard } = disk({ given: { '/a/one': '1', '/a/b/two': '2', '/ab': '3' } });
    assert.deepEqual([files.read('/a/one'), files.exists('/a/one'), files.exists('/a')], ['1', true, false]);
    assert.deepEqual([files.list('/a'), files.list('/none')], [['b/two', 'one'], []]);
    files.write('/a/one', 'other', 0o600);
    assert.equal(files.read('/a/one'), 'other');
    assert.deepEqual(heard, ['wrote /a/one 600 other']);
    assert.deepEqual(files.left, { '/a/one': { mode: 0o600, text: 'other' } });
    files.remove('/a/one');
    assert.equal(files.read('/a/one'), '1');
    assert.deepEqual(files.left, {});
  });

  it('cannot be written where it is closed', () => {
    const { files, heard } = disk({ closed: ['/etc/pki', '/x'] });
    for (const path of ['/etc/pki', '/etc/pki/ca.crt', '/x', '/x/y/z'])
      assert.throws(() => files.write(path, 'a', 0o600), new Error(`open ${path}: permission denied`));
    for (const path of ['/etc/pki.crt', '/etc', '/xy']) files.write(path, 'a', 0o600);
    assert.deepEqual([Object.keys(files.left), heard.length], [['/etc', '/etc/pki.crt', '/xy'], 3]);
  });

  it('takes so much of a file as it can hold', () => {
    const { files, heard } = disk({ largest: 3 });
    files.write('/fits', 'abc', 0o600);
    assert.throws(() => files.write('/long', 'abcd', 0o644), new Error('write /long: file too large'));
    assert.deepEqual(files.left, { '/fits': { mode: 0o600, text: 'abc' }, '/long': { mode: 0o644, text: 'abc' } });
    assert.deepEqual(heard, ['wrote /fits 600 abc', 'wrote /long 644 abc']);
  });

  it('follows links, beside which their targets lie', () => {
    const { files, heard } = disk({ given: { '/p/given': 'g' } });
    files.write('/p/dated', 'd', 0o600);
    files.link('/p/current', 'dated');
    assert.deepEqual([files.read('/p/current'), files.exists('/p/current')], ['d', true]);
    assert.deepEqual(files.left, {
      '/p/current': { mode: 0o600, text: 'd', isLink: true },
      '/p/dated': { mode: 0o600, text: 'd' },
    });
    heard.length = 0;
    files.link('/p/given', 'none');
    assert.deepEqual([files.exists('/p/given'), heard], [false, ['removed /p/given']]);
    files.link('/p/new', 'none');
    files.remove('/p/none');
    assert.deepEqual(heard, ['removed /p/given']);
    files.remove('/p/current');
    assert.deepEqual(
      [heard.at(-1), files.exists('/p/current'), files.exists('/p/dated')],
      ['removed /p/current', false, true],
    );
    files.remove('/p/dated');
    assert.deepEqual([heard.at(-1), files.left], ['removed /p/dated', {}]);
  });

  it('follows links that name the whole path, as a kubelet makes them', () => {
    const { files } = disk();
    files.write('/p/dated', 'd', 0o600);
    files.link('/p/current', '/p/dated');
    files.link('/q/current', '../p/dated');
    assert.deepEqual([files.read('/p/current'), files.read('/q/current')], ['d', 'd']);
    assert.deepEqual(files.left['/p/current'], { mode: 0o600, text: 'd', isLink: true });
    files.link('/p/current', '/q/dated');
    assert.equal(files.exists('/p/current'), false);
  });
});
