import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, mock } from 'node:test';
import { gzipSync } from 'node:zlib';
import { TargetUnreachable } from '../errors.js';
import { ArchiveTree } from './archive.js';
import { openDisk } from './open.js';

const LONG = `${'a-long-name-'.repeat(12)}.crt`;

describe('the disk of a node as an archive', () => {
  let folder = '';
  const at = (path: string): string => join(folder, path);
  const tar = (...args: readonly string[]): void => {
    execFileSync('tar', ['-C', at('root'), ...args], { stdio: 'pipe' });
  };
  const found = async (archive: string) => {
    const entries = await (await openDisk(at(archive))).read(['/etc/kubernetes', '/etc/default/kubelet']);
    return new Map(entries.map((entry) => [entry.path, entry]));
  };
  /** What the folder shows, whoever it belongs to. */
  const plain = (entries: ReadonlyMap<string, object>): readonly unknown[] => [...entries.values()];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'joinproof-archive-'));
    for (const each of ['root/etc/kubernetes/pki', 'root/data', 'root/etc/default'])
      mkdirSync(at(each), { recursive: true });
    writeFileSync(at('root/etc/kubernetes/pki/ca.crt'), 'a certificate');
    chmodSync(at('root/etc/kubernetes/pki/ca.crt'), 0o640);
    writeFileSync(at(`root/etc/kubernetes/pki/${LONG}`), 'a long name');
    writeFileSync(at('root/data/admin.conf'), 'elsewhere');
    symlinkSync('/data/admin.conf', at('root/etc/kubernetes/admin.conf'));
    symlinkSync('../../../../../../etc/passwd', at('root/etc/kubernetes/climbs'));
    linkSync(at('root/data/admin.conf'), at('root/etc/kubernetes/same.conf'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', at('root/etc/kubernetes/fifo')]);
    writeFileSync(at('root/etc/kubernetes/giant'), '');
    truncateSync(at('root/etc/kubernetes/giant'), 3 * 1024 * 1024);
    // A hole, what is written, another hole, many times: more parts than a header and the block behind it hold.
    const holes = openSync(at('root/etc/kubernetes/holes'), 'w');
    for (let part = 0; part < 60; part += 1) writeSync(holes, `part ${part}`, part * 16_384 + 7);
    closeSync(holes);
    writeFileSync(at('root/etc/kubernetes/holes.sum'), readFileSync(at('root/etc/kubernetes/holes')));
    writeFileSync(at('root/etc/default/kubelet'), 'KUBELET_EXTRA_ARGS=');
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [name, ...args] of [
    ['gnu', '--format=gnu'],
    ['pax', '--format=pax'],
    ['gzip', '-z'],
    ['sparse', '--format=gnu', '-S'],
    ['sparse-pax', '--format=pax', '-S'],
    ['sparse-pax-0', '--format=pax', '-S', '--sparse-version=0.1'],
  ] as const)
    it(`shows what its folder shows: ${name}`, async () => {
      tar(...args, '-cf', at(`${name}.tar`), '.');
      assert.deepEqual(plain(await found(`${name}.tar`)), plain(await found('root')));
    });

  it('reads names from the root, and parts of a disk without the folders above', async () => {
    tar('-P', '--transform=s,^,/,', '-cf', at('absolute.tar'), 'etc/kubernetes/pki/ca.crt', 'etc/default/kubelet');
    const seen = await found('absolute.tar');
    assert.equal(seen.get('/etc/kubernetes/pki/ca.crt')?.text, 'a certificate');
    assert.equal(seen.get('/etc/kubernetes/pki')?.mode, undefined);
    assert.equal(seen.get('/etc/default/kubelet')?.kind, 'file');
  });

  it('keeps links within', async () => {
    tar('-cf', at('links.tar'), '.');
    const seen = await found('links.tar');
    assert.equal(seen.get('/etc/kubernetes/admin.conf')?.text, 'elsewhere');
    assert.equal(seen.get('/etc/kubernetes/same.conf')?.text, 'elsewhere');
    assert.match(seen.get('/etc/kubernetes/climbs')?.unreadable ?? '', /link to nothing/);
    assert.match(seen.get('/etc/kubernetes/giant')?.unreadable ?? '', /larger than 1024 KiB/);
    assert.match(seen.get('/etc/kubernetes/fifo')?.unreadable ?? '', /no regular file/);
  });

  it('refuses members that lead out', async () => {
    tar('-P', '--transform=s,^etc,../etc,', '-cf', at('out.tar'), 'etc/default/kubelet');
    await assert.rejects(openDisk(at('out.tar')), /cannot be read: its member "\.\.\/etc.*" leads out of it\. Give/);
  });

  it('says what is half-written, damaged or packed otherwise', async () => {
    const refused = async (content: Buffer, why: RegExp): Promise<void> => {
      writeFileSync(at('bad'), content);
      await assert.rejects(openDisk(at('bad')), (error: Error) => {
        assert.equal(error.name, 'TargetUnreachable');
        assert.match(error.message, why);
        return true;
      });
    };
    tar('-cf', at('whole.tar'), '.');
    const whole = readFileSync(at('whole.tar'));
    await refused(whole.subarray(0, 2000), /half-written/);
    await refused(whole.subarray(0, 1024), /half-written/);
    await refused(gzipSync(whole).subarray(0, 300), /half-written/);
    await refused(gzipSync(whole.subarray(0, 2000)), /half-written/);
    await refused(Buffer.alloc(0), /no tar archive, or half-written/);
    await refused(Buffer.from('a certificate'.repeat(100)), /no tar archive/);
    const damaged = gzipSync(whole);
    damaged.fill(0x55, 100, 140);
    await refused(damaged, /damaged|no tar archive/);
    const header = Buffer.from(whole);
    header.write('9', 512 * 2 + 110);
    await refused(header, /damaged|no tar archive/);
    await refused(Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), /packed with xz/);
  });

  it('is gone through within bounds of size, members and time', async () => {
    for (const flags of ['-cf', '-czf']) {
      tar(flags, at('bounded'), 'etc');
      const opened = (bounds: object): Promise<unknown> => ArchiveTree.open(at('bounded'), bounds);
      await opened({ bytes: 16 * 1024 ** 2, members: 100, time: 60_000 });
      await assert.rejects(opened({ bytes: 1024 ** 2 }), /cannot be read: it is larger than 0\.0009765625 GiB\. Give/);
      await assert.rejects(opened({ members: 3 }), /it has more than 3 members/);
      await assert.rejects(opened({ time: -1000 }), /reading it takes longer than -1 s/);
    }
  });

  it('says what the file system says, also of one that has changed since it was opened', async () => {
    for (const flags of ['-cf', '-czf']) {
      tar(flags, at('changing'), 'etc');
      const disk = await openDisk(at('changing'));
      rmSync(at('changing'));
      mkdirSync(at('changing'));
      await assert.rejects(disk.read(['/etc/kubernetes']), { name: 'TargetUnreachable', message: /: EISDIR\. Give/ });
      rmSync(at('changing'), { recursive: true });
      await assert.rejects(disk.read(['/etc/kubernetes']), { name: 'TargetUnreachable', message: /: ENOENT\. Give/ });
    }
  });

  it('is not read for longer than it may take', async () => {
    mkdirSync(at('root/slow'), { recursive: true });
    writeFileSync(at('root/slow/large'), Buffer.alloc(512 * 1024));
    tar('-cf', at('slow.tar'), 'slow');
    for (const [later, late] of [
      [20_002, true],
      [20_000, false],
    ] as const) {
      // the first part of it comes in time
      const times = [0, 1];
      const clock = mock.method(performance, 'now', () => times.shift() ?? later);
      const opening = openDisk(at('slow.tar')).finally(() => clock.mock.restore());
      if (late) await assert.rejects(opening, { name: 'TargetUnreachable', message: /takes longer than 20 s\. Give/ });
      else await opening;
    }
  });

  it('is half-written wherever it is cut off', async () => {
    tar('-cf', at('cut.tar'), 'etc', 'data');
    const whole = readFileSync(at('cut.tar'));
    const end = whole.findLastIndex((byte) => byte !== 0) + 1;
    const parts = 24;
    for (let part = 1; part <= parts; part += 1) {
      writeFileSync(at('cut'), whole.subarray(0, Math.floor((end * part) / parts) - (part === parts ? 1 : 0)));
      await assert.rejects(openDisk(at('cut')), /half-written/, `${part} of ${parts} parts`);
    }
  });

  it('ends, whatever a pax header says of its members', async () => {
    tar(
      '--format=pax',
      '--pax-option=mtime:=1.5,comment:=a-long-comment',
      '-cf',
      at('told.tar'),
      'etc/default/kubelet',
    );
    const whole = readFileSync(at('told.tar'));
    const first = 512;
    const second = first + Number.parseInt(whole.toString('latin1', first, first + 3), 10);
    assert.match(whole.toString('latin1', second, second + 12), /^\d\d [a-zJ]/);
    for (const [from, words] of [
      [second, 'x'.repeat(1024 - second)],
      [second, '00 '],
      [second, '-9 '],
      [second, '3.5'],
      [second, '   '],
      [first, '00 '],
      [first, '99 '],
    ] as const) {
      const odd = Buffer.from(whole);
      odd.write(words, from, 'latin1');
      writeFileSync(at('odd.tar'), odd);
      assert.equal((await found('odd.tar')).get('/etc/default/kubelet')?.text, 'KUBELET_EXTRA_ARGS=');
    }
  });
});

describe('an archive that is packed otherwise', () => {
  for (const [packed, bytes] of [
    ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
    ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
    ['bzip2', [0x42, 0x5a, 0x68]],
    ['zip', [0x50, 0x4b, 3, 4]],
  ] as const)
    it(`is named: ${packed}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'joinproof-packed-'));
      const file = join(folder, 'disk');
      try {
        writeFileSync(file, Buffer.from([...bytes, 0, 0]));
        await assert.rejects(
          openDisk(file),
          new TargetUnreachable(
            `--node ${file} is packed with ${packed}, which is not read. Give a folder, a tar or a tar.gz.`,
            'other',
          ),
        );
        writeFileSync(file, Buffer.from([...bytes.slice(0, -1), 0, 0, 0]));
        await assert.rejects(openDisk(file), /is no tar archive/);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
});
