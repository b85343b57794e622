/**
 * What commands say and how they end, word by word: src/cli/recorded has the texts. `node
 * dist/src/cli/recorded.test.js --write` writes them anew: git diff tells what is said otherwise now.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { toJson } from '../report/json.js';
import { testRecorded } from '../report/recorded.testing.js';
import { report } from '../report/testing-report.js';
import { readFeatures } from '../run/features.js';
import { featuresFolder, packageFile } from '../run/package-root.js';
import { commanded } from './commands.testing.js';
import { REFUSED_FLAGS } from './refused-flags.js';
import { version } from './version.js';

const RECORDED = 'src/cli/recorded';
const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-recorded-'));
const put = (name: string, text: string): string => {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
  return file;
};

const secret = (id: string, half: string): object => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: `bootstrap-token-${id}`, namespace: 'kube-system' },
  type: 'bootstrap.kubernetes.io/token',
  data: Object.fromEntries(
    Object.entries({ 'token-id': id, 'token-secret': half }).map(([key, text]) => [
      key,
      Buffer.from(text).toString('base64'),
    ]),
  ),
});
const listOf = (items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
const sound = put('sound.json', listOf([secret('07401b', 'f395accd246ae52d')]));
const BROKEN = [secret('07401b', 'f395accd246ae52d'), secret('07401c', 'F395ACCD246AE52D'), secret('07401d', 'F395')];
const broken = put('broken.json', listOf(BROKEN));
const waivers = [
  {
    rule: 'TOK-001',
    subject: 'Secret */bootstrap-token-07401c',
    owner: 'anna',
    reason: 'a test',
    expires: '2999-01-31',
  },
  { rule: 'TOK-*', subject: '*', owner: 'bob', reason: 'a test', expires: '2020-01-31' },
  { rule: 'CSR-*', subject: '*', owner: 'bob', reason: 'none', expires: '2999-01-31' },
];
const waiving = put('waiving.json', JSON.stringify({ waivers }));
const waivingAll = put('waiving-all.json', JSON.stringify({ waivers: [{ ...waivers[0], subject: '*' }] }));
const configured = put(
  'configured.json',
  JSON.stringify({ target: { manifests: broken }, rules: { ids: ['TOK-001'] } }),
);
const before = put('before.json', toJson({ ...report, rules: report.rules.slice(1) }));
const worse = report.rules.map((rule) => ({
  ...rule,
  verdict: 'failed' as const,
  reason: { kind: 'unmet' as const, text: 'x' },
}));
const later = put('later.json', toJson({ ...report, rules: worse.slice(0, -1) }));
put('machine/etc/hostname', 'cp-1\n');
for (const name of ['mount', 'losetup', 'cp', 'systemctl']) put(`machine/usr/bin/${name}`, '');
const machine = path.join(folder, 'machine');
const initMachine = path.join(folder, 'init-machine');
mkdirSync(initMachine);
const judged = path.join(folder, 'judged.json');
/** What was judged, as if all of it had passed: a report is judged by what was seen, not by what it says. */
const praised = path.join(folder, 'praised.json');
function praise(): void {
  const { rules, summary, ...rest } = JSON.parse(readFileSync(judged, 'utf8'));
  const passed = { verdict: 'passed', reason: null };
  const all = rules.map((rule: { scenarios: readonly object[] }) => ({
    ...rule,
    ...passed,
    scenarios: rule.scenarios.map((scenario) => ({ ...scenario, ...passed })),
  }));
  const counts = Object.fromEntries(Object.keys(summary).map((name) => [name, 0]));
  const { length } = all;
  const { scenarios } = summary;
  put(
    'praised.json',
    JSON.stringify({ ...rest, rules: all, summary: { ...counts, scenarios, rules: length, passed: length } }),
  );
}

