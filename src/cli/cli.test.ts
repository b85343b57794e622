import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const cli = fileURLToPath(new URL('./joinproof.js', import.meta.url));
const joinproof = (
  ...args: readonly string[]
): { readonly code: number | null; readonly out: string; readonly err: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
    cwd: tmpdir(),
    encoding: 'utf8',
    env: { PATH: process.env.PATH, KUBECONFIG: '/nonexistent' },
  });
  return { code: status, out: stdout, err: stderr };
};

describe('wrong usage ends with 2 and a sentence', () => {
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [[], /no command was given/],
    [['rum'], /no command "rum"\. Did you mean "run"/],
    [['run', '--contxt', 'a'], /"joinproof run" has no option "--contxt"\. Did you mean "--context"/],
    [['run', '--rule'], /argument missing/],
    [['run', '--chapter', 'bootstrap-token'], /Did you mean "bootstrap-tokens"/],
    [['run', '--tags', '@MSUT'], /Did you mean "@MUST"/],
    [['run', '--out', 'jsn=a'], /Did you mean "json"/],
    [['run', '--out', `json=${tmpdir()}`], /it is a folder/],
    [['run', '--timeout', '0'], /no positive duration/],
    [['run', '--kubeconfig', 'a', '--in-cluster'], /different targets/],
    [['run', '--context', ''], /--context is empty/],
    [['run', '--kubeconfig', '/nonexistent/a'], /does not exist/],
    [['run', 'more'], /Too many arguments/],
    [['rules', '--format', 'jsn'], /Did you mean "json"/],
    [['sweep', '--context', 'prod'], /Give the kubeconfig/],
    [['sweep', '--kubeconfig', 'a', '--timeout', '0'], /--timeout.* no positive duration/],
    [['help', 'rum'], /no command "rum"\. Did you mean "run"/],
    [['run', '--manifests', '/nonexistent'], /there is no such file or folder/],
    [['run', '--manifests', 'a', '--allow-writes'], /only read/],
    [['run', '--manifests', 'a', '--in-cluster'], /different targets/],
    [['replay'], /issing required argument/],
    [['replay', '/nonexistent'], /cannot be read/],
    [['replay', cli], /is no JSON/],
    [['replay', '/dev/zero'], /cannot be read \(it is larger than 131072 KiB\)/],
    [['replay', tmpdir()], /cannot be read \(EISDIR\)/],
    [['replay', 'x', '--evidence', 'som'], /Allowed choices are examples, full/],
    [['run', '--kubeconfig', '/dev/zero'], /cannot be read \(it is larger than 8192 KiB\)/],
    [['run', '--manifests', '/dev/zero'], /neither a file nor a folder/],
  ];
  for (const [args, message] of cases) {
    it(args.join(' ') || 'nothing', () => {
      const { code, out, err } = joinproof(...args);
      assert.equal(code, 2, err);
      assert.match(err, message);
      assert.equal(out, '');
      assert.ok(!/\n\s+at /.test(err) && err.trimEnd().split('\n').length === 1, err);
    });
  }
});

describe('help', () => {
  for (const command of ['', 'run', 'replay', 'rules', 'sweep', 'serve']) {
    it(`joinproof ${command} --help shows examples`, () => {
      const { code, out } = joinproof(...(command === '' ? [] : [command]), '--help');
      assert.equal(code, 0);
      assert.match(out, /Examples:\n {2}\$ joinproof /);
    });
  }

  it('says the exit codes and the version', () => {
    assert.match(joinproof('--help').out, /3 {2}could not be judged/);
    assert.match(joinproof('--version').out, /^\d+\.\d+\.\d+\n$/);
  });
});

