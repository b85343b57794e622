/** What a run tells, and where: on a terminal, beside reports, of what a configuration says. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import type { Report } from '../model/report.js';
import { report } from '../report/testing-report.js';
import { commanded } from './commands.testing.js';
import { deliver } from './deliver.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-run-told-'));
const put = (name: string, value: unknown): string => {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(value));
  return file;
};
const SECRET = {
  'token-id': '07401b',
  'token-secret': 'f395accd246ae52d',
  'usage-bootstrap-authentication': 'true',
  'auth-extra-groups': 'system:bootstrappers:team',
};
const tokenSecret = (id: string, more: Readonly<Record<string, string>> = {}) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system', creationTimestamp: '2026-11-01T00:00:00Z' },
  type: 'bootstrap.kubernetes.io/token',
  data: Object.fromEntries(
    Object.entries({ ...SECRET, 'token-id': id, ...more }).map(([key, text]) => [
      key,
      Buffer.from(text).toString('base64'),
    ]),
  ),
});
const dump = put('dump.json', tokenSecret('07401b'));
const MANY = 60;
const many = put('many.json', {
  apiVersion: 'v1',
  kind: 'List',
  items: Array.from({ length: MANY }, (_, n) => tokenSecret(String(n).padStart(6, '0'))),
});
const waived = put('waived.json', {
  waivers: [{ rule: 'TOK-001', subject: '*', owner: 'anna', reason: 'a toy', expires: '2999-01-31' }],
});
const empty = put('empty.json', {});
const groups = put('groups.json', { parameters: { tokenGroups: ['system:bootstrappers:team'] } });

const told = put(
  'told.json',
  tokenSecret('07401b', { 'auth-extra-groups': `system:bootstrappers:${SECRET['token-secret']}` }),
);

const run = (rule: string, ...more: readonly string[]): ReturnType<typeof commanded> =>
  commanded(['run', '--manifests', dump, '--rule', rule, ...more]);
const sound = (...more: readonly string[]): ReturnType<typeof commanded> => run('TOK-001', ...more);
/** T-03: a token carries groups that are meant for it, which the profile strict demands and kubeadm's does not. */
const grouped = (...more: readonly string[]): ReturnType<typeof commanded> => run('T-03', '--quiet', ...more);

const SIGNED = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJzIn0.c2lnbmF0dXJlc2lnbmF0dXJl';