/** Descriptions of clients that are refused, each for a word of its own. */
const CLIENTS = [
  { ways: { token: ['a', '{endpoint}', '{tokn}'] } },
  { ways: { token: ['a', ['--pin', '{pin}']] } },
  { ways: { token: [] } },
  { ways: { tokn: ['a'] } },
  { ways: { token: ['./none'] }, timeLimit: 0 },
  { ways: { token: ['./none'] }, files: { kubeconfig: '../a' } },
  { ways: { token: ['./none'] }, files: { kubeconfg: 'a' } },
  { ways: { token: ['./none'] }, speaks: 'kubeam' },
].map((client, n) => put(`client-${n}.json`, JSON.stringify({ name: 'a client', ...client })));

const one = ['--rule', 'TOK-001'];
const misled = put('misled.yaml', 'name: own\nabout: ours\nsource: us\ndemands: [TOK-01]\n');
const short = `${folder}/short.json`;
const dump = (file: string, ...more: readonly string[]): readonly string[] => [
  'run',
  '--manifests',
  file,
  ...one,
  ...more,
];
/** Of the words that a command takes none is given twice alike: what one of them is about is said once. */
const COMMANDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  help: [
    ['--help'],
    ...[
      ...['run', 'serve', 'init', 'join', 'preflight', 'replay', 'diff', 'explain', 'docs', 'completion', 'rules'],
      ...['rbac', 'sweep'],
    ].flatMap((name) => [[name, '--help']]),
    ['help', 'explain'],
    ['--version'],
  ],
  refused: [
    [],
    ['rum'],
    ['help', 'rum'],
    ['--verison'],
    ['run', 'more'],
    ['run', '--contxt', 'a'],
    ['run', '--contxt=a'],
    ['run', '--rule'],
    ['run', '--rule', 'TOK-999'],
    ['run', '--rule', 'tok-001', '--chapter', 'bootstrap-token'],
    ['run', '--tags', '@MSUT'],
    ['run', '--tags', '@MUST and'],
    ['run', '--level', 'MSUT'],
    ['run', ...one, '--chapter', 'cluster-info'],
    ...['json', '=a', 'json=', 'jsn=a', `json=${folder}`, `json=${sound}/a.json`].map((out) => ['run', '--out', out]),
    ['run', '--out', `json=${folder}/a`, '--out', `junit=${folder}/a`],
    ...['0', '-1', '1e3', '2147484', 'a', '1.', ''].map((seconds) => ['run', `--timeout=${seconds}`]),
    ['run', '--quiet', '--verbose'],
    ['run', '--fail-on', 'shuld'],
    ['run', '--require', 'writes,contrlers'],
    ['run', '--max-skipped', '-1'],
    ['run', '--profile', 'strct'],
    ['run', '--profile', misled],
    ['run', '--profile', sound],
    ['run', '--config', `${folder}/none.yaml`],
    ['run', '--config', sound],
    ['run', '--baseline', sound],
    ['run', '--evidence', 'som'],
    ['run', '--manifests', sound, '--concurrency', '2'],
    ['run', '--context', ''],
    ['run', '--manifests', sound, '--kubelet', 'a'],
    ...['--in-cluster', '--control-plane', '--client=a', '--kubeadm=a', '--node=a', '--manifests=a', '--context=a'].map(
      (other) => ['run', '--kubeconfig', `${folder}/none`, other],
    ),
    ...['--in-cluster', '--node=a', '--allow-writes', '--client=a'].map((other) => ['run', '--manifests', 'a', other]),
    ['run', '--node', `${folder}/none`],
    ['run', '--client', sound],
    ...CLIENTS.map((client) => ['run', '--client', client]),
    ['run', '--manifests', `${folder}/none`],
    ['rules', '--format', 'jsn'],
    ['explain'],
    ['explain', 'TOK-1'],
    ['explain', 'TOK-001', '--format', 'markdown'],
    ['rbac', '--service-account', 'joinproof'],
    ['rbac', '--service-account', 'a/B'],
    ['rbac', '--service-account', 'a-/b'],
    ...['a/bBc', 'a/b_c', 'a.b/c', 'a/b/c', `${'a'.repeat(64)}/b`].map((account) => [
      'rbac',
      '--service-account',
      account,
    ]),
    ['rbac', '--level', 'MIST'],
    ['rbac', '--profile', misled],
    ['replay', sound],
    ['replay', `${folder}/none`],
    ['diff', '-', '-'],
    ['diff', sound, before],
    ['diff', before, later, '--format', 'html'],
    ['docs'],
    ['docs', '--out', `${sound}/site`],
    ['docs', sound, '--out', `${folder}/site`],
    ['completion', 'csh'],
    ['sweep', '--context', 'a'],
    ['sweep', '--all', '--older-than', '5'],
    ['sweep', '--older-than', '0'],
    ['init'],
    ['init', '--root', machine, '--phase', 'crts'],
    ['init', '--root', machine, '--phase', 'certs/ca', '--phase', 'crts'],
    ['init', '--root', machine, '--config', `${folder}/none`],
    ['init', '--root', machine, '--kubernetes-version', '1'],
    ['join', '--root', machine],
    ['join', 'a:1', '--root', machine, '--config', before],
    ...['token', 'node-name', 'certificate-key', 'discovery-token-ca-cert-hash'].map((flag) => [
      'join',
      '--root',
      machine,
      '--config',
      before,
      `--${flag}`,
      'a',
    ]),
    ['join', '--root', machine, '--config', before, '--control-plane'],
    ['join', 'a:1', '--root', machine, '--apiserver-bind-port', '123456'],
    ['join', 'a:1', '--root', machine, '--token', 'a', '--timeout', '0'],
    ['preflight', 'upgrade'],
    ['preflight', 'init', 'a:1'],
    ['preflight', 'join', 'a:1', '--config', before],
    ...['a', 'a:', ':1', 'a:b:1', '[::1]:1x'].map((endpoint) => ['preflight', 'join', endpoint]),
    ['preflight', 'init', '--root', machine, '--out', `junit=${folder}/a`],
    ['preflight', 'init', '--root', machine, '--kubernetes-version', 'x'],
    ...['65536', '-1', 'a', '123456', ''].map((port) => ['serve', `--port=${port}`]),
    ...['host', 'data', 'kubeconfig-out'].map((name) => ['serve', `--${name}=`]),
    ...['abcdef.0123456789ABCDEF', 'xabcdef.0123456789abcdef', 'abcdef.0123456789abcdefx'].map((token) => [
      'serve',
      '--token',
      token,
    ]),
    ['serve', '--kubernetes-version', '1.99'],
    ...['h', '1hm', '1h 30m', '0s', 'x1h', '1h30', '1.5h', '1d', ''].map((time) => [
      'serve',
      `--cluster-signing-duration=${time}`,
    ]),
    ['serve', '--key-algorithm', 'RSA'],
    ['serve', '--anonymous-auth', 'yes'],
    ['serve', '--service-account-issuer', 'https://'],
    ['serve', '--service-account-issuer='],
    ...['token-auth-file', 'client-ca-file', 'service-account-key-file', 'requestheader-client-ca-file'].map((flag) => [
      'serve',
      `--${flag}`,
      `${folder}/none`,
    ]),
    ...Object.keys(REFUSED_FLAGS).map((flag) => ['serve', `--${flag}`, 'a']),
  ],
  rules: [
    ['rules', ...one, '--rule', 'JOIN-001'],
    ['rules', ...one, '--format', 'json'],
    ['rules', ...one, '--rule', 'JOIN-001', '--format', 'markdown'],
    ['explain', 'tok-001', 'JOIN-001'],
    ['explain', 'TOK-001', '--format', 'json'],
    ['rbac', ...one, '--service-account', 'a/b.c'],
    ['rbac', ...one, '--rule', 'INFO-001'],
    ['rbac', '--rule', 'INFO-001', '--rule', 'CSR-040', '--level', 'MUST'],
    ['rbac', '--rule', 'INFO-001', '--rule', 'CSR-040', '--chapter', 'kubelet-certificates'],
    ['rbac', '--rule', 'INFO-001', '--rule', 'CSR-040', '--tags', '@MUST'],
    ['rbac', '--rule', 'INFO-001', '--allow-writes', '--profile', 'plain'],
  ],
  run: [
    dump(sound),
    dump(sound, '--verbose'),
    dump(broken, '--out', `json=${judged}`),
    dump(broken, '--quiet'),
    dump(broken, '--out', 'markdown=-', '--out', `badge=${folder}/badge.svg`),
    dump(broken, '--config', waiving),
    dump(broken, '--config', waivingAll),
    dump(broken, '--baseline', judged),
    ['run', '--config', configured, '--require', 'objects,write', '--max-skipped', '0'],
    ['run', '--config', configured, '--fail-on', 'MAY', '--rule', 'TOK-002', '--profile', 'strict'],
    dump(sound, '--require', 'writes', '--quiet', '--out', `json=${short}`),
    ['replay', short, '--quiet'],
    ['replay', judged],
    ['replay', judged, '--verbose'],
    ['replay', judged, '--out', 'markdown=-', '--quiet'],
    ['replay', praised, '--quiet'],
    ['diff', praised, judged],
  ],
  diff: [
    ['diff', before, later],
    ['diff', later, before],
    ['diff', before, later, '--format', 'markdown'],
    ['diff', before, later, '--format', 'json'],
    ['diff', before, before],
  ],
  machines: [
    ['preflight', 'init', '--root', machine],
    ['preflight', 'join', 'a.example:6443', '--root', machine, '--ignore-preflight-errors', 'Swap,all'],
    ['preflight', 'init', '--root', machine, '--kubernetes-version', '1.31', '--out', 'json=-'],
    ['init', '--root', initMachine, '--phase', 'certs/ca', '--kubernetes-version', '1.31'],
    ['init', '--root', initMachine, '--phase', 'certs/ca', '--phase', 'kubeconfig/admin'],
  ],
  completion: [
    ['completion', 'bash'],
    ['completion', 'zsh'],
    ['completion', 'fish'],
  ],
};