describe('joinproof rules', () => {
  it('lists what would be judged, as a table and as JSON', () => {
    assert.match(joinproof('rules', '--rule', 'TOK-001').out, /^ID +LEVEL .*\nTOK-001 +MUST +bootstrap-tokens /);
    const listed: unknown = JSON.parse(joinproof('rules', '--rule', 'TOK-001', '--format', 'json').out);
    assert.ok(Array.isArray(listed) && listed.length === 1);
  });

  it('does not mind a reader that has seen enough', async () => {
    const child = spawn(process.execPath, [cli, 'rules', '--format', 'json'], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.once('data', () => child.stdout.destroy());
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const code = await new Promise((resolve) => child.on('close', resolve));
    assert.deepEqual([code, err], [0, '']);
  });
});

describe('joinproof run', () => {
  it('judges the reference whatever KUBECONFIG says, without colour and progress where nobody looks', () => {
    const { code, out, err } = joinproof('run', '--rule', 'TOK-001', '--verbose');
    assert.equal(code, 0, err);
    assert.match(out, /^joinproof reference v1\./);
    assert.match(out, /passed {2}TOK-001 MUST/);
    assert.match(out, /\n1 rule: 1 passed; conformant \(\d+\.\d s\)\n$/);
    assert.ok(!out.includes('\u001b') && !out.includes('\r'));
    assert.equal(err, '');
  });

  it('says one line of a sound reference with --quiet, and is not quiet and verbose at once', () => {
    const { code, out, err } = joinproof('run', '--rule', 'TOK-001', '--quiet');
    assert.equal(code, 0, err);
    assert.match(out, /^1 rule: 1 passed; conformant \(\d+\.\d s\)\n$/);
    const both = joinproof('run', '--rule', 'TOK-001', '--quiet', '--verbose');
    assert.deepEqual([both.code, both.out], [2, '']);
    assert.match(both.err, /--verbose and --quiet say the opposite/);
  });

  it('ends with 3 and a sentence where nothing answers, and with 2 where the file is no kubeconfig', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-cli-'));
    const kubeconfig = path.join(folder, 'config');
    const cluster = { name: 'c', cluster: { server: 'https://127.0.0.1:1' } };
    const context = { name: 'c', context: { cluster: 'c', user: 'u' } };
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        clusters: [cluster],
        contexts: [context],
        users: [{ name: 'u', user: { token: 't' } }],
        'current-context': 'c',
      }),
    );
    try {
      const { code, out, err } = joinproof('run', '--kubeconfig', kubeconfig);
      assert.deepEqual([code, out], [3, '']);
      assert.match(err, /^joinproof: .*refused.*\n$/);
      assert.equal(joinproof('run', '--kubeconfig', cli).code, 2);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  /** Runs beside a script that is loaded before the command and sees the same thread. */
  const beside = (
    script: string,
    ...args: readonly string[]
  ): { readonly code: number | null; readonly out: string; readonly err: string } => {
    const threads = "import { isMainThread } from 'node:worker_threads';";
    const preload = `data:text/javascript,${encodeURIComponent(`${threads} if (!isMainThread) { ${script} }`)}`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--import', preload, cli, ...args], {
      cwd: tmpdir(),
      encoding: 'utf8',
    });
    return { code: status, out: stdout, err: stderr };
  };
  /** As soon as the run listens to signals. */
  const whenRunning = (action: string): string =>
    `const wait = setInterval(() => { if (process.listenerCount('SIGINT') === 0) return; clearInterval(wait); ${action} }, 2)`;

  it('stops at a signal, cleans up, reports nothing and ends with 3', () => {
    const { code, out, err } = beside(whenRunning("process.kill(process.pid, 'SIGINT')"), 'run');
    assert.deepEqual([code, out], [3, ''], err);
    assert.match(err, /interrupted \(SIGINT\)/);
  });

  it('ends as at a signal, with a sentence, where a promise is rejected that nobody waits for', () => {
    const { code, out, err } = beside(whenRunning("Promise.reject(new Error('lost'))"), 'run');
    assert.deepEqual([code, out], [3, ''], err);
    assert.match(err, /joinproof itself failed: Error: lost/);
    assert.doesNotMatch(err, /\n\s+at /);
  });
});

