import assert from 'node:assert/strict';
import { createCipheriv } from 'node:crypto';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { UploadRun, UploadTime } from '../../kubernetes/upload-run.js';
import type { Finding } from '../../model/finding.js';
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
    server: 'https://192.0.2.20:6443',
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

describe('what an upload leaves', () => {
  const swap = (at: number, one: KubeObject, more: Partial<UploadTime> = {}): Uploaded =>
    run([
      time(
        SOUND.map((own, index) => (index === at ? one : own)),
        more,
      ),
    ]);
  const told = (check: (typeof checks)['uploads'], uploaded: Uploaded): string =>
    check
      .judge([uploaded], undefined)
      .map(({ result, seen }) => `${result}: ${seen}`)
      .join('; ');

  it('is its token, of two hours and a minute at most, and of use to nobody', () => {
    const ends = (at: string) => told(checks.uploadMakesToken, swap(0, token({ expiration: encoded(at) })));
    assert.equal(ends('1970-01-01T02:00:00Z'), 'met: one of 7200 s');
    assert.equal(ends('1970-01-01T02:01:00Z'), 'met: one of 7260 s');
    assert.equal(ends('1970-01-01T02:01:01Z'), 'unmet: one of 7261 s');
    assert.equal(ends('1970-01-01T00:00:01Z'), 'met: one of 1 s');
    assert.equal(ends('1970-01-01T00:00:00Z'), 'unmet: one of 0 s');
    assert.equal(ends('soon'), 'unmet: one that never ends');
    assert.equal(told(checks.uploadMakesToken, run([time(SOUND.slice(1))])), 'unmet: there is none');
    const use = (more: object) => told(checks.uploadTokenIsOfNoUse, swap(0, token(more)));
    const [yes, no] = [encoded('true'), encoded('false')];
    assert.equal(use({}), 'met: 401');
    assert.equal(use({ 'usage-bootstrap-signing': no, 'auth-extra-groups': '' }), 'met: 401');
    assert.equal(use({ 'usage-bootstrap-signing': yes }), 'unmet: 401; usage-bootstrap-signing');
    assert.equal(use({ 'auth-extra-groups': encoded('a,b') }), 'unmet: 401; a, b');
    assert.equal(use({ other: yes }), 'met: 401');
    const { login, ...unasked } = run();
    assert.equal(login, 401);
    assert.equal(told(checks.uploadTokenIsOfNoUse, { ...unasked, login: null }), 'unmet: no answer');
    assert.equal(told(checks.uploadTokenIsOfNoUse, run(undefined, { signs: true })), 'unmet: 401, a signature');
    // the token that it was told to hand on is none of the upload
    const own = object('Secret', 'bootstrap-token-abcdef', 1, { data: {} });
    assert.equal(run([time([own, ...SOUND])]).times[0]?.tokens.length, 1);
  });

  it('is owned by that token, and by nobody else', () => {
    const owned = (...owners: readonly object[]) => told(checks.uploadedIsOwned, swap(1, certs({}, owners)));
    assert.equal(owned(owner), 'met: Secret, the token of the upload');
    for (const more of [{ apiVersion: 'v2' }, { name: 'a' }, { uid: 'a' }])
      assert.equal(owned({ ...owner, ...more }), 'unmet: Secret, something else');
    assert.equal(owned({ ...owner, kind: 'Pod' }), 'unmet: Pod, something else');
    assert.equal(owned(), 'unmet: it has none');
    const controlled = (...all: readonly object[]) => told(checks.uploadedIsControlled, swap(1, certs({}, all)));
    const marked = { ...owner, controller: true, blockOwnerDeletion: true };
    assert.equal(controlled(marked), 'met: controller, blocking its deletion');
    assert.match(controlled({ ...marked, controller: false }), /^unmet/);
    assert.match(controlled({ ...marked, blockOwnerDeletion: undefined }), /^unmet/);
    assert.match(controlled(marked, owner), /^unmet/);
    assert.equal(controlled(), 'unmet: it has no owner');
    assert.match(owned(owner, owner), /^unmet/);
    const goes = (outlives: boolean | undefined) => {
      const { outlives: _, ...uploaded } = run();
      return told(checks.uploadedGoes, { ...uploaded, outlives: outlives ?? null });
    };
    assert.equal(goes(false), 'met: it is gone');
    assert.equal(goes(true), 'unmet: it is still there');
    assert.equal(goes(undefined), 'unmet: it has no owner');
  });

  it('is granted to one group by one right, in its Role alone', () => {
    const granted = (at: number, one: KubeObject) =>
      uploadedIsGranted
        .judge([swap(at, one)], { group: GROUP })
        .map(({ result, seen }) => `${result}: ${seen}`)
        .join();
    const who = `Group ${GROUP}`;
    assert.equal(granted(2, role()), `met: get secrets/kubeadm-certs; ${who}`);
    assert.equal(
      granted(2, role({ verbs: ['get', 'list'] })),
      `unmet: get secrets/kubeadm-certs, list secrets/kubeadm-certs; ${who}`,
    );
    assert.equal(granted(2, role({ resourceNames: ['a'] })), `unmet: get secrets/a; ${who}`);
    assert.equal(granted(2, role({ resources: ['configmaps'] })), `unmet: get configmaps/kubeadm-certs; ${who}`);
    assert.equal(granted(2, object('Role', 'a', 3, { rules: [rule] })), `unmet: no right; ${who}`);
    const bound = (roleRef: object, ...subjects: readonly object[]) =>
      granted(3, object('RoleBinding', GRANT, 4, { roleRef, subjects }));
    const [ref, subject] = [
      { kind: 'Role', name: GRANT },
      { kind: 'Group', name: GROUP },
    ];
    assert.equal(bound(ref, subject), `met: get secrets/kubeadm-certs; ${who}`);
    assert.match(bound(ref, subject, { kind: 'User', name: 'a' }), /^unmet: .*; Group .*, User a$/);
    assert.match(bound({ ...ref, kind: 'ClusterRole' }, subject), /^unmet: .*; nobody$/);
    assert.match(bound({ ...ref, name: 'a' }, subject), /^unmet: .*; nobody$/);
  });

  it('is what the disk holds, and no more', () => {
    const of = (data: object, check: (typeof checks)['uploads']) => told(check, swap(1, certs(data)));
    assert.equal(of({}, checks.uploadedOpens), 'met: 2 entries are');
    assert.equal(of({ 'ca.key': encrypted('x', '3') }, checks.uploadedOpens), 'unmet: ca.key holds another text');
    assert.equal(of({ 'ca.key': encoded('x') }, checks.uploadedOpens), 'unmet: ca.key holds closed');
    assert.equal(
      of({ 'ca.key': encrypted('the public key', '3') }, checks.uploadedOpens),
      'unmet: ca.key holds sa.pub',
    );
    assert.equal(of({ 'ca.key': '', 'sa.pub': '' }, checks.uploadedOpens), 'unmet: 0 entries are');
    assert.equal(of({ 'x.key': '' }, checks.uploadedIsWhole), 'unmet: x.key as well');
    assert.equal(
      told(checks.uploadedIsWhole, run(undefined, { files: { ...FILES, 'a.key': 'x' } })),
      'unmet: no a.key',
    );
    assert.equal(of({}, checks.uploadedIsClosed), 'met: none of 2; 0 nonces come again');
    for (const readable of ['-----BEGIN A', 'x PRIVATE KEY'])
      assert.equal(of({ 'ca.key': encoded(readable) }, checks.uploadedIsClosed), 'unmet: ca.key; 0 nonces come again');
    assert.equal(of({ 'ca.key': '', 'sa.pub': '' }, checks.uploadedIsClosed), 'unmet: none of 0; 0 nonces come again');
    const other = object('Secret', 'copy', 5, { data: { 'ca.key': 'YQ==' } });
    assert.equal(told(checks.uploadedNames, run([time([...SOUND, other])])), 'unmet: Secret copy as well');
    const empty = (data: object) =>
      told(
        checks.uploadedIsEmpty,
        run([time([token(), certs(data), role(), binding()])], { files: { 'sa.key': null } }),
      );
    assert.equal(empty({ 'sa.key': '' }), 'met: sa.key: nothing');
    assert.equal(empty({}), 'unmet: sa.key: no entry');
    assert.equal(told(checks.uploadedIsEmpty, run()), 'unmet: no file is missing');
    const none = run([time([token(), role(), binding()])]);
    for (const check of [checks.uploadedOpens, checks.uploadedIsClosed, checks.uploadedIsWhole, checks.uploadedIsOwned])
      assert.equal(told(check, none), 'unmet: there is no Secret kubeadm-certs; it ends with 0');
  });

  it('is its key where it is said, in no form elsewhere', () => {
    for (const form of [KEY, KEY.toUpperCase(), encoded(KEY), encoded(Buffer.from(KEY, 'hex'))]) {
      const leaked = object('ConfigMap', 'a', 5, { data: { key: `x ${form} y` } });
      const uploaded = run([time([...SOUND, leaked], { told: form === KEY.toUpperCase() ? form : KEY })]);
      assert.equal(told(checks.uploadLeaksNoKey, uploaded), 'unmet: ConfigMap a', form);
    }
    const unknown = run([time(SOUND, { said: [] })]);
    assert.equal(told(checks.uploadLeaksNoKey, unknown), 'unmet: nobody knows its key');
    assert.match(told(checks.uploadedOpens, unknown), /^unmet: nobody knows its key$/);
    const said = (line: string) => run([time(SOUND, { said: [line] })]).times[0]?.printed;
    assert.deepEqual([KEY, KEY.toUpperCase(), `"${KEY}"`, `${KEY} ${KEY}`].map(said), [1, 1, 1, 2]);
    assert.deepEqual([`sha256:${KEY}`, `x${KEY}`, `${KEY}x`, KEY.slice(1), `${KEY}0`].map(said), [0, 0, 0, 0, 0]);
    const keys = (...lines: readonly string[]) =>
      told(checks.uploadMakesKeys, run(lines.map((line) => time(SOUND, { said: [line] }))));
    assert.equal(keys(KEY, 'cd'.repeat(32)), 'met: 2 keys in 2 times, of 64 and 64 digits');
    assert.equal(keys(KEY, KEY.toUpperCase()), 'unmet: 1 keys in 2 times, of 64 and 64 digits');
    assert.equal(keys(KEY, 'none'), 'unmet: 2 keys in 2 times, of 64 and 0 digits');
    assert.equal(told(checks.uploadKeepsKey, run()), 'unmet: 1 keys are said');
  });

  it('is told with how it ended, and nothing where it did not begin', () => {
    const ended = (more: Partial<UploadTime>) => told(uploads, run([time(SOUND, more)]));
    assert.equal(ended({}), 'met: it ends with 0; it is there');
    assert.equal(ended({ exit: undefined }), 'unmet: it had to be ended; it is there');
    assert.equal(
      ended({ exit: 1, said: ['error: no', ' ', 'To see the stack trace of this error'] }),
      'unmet: it ends with 1, saying "error: no"; it is there',
    );
    assert.equal(ended({ exit: 2, said: [`key ${KEY}`] }), 'unmet: it ends with 2, saying "key (a key)"; it is there');
    assert.equal(told(uploads, run([time(SOUND.slice(0, 1))])), 'unmet: it ends with 0; there is none');
    assert.equal(told(uploads, run([])), '');
    const nothing = (objects: readonly KubeObject[], exit = 0) =>
      told(uploadsNothing, run([time(objects, { said: [], exit })]));
    assert.equal(
      nothing([...SOUND, object('Secret', 'copy', 5, { data: { 'ca.key': 'YQ==' } })]),
      'unmet: it ends with 0; Secret kubeadm-certs, Secret copy, a token, a Role, a RoleBinding',
    );
    assert.equal(nothing([]), 'met: it ends with 0; nothing');
    assert.match(nothing([], 1), /^unmet/);
    const fails = (objects: readonly KubeObject[], exit: number | undefined, clean: boolean) =>
      uploadFails.judge([run([time(objects, { exit })])], { clean })[0]?.result;
    assert.deepEqual(
      [fails([], 1, true), fails([], 0, true), fails([], undefined, true), fails([token()], 1, false)],
      ['met', 'unmet', 'unmet', 'met'],
    );
    assert.deepEqual(
      [fails([certs()], 1, false), fails([role()], 1, true), fails([role()], 1, false)],
      ['unmet', 'unmet', 'met'],
    );
  });
});