const RULES = readFeatures(featuresFolder)
  .rules.map(({ id }) => id)
  .sort()
  .join(' ');
/** What is otherwise with every run, and the rules that there are. */
const steady = (text: string): string =>
  text
    .replaceAll(folder, '/FOLDER')
    .replaceAll(RULES, 'RULES')
    .replaceAll(version(), 'VERSION')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'HEX')
    .replaceAll(/[^ ]*\/joinproof-\w{6}\/kubeconfig/g, '/tmp/kubeconfig')
    .replaceAll(/\(\d+\.\d s\)/g, '(0.0 s)')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME');

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word}'`);

async function told(args: readonly string[], signal?: NodeJS.Signals): Promise<string> {
  const { code, out, err } = await commanded(args, signal);
  return steady([`$ joinproof ${args.map(quoted).join(' ')}  # ${code}`, out, err.replaceAll(/^/gm, '! ')].join('\n'));
}

// all of them before any test is said to run, which is said on the same stream
const everything = new Map<string, string>();
for (const [name, all] of Object.entries(COMMANDS)) {
  const texts: string[] = [];
  for (const args of all) {
    if (args.includes(praised)) praise();
    texts.push(await told(args));
  }
  everything.set(`${name}.txt`, texts.join('\n'));
}
const kubeconfig = path.join(folder, 'it is a kubeconfig');
const serving = ['serve', '--port', '0', '--token', 'abcdef.0123456789abcdef', '--key-algorithm', 'ECDSA-P256'];
const served = [
  await told(serving, 'SIGINT'),
  await told([...serving, '--kubeconfig-out', kubeconfig, '--kubernetes-version', '1.31'], 'SIGTERM'),
  await told([...serving, '--kubeconfig-out', kubeconfig], 'SIGINT'),
  await told(
    [...serving, '--kubeconfig-out', kubeconfig, '--overwrite', '--cluster-signing-duration', '1h30m'],
    'SIGHUP',
  ),
  await told([...serving, '--kubeconfig-out', `${folder}/none/a`], 'SIGINT'),
];
everything.set('serve.txt', served.join('\n'));
rmSync(folder, { recursive: true });
testRecorded('what commands say', packageFile(RECORDED), everything);
