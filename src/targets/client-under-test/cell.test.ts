import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { HEALTHZ, HEALTHZ_ELSEWHERE } from '../../liars/addresses.js';
import { endMarked } from '../marked-processes.js';
import { Cell, demandNamespaces, rooted } from './cell.js';

const why = await demandNamespaces().then(
  () => false as const,
  (error: Error) => error.message,
);

describe('a cell', { skip: why }, () => {
  const home = mkdtempSync(path.join(tmpdir(), 'joinproof-cell-'));
  after(() => rmSync(home, { recursive: true, force: true }));
  const root = path.join(home, 'root');
  mkdirSync(path.join(root, 'work'), { recursive: true });
  const { signal } = new AbortController();
  const run = (cell: Cell, ...command: readonly string[]) =>
    cell.run({
      command: rooted({ root, seen: {}, folder: '/work', command }),
      environment: { PATH: process.env.PATH },
      folder: home,
      limit: 60_000,
      signal,
      mark: `${home}/run/`,
    });
  const within = async (act: (cell: Cell) => Promise<void>): Promise<void> => {
    const cell = new Cell(`${home}/cells/`);
    try {
      await act(cell);
    } finally {
      cell.close();
      endMarked(`${home}/`);
    }
  };

  it('runs a program in a root of its own, and tells how it ended', () =>
    within(async (cell) => {
      const { exit, said } = await run(cell, '/bin/sh', '-c', 'pwd; ls /etc 2>&1 | wc -l; echo x > /work/made; exit 3');
      assert.equal(exit, 3);
      assert.deepEqual(said.slice(0, 1), ['/work']);
      assert.equal(readFileSync(path.join(root, 'work/made'), 'utf8'), 'x\n');
    }));

  it('keeps programs and libraries of the host from being written', () =>
    within(async (cell) => {
      const { exit } = await run(cell, '/bin/sh', '-c', ': > /usr/bin/joinproof-was-here');
      assert.notEqual(exit, 0);
      assert.throws(() => readFileSync('/usr/bin/joinproof-was-here'));
    }));

  it('has a kubelet that is well where it is told, and nowhere else', () =>
    within(async (cell) => {
      const ask = `Promise.all([${HEALTHZ}, ${HEALTHZ_ELSEWHERE}].map(async (port) => {
        const answer = await fetch('http://127.0.0.1:' + port + '/healthz');
        return port + ' ' + answer.status + ' ' + (await answer.text());
      })).then((all) => console.log(all.join('\\n')))`;
      const said = async (wellAt: number | undefined): Promise<readonly string[]> => {
        await cell.kubeletIsWell(wellAt);
        const { said: lines } = await run(cell, process.execPath, '-e', ask);
        return lines.filter((line) => line !== '');
      };
      const [well, sick] = [
        [HEALTHZ, HEALTHZ_ELSEWHERE].map((port) => `${port} 200 ok`),
        [HEALTHZ, HEALTHZ_ELSEWHERE].map((port) => `${port} 500 not well`),
      ];
      assert.deepEqual(await said(undefined), sick);
      assert.deepEqual(await said(HEALTHZ), [well[0], sick[1]]);
      assert.deepEqual(await said(HEALTHZ_ELSEWHERE), [sick[0], well[1]]);
    }));

  it('hands out servers of a network of its own', () =>
    within(async (cell) => {
      const server = await cell.listen('127.0.0.1');
      const address = server.address();
      server.close();
      assert.ok(address !== null && typeof address === 'object');
      const refused = new Promise((resolve, reject) => {
        get({ host: '127.0.0.1', port: address.port }, () => reject(new Error('it answers'))).on('error', resolve);
      });
      await refused;
    }));

  it('tells of what runs in it that it has ended, and leaves it to be found by its mark', () =>
    within(async (cell) => {
      const running = run(cell, '/bin/sh', '-c', 'echo begun > /work/begun; exec sleep 600');
      const outcome = assert.rejects(running, /cell has ended/);
      const begun = path.join(root, 'work/begun');
      writeFileSync(begun, '');
      while (readFileSync(begun, 'utf8') === '') await new Promise((resolve) => setTimeout(resolve, 5));
      cell.close();
      await outcome;
      assert.ok(endMarked(`${home}/run/`).length > 0);
    }));
});
