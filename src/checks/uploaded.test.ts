import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { describe, it } from 'node:test';
import type { KubeObject } from '../kubernetes/objects.js';
import type { UploadRun, UploadTime } from '../kubernetes/upload-run.js';
import type { Finding } from '../model/finding.js';
import * as checks from './uploaded.js';
import { readUpload, type Uploaded } from './uploaded-reader.js';

const KEY = 'ab'.repeat(32);
const GROUP = 'system:bootstrappers:kubeadm:default-node-token';
const encoded = (value: string | Buffer): string => Buffer.from(value).toString('base64');

function encrypted(plain: string, nonce: string): string {
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(KEY, 'hex'), Buffer.from(nonce.padEnd(12, '.')));
  const parts = [Buffer.from(nonce.padEnd(12, '.')), cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  return encoded(Buffer.concat(parts));
}

const object = (kind: string, name: string, at: number, more: object = {}): KubeObject =>
  ({ kind, metadata: { name, uid: `uid-${name}`, resourceVersion: String(at) }, ...more }) as KubeObject;

const token = (more: object = {}): KubeObject =>
  object('Secret', 'bootstrap-token-aaaaaa', 1, {
    data: { expiration: encoded('1970-01-01T02:00:00Z'), 'token-id': encoded('aaaaaa'), ...more },
  });
const owner = { apiVersion: 'v1', kind: 'Secret', name: 'bootstrap-token-aaaaaa', uid: 'uid-bootstrap-token-aaaaaa' };
const FILES = { 'ca.key': 'the key', 'sa.pub': 'the public key' };
const certs = (data: object = {}, ownerReferences: readonly object[] = [owner]): KubeObject => {
  const own = { 'ca.key': encrypted('the key', '1'), 'sa.pub': encrypted('the public key', '2') };
  const made = object('Secret', 'kubeadm-certs', 2, { data: { ...own, ...data } });
  return { ...made, metadata: { ...made.metadata, ownerReferences } } as KubeObject;
};
const rule = { verbs: ['get'], resources: ['secrets'], resourceNames: ['kubeadm-certs'] };
const GRANT = 'kubeadm:kubeadm-certs';
const role = (more: object = {}): KubeObject => object('Role', GRANT, 3, { rules: [{ ...rule, ...more }] });
const binding = (name = GROUP, at = 4): KubeObject =>
  object('RoleBinding', GRANT, at, { roleRef: { kind: 'Role', name: GRANT }, subjects: [{ kind: 'Group', name }] });

const time = (objects: readonly KubeObject[], more: Partial<UploadTime> = {}): UploadTime => ({
  began: 0,
  exit: 0,
  said: ['[upload-certs] Using certificate key:', KEY],
  objects,
  ...more,
});
const SOUND = [token(), certs(), role(), binding()];
const run = (times: readonly UploadTime[] = [time(SOUND)], more: Partial<UploadRun> = {}): Uploaded =>
  readUpload({
    circumstance: 'in a test',
    times,
    files: FILES,
    authorityPem: '',
    token: 'abcdef.0123456789abcdef',
    login: 401,
    signs: false,
    outlives: false,
    ...more,
  });

type Judge = (uploads: checks.Uploads) => readonly Finding[];
const { uploads, uploadsNothing, uploadFails, uploadedIsGranted } = checks;
const plain: readonly (readonly [string, Judge])[] = [
  ...[uploads, checks.uploadedOpens, checks.uploadSaysKey, checks.uploadedNames, checks.uploadMakesToken],
  ...[checks.uploadTokenIsOfNoUse, checks.uploadedIsOwned, checks.uploadedGoes, checks.uploadedInOrder],
  ...[checks.uploadedIsClosed, checks.uploadedIsWhole, checks.uploadLeaksNoKey, checks.uploadMakesKeys],
].map((check) => [check.id, (all) => check.judge(all, undefined)]);
const all = [
  ...plain,
  [uploadedIsGranted.id, (some: checks.Uploads) => uploadedIsGranted.judge(some, { group: GROUP })],
] as const;

/** Ids of the checks that a run does not meet. */
const unmet = (uploaded: Uploaded): readonly string[] =>
  all
    .filter(([, judge]) => judge([uploaded]).some(({ result }) => result !== 'met'))
    .map(([id]) => id.replace('uploaded/', ''));

