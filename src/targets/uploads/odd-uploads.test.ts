/**
 * What init hands on to those who join, circumstance by circumstance and release by release: src/targets/recorded/
 * uploads.txt has what is said, which objects there are then and what becomes of them.
 * `node dist/src/targets/uploads/odd-uploads.test.js --write` writes it anew.
 */
import type { KubeObject } from '../../kubernetes/objects.js';
import { testRecorded, toldOnce } from '../../report/recorded.testing.js';
import { packageFile } from '../../run/package-root.js';
import { circumstances } from './circumstances.js';
import { referenceUploads } from './reference-uploads.js';

const RELEASES = ['1.36', '1.35', '1.34', '1.33', '1.31'];

/** Without what is random, or of this moment. */
const plain = (text: string): string =>
  text
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/sha256:[0-9a-f]{64}/g, 'sha256:HEX')
    .replace(/\b[0-9a-f]{64}\b/g, 'HEX')
    .replace(/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, (token) => (/^(?:abcdef|fedcba)/.test(token) ? token : 'TOKEN'))
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b/g, 'UID')
    .replace(/bootstrap-token-(?!abcdef|fedcba)[a-z0-9]{6}/g, 'bootstrap-token-…')
    .replace(/[A-Za-z0-9+/_=-]{80,}/g, (run) => `BASE64`.concat(run.length > 2000 ? ' long' : ''))
    .replace(/eyJ[A-Za-z0-9_-]+\.\.[A-Za-z0-9_-]+/g, 'SIGNATURE');

/** Values of these keys are others each time. */
const SHIFTING = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'token-id',
  'token-secret',
  'expiration',
]);
const shown = (object: KubeObject): string =>
  plain(
    JSON.stringify(
      object,
      (key, value: unknown) => (SHIFTING.has(key) ? (value === undefined ? undefined : 'SHIFTING') : value),
      1,
    ).replaceAll('\\n', '\n'),
  ).replace(/^/gm, '    ');

const once = toldOnce();
const lines: string[] = [];
for (const release of RELEASES) {
  const uploads = referenceUploads(release, {});
  try {
    for (const name of Object.keys(circumstances)) {
      const run = await uploads.upload(name);
      if (run === undefined) continue;
      lines.push(`${release}, ${name}: login ${run.login}, signs ${run.signs}, outlives ${run.outlives}`);
      for (const { exit, said, told, objects } of run.times) {
        lines.push(
          ` exit ${exit}${told === undefined ? '' : ', told a key'}`,
          ...once(said.map((line) => `   ${plain(line)}`).join('\n')),
        );
        // what init alone makes
        const own = objects.filter(({ metadata }) => /kubeadm-certs|bootstrap-token/.test(metadata.name ?? ''));
        lines.push(
          ...own
            .map(shown)
            .sort()
            .flatMap((text) => once(text)),
        );
      }
      lines.push(
        ...(run.made ?? [])
          .map(shown)
          .sort()
          .flatMap((text) => once(text)),
      );
      lines.push(
        `  ${Object.entries(run.files)
          .map(([file, pem]) => `${file} ${pem === null ? 'none' : 'there'}`)
          .join(', ')}`,
      );
    }
  } finally {
    await uploads.close();
  }
}
testRecorded(
  'what init hands on',
  packageFile('src/targets/recorded'),
  new Map([['uploads.txt', `${lines.join('\n')}\n`]]),
);