/** On terminals, of these variables. */
async function onTerminals<T>(variables: Readonly<Record<string, string>>, act: () => Promise<T>): Promise<T> {
  const streams = [process.stdout, process.stderr];
  const before = streams.map(({ isTTY }) => isTTY);
  const { TERM, NO_COLOR } = process.env;
  delete process.env.NO_COLOR;
  Object.assign(process.env, { TERM: 'xterm' }, variables);
  for (const stream of streams) stream.isTTY = true;
  try {
    return await act();
  } finally {
    for (const [index, stream] of streams.entries()) stream.isTTY = before[index] as boolean;
    for (const [name, value] of Object.entries({ TERM, NO_COLOR }))
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}

// all before a test is said to run, which is said on the same stream
const plain = await sound('--no-config');
const terminal = await onTerminals({}, () => sound('--no-config'));
const uncoloured = await onTerminals({ NO_COLOR: '1' }, () => sound('--no-config'));
const dumb = await onTerminals({ TERM: 'dumb' }, () => sound('--no-config'));
const quiet = await onTerminals({}, () => sound('--no-config', '--quiet'));
const configured = await sound('--config', empty);
const configuredQuietly = await sound('--config', empty, '--quiet');
const badge = path.join(folder, 'badge.svg');
const html = path.join(folder, 'report.html');
const json = await sound('--no-config', '--out', 'json=-');
const jsonLast = await sound('--no-config', '--out', `badge=${badge}`, '--out', 'json=-');
const jsonFirst = await sound('--no-config', '--out', 'json=-', '--out', `prometheus=${path.join(folder, 'a.prom')}`);
await sound('--no-config', '--out', `html=${html}`);
/** How many findings a report of many tokens holds. */
const findingsOf = async (...more: readonly string[]): Promise<number> => {
  const { out } = await commanded(['run', '--manifests', many, '--rule', 'TOK-001', '--out', 'json=-', ...more]);
  const { rules } = JSON.parse(out) as Report;
  return rules
    .flatMap(({ scenarios }) => scenarios)
    .flatMap(({ judgements }) => judgements.flatMap((one) => one.findings)).length;
};
const examples = await findingsOf('--no-config');
const allFindings = await findingsOf('--no-config', '--evidence', 'full');
const allWaived = await findingsOf('--config', waived);
const strangers = await grouped('--config', empty);
const strangersStrictly = await grouped('--config', empty, '--profile', 'strict');
const meant = await grouped('--config', groups);
const meantStrictly = await grouped('--config', groups, '--profile', 'strict');

/** The secret half of a token stands where a rule tells of it, and where a report cannot be written. */
const secret = path.join(folder, SECRET['token-secret']);
if (existsSync('/dev/full')) symlinkSync('/dev/full', secret);
const sealed = await commanded(['run', '--manifests', told, '--rule', 'T-03', '--no-config', '--out', 'json=-']);
const unwritten = await sound('--no-config', '--out', `json=${secret}`);

/** What is thrown where two outputs of a report cannot be written, and what is told on the console all the same. */
const failing = await (async () => {
  const { write } = process.stdout;
  const said: string[] = [];
  process.stdout.write = (text: string | Uint8Array): boolean => said.push(String(text)) > 0;
  try {
    const outputs = ['a', 'b'].map((name) => ({ format: 'json' as const, file: path.join(folder, 'none', name) }));
    await deliver(report, { outputs, detail: 'quiet', redact: (text) => text });
    return undefined;
  } catch (error) {
    return { said: said.join(''), message: (error as Error).message, name: (error as Error).name };
  } finally {
    process.stdout.write = write;
  }
})();

/** A report in which the only scenario failed, as the console and no other output tells it. */
const unmet = await (async () => {
  const { write } = process.stdout;
  const said: string[] = [];
  process.stdout.write = (text: string | Uint8Array): boolean => said.push(String(text)) > 0;
  const findings = [
    {
      role: 'demand' as const,
      result: 'unmet' as const,
      subject: 'the subject',
      demanded: 'a demand',
      seen: 'the finding',
    },
  ];
  const failed = (one: Report['rules'][number]): Report['rules'][number] => ({
    ...one,
    verdict: 'failed',
    scenarios: one.scenarios.map((scenario) => ({
      ...scenario,
      verdict: 'failed',
      judgements: scenario.judgements.map((judgement) => ({ ...judgement, findings })),
    })),
  });
  try {
    const ofFailed = { ...report, rules: report.rules.map(failed) } as Report;
    await deliver(ofFailed, { outputs: [], detail: undefined, redact: (text) => text });
    return said.join('');
  } finally {
    process.stdout.write = write;
  }
})();

const { JOINPROOF_DEBUG } = process.env;
const debugged = await (async () => {
  const { stringify } = JSON;
  process.env.JOINPROOF_DEBUG = '1';
  JSON.stringify = () => {
    throw new TypeError(`of ${SIGNED} ${'x'.repeat(100_000)}`);
  };
  try {
    return await commanded(['rules', '--format', 'json']);
  } finally {
    JSON.stringify = stringify;
    if (JOINPROOF_DEBUG === undefined) delete process.env.JOINPROOF_DEBUG;
    else process.env.JOINPROOF_DEBUG = JOINPROOF_DEBUG;
  }
})();
const page = readFileSync(html, 'utf8');
const hasBadge = existsSync(badge);
rmSync(folder, { recursive: true });

const COLOUR = '\u001b[3';
const LINE = '\u001b[2K';

describe('a run', () => {
  it('is coloured, and shows how far it is, on a terminal alone', () => {
    const shown = [plain, terminal, uncoloured, dumb, quiet].map(({ code, out }) => [
      code,
      out.includes(COLOUR),
      out.includes(LINE),
    ]);
    assert.deepEqual(shown, [
      [0, false, false],
      [0, true, true],
      [0, false, true],
      [0, false, false],
      [0, true, false],
    ]);
  });

  it('says which configuration it was given, unless it is quiet', () => {
    assert.match(configured.err, /^joinproof: configured by .*empty\.json\.\n$/);
    assert.equal(configuredQuietly.err, '');
  });

  it('has standard output to a report, wherever that stands among others, and says the rest beside it', () => {
    for (const { out, err } of [json, jsonLast, jsonFirst]) {
      assert.equal((JSON.parse(out) as Report).summary.passed, 1);
      assert.match(err, /1 rule: 1 passed; conformant/);
    }
    assert.ok(hasBadge);
    assert.match(page, /bootstrap-token-07401b/);
  });

  it('tells on the console what was found where it failed, without any other output', () => {
    assert.match(unmet, /object: +the subject\n +demanded: +a demand\n +seen: +the finding/);
  });

  it('tells in a report what the documents say of rules that passed, too', () => {
    for (const { out } of [json, jsonLast])
      assert.ok((JSON.parse(out) as Report).rules.every(({ sentences }) => sentences.length > 0));
  });

  it('keeps all that was found where something is waived, as where all is asked for', () => {
    assert.ok(examples < MANY);
    assert.deepEqual([allFindings, allWaived], [MANY, MANY]);
  });

  it('tells no secret of its target, in its report, beside it or where it fails', () => {
    for (const { out, err } of [sealed, unwritten]) assert.doesNotMatch(out + err, /f395accd|ZjM5NWFj/);
    assert.match(sealed.out, /system:bootstrappers:\[redacted\]/);
    assert.match(sealed.err, /system:bootstrappers:\[redacted\]/);
    if (!existsSync('/dev/full')) return;
    assert.equal(unwritten.code, 3);
    assert.match(unwritten.err, /report could not be written to \S*\/\[redacted\]: /);
  });

  it('is held to the parameters of its configuration, whatever the profile', () => {
    assert.match(strangers.out, /1 rule: 1 advised/);
    assert.match(strangersStrictly.out, /1 rule: 1 failed/);
    assert.match(meant.out, /1 rule: 1 passed/);
    assert.match(meantStrictly.out, /1 rule: 1 passed/);
  });

  it('tells of every output that could not be written, and its verdicts all the same', () => {
    assert.equal(failing?.name, 'CannotJudge');
    assert.match(failing.message, /to \S*none\/a: .*; The json report could not be written to \S*none\/b: /);
    assert.match(failing.said, /rules?: /);
  });
});

describe('a command that fails by a mistake of its own', () => {
  it('shows more with JOINPROOF_DEBUG, but no secret, and no text without end', () => {
    assert.equal(debugged.code, 3);
    assert.match(debugged.err, /^TypeError: of \[redacted\] x+/);
    assert.ok(!debugged.err.includes('c2lnbmF0dXJlc2lnbmF0dXJl'));
    assert.ok(debugged.err.length < 10_000);
  });
});