describe('joinproof run --manifests and joinproof replay', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-dump-'));
  after(() => rmSync(folder, { recursive: true }));
  const secret = (id: string, half: string): object => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
    type: 'bootstrap.kubernetes.io/token',
    data: {
      'token-id': Buffer.from(id).toString('base64'),
      'token-secret': Buffer.from(half).toString('base64'),
    },
  });
  const dump = path.join(folder, 'secrets.json');
  const report = path.join(folder, 'report.json');
  const items = [secret('07401b', 'f395accd246ae52d'), secret('07401c', 'F395ACCD246AE52D')];
  writeFileSync(dump, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));

  it('judges what kubectl wrote, shows no secret, and judges the report alike without it', () => {
    const run = joinproof('run', '--manifests', dump, '--rule', 'TOK-001', '--out', `json=${report}`);
    assert.equal(run.code, 1, run.err);
    assert.match(run.out, /object: +Secret kube-system\/bootstrap-token-07401c/);
    rmSync(dump);
    const again = joinproof('replay', report);
    assert.deepEqual([again.code, again.out, again.err], [run.code, run.out, '']);
    const json = joinproof('replay', report, '--out', 'json=-');
    assert.deepEqual(JSON.parse(json.out).rules, JSON.parse(readFileSync(report, 'utf8')).rules);
    assert.doesNotMatch(json.out + run.out, /f395accd246ae52d/i);
  });

  it('keeps examples of what a report holds in full, where it is told to', () => {
    const many = path.join(folder, 'many.json');
    const upper = Array.from({ length: 60 }, (_, n) => secret(`0740${n + 10}`, `F395ACCD246AE${n + 100}`));
    writeFileSync(many, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: upper }));
    const full = path.join(folder, 'full.json');
    const out = ['--evidence', 'full', '--out', `json=${full}`];
    assert.equal(joinproof('run', '--manifests', many, '--rule', 'TOK-001', ...out).code, 1);
    const shown = (...more: readonly string[]) => {
      const { code, out } = joinproof('replay', full, '--out', 'json=-', ...more);
      assert.equal(code, 1);
      const [judgement] = JSON.parse(out).rules[0].scenarios[0].judgements;
      return [judgement.findings.length, judgement.more?.unmet, out.length] as const;
    };
    const [all, none, long] = shown();
    const [some, others, short] = shown('--evidence', 'examples');
    assert.deepEqual([all, none, some, others], [60, undefined, 20, 40]);
    assert.ok(short < long);
  });

  it('refuses what is nested beyond reading, at once', () => {
    const deep = path.join(folder, 'deep.json');
    for (const text of [`{"a":${'['.repeat(5_000_000)}`, `a: ${'['.repeat(1_000_000)}`, '- '.repeat(1_000_000)]) {
      writeFileSync(deep, text);
      const run = joinproof('run', '--manifests', deep);
      assert.equal(run.code, 2);
      assert.match(run.err, /nested too deeply|nested deeper than 1000 levels/);
    }
    writeFileSync(deep, `{"a":${'['.repeat(5_000_000)}`);
    assert.match(joinproof('replay', deep).err, /it is nested deeper than/);
  });

  it('says where a report is judged otherwise than recorded', () => {
    const changed = JSON.parse(readFileSync(report, 'utf8'));
    for (const scenario of changed.rules[0].scenarios) scenario.verdict = 'passed';
    changed.rules[0].verdict = 'passed';
    changed.rules[0].reason = null;
    for (const scenario of changed.rules[0].scenarios) scenario.reason = null;
    writeFileSync(report, JSON.stringify(changed));
    const { code, err } = joinproof('replay', report);
    assert.equal(code, 1);
    assert.match(err, /TOK-001 was passed when it was recorded, and is failed now/);
  });
});