describe('an upload of shared certificates', () => {
  it('is told by facts that hold neither key nor file', () => {
    assert.deepEqual(unmet(run()), []);
    const facts = JSON.stringify(run());
    for (const secret of [KEY, encoded(KEY), 'the key', encoded('the key')]) assert.ok(!facts.includes(secret), secret);
  });
  const cases: readonly (readonly [string, Uploaded, readonly string[]])[] = [
    ['another key', run([time(SOUND, { told: 'cd'.repeat(32) })]), ['opens', 'says-key']],
    [
      'a readable entry',
      run([time([token(), certs({ 'ca.key': encoded('-----BEGIN KEY-----') }), role(), binding()])]),
      ['opens', 'is-closed'],
    ],
    [
      'one nonce',
      run([time([token(), certs({ 'sa.pub': encrypted('the public key', '1') }), role(), binding()])]),
      ['is-closed'],
    ],
    ['an entry too many', run([time([token(), certs({ 'x.key': '' }), role(), binding()])]), ['is-whole']],
    [
      'no owner',
      run([time([token(), certs({}, []), role(), binding()])], { outlives: true }),
      ['is-owned', 'goes', 'in-order'],
    ],
    [
      'a token of a day',
      run([time([token({ expiration: encoded('1970-01-02T00:00:00Z') }), ...SOUND.slice(1)])]),
      ['makes-token'],
    ],
    ['a token that joins', run(undefined, { login: 403 }), ['token-of-no-use']],
    ['a right to everything', run([time([token(), certs(), role({ resourceNames: [] }), binding()])]), ['is-granted']],
    ['everybody', run([time([token(), certs(), role(), binding('system:authenticated')])]), ['is-granted']],
    ['rights first', run([time([token(), certs(), role(), binding(GROUP, 0)])]), ['in-order']],
    [
      'its key in the cluster',
      run([time([...SOUND, object('ConfigMap', 'a', 5, { data: { key: KEY } })])]),
      ['leaks-no-key'],
    ],
    ['an end by force', run([time(SOUND, { exit: undefined })]), ['uploads']],
  ];
  for (const [what, uploaded, ids] of cases)
    it(`is seen to be wrong: ${what}`, () => assert.deepEqual(unmet(uploaded), ids));
  it('that is none, and one that fails, leave nothing', () => {
    const nothing = run([time([], { said: [] })]);
    assert.equal(uploadsNothing.judge([nothing], undefined)[0]?.result, 'met');
    assert.equal(uploadsNothing.judge([run()], undefined)[0]?.result, 'unmet');
    const failed = run([time([token()], { exit: 1 })]);
    assert.deepEqual(
      [true, false].map((clean) => uploadFails.judge([failed], { clean })[0]?.result),
      ['unmet', 'met'],
    );
  });
  it('makes another key each time', () => {
    const other = time(SOUND, { said: ['12'.repeat(32)] });
    const { uploadMakesKeys } = checks;
    assert.equal(uploadMakesKeys.judge([run([time(SOUND), other])], undefined)[0]?.result, 'met');
    assert.equal(uploadMakesKeys.judge([run([time(SOUND), time(SOUND)])], undefined)[0]?.result, 'unmet');
  });
  it('keeps its key where it is told to', () => {
    const { uploadKeepsKey } = checks;
    assert.equal(uploadKeepsKey.judge([run([time(SOUND, { said: [] })])], undefined)[0]?.result, 'met');
    const [told] = uploadKeepsKey.judge([run()], undefined);
    assert.deepEqual([told?.result, told?.refusal], ['unmet', true]);
  });
  it('says the pin of its CA, and no other', () => {
    const pin = `sha256:${'a'.repeat(64)}`;
    const told = (pins: readonly string[], exit = 0) => {
      const [first] = run([time(SOUND, { exit })]).times;
      assert.ok(first);
      return checks.initSaysPins.judge([{ ...run(), pins: [pin], times: [{ ...first, pins }] }], undefined)[0]?.result;
    };
    assert.deepEqual(
      [told([pin]), told([pin, pin]), told([]), told([pin, 'sha256:b']), told([pin], 1)],
      ['met', 'met', 'unmet', 'unmet', 'unmet'],
    );
  });
  it('has an empty entry for a file that is not there', () => {
    const files = { ...FILES, 'sa.key': null };
    const { uploadedIsEmpty } = checks;
    const there = time([token(), certs({ 'sa.key': '' }), role(), binding()]);
    assert.equal(uploadedIsEmpty.judge([run([there], { files })], undefined)[0]?.result, 'met');
    assert.equal(uploadedIsEmpty.judge([run([time(SOUND)], { files })], undefined)[0]?.result, 'unmet');
  });
});
