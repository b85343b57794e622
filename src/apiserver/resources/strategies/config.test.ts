/** What is refused of Secrets and ConfigMaps, as a client sees it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { causesOf, fixture } from '../../serving/fixture.js';
import { definitions } from '../index.js';

const SECRETS = '/api/v1/namespaces/default/secrets';
const MAPS = '/api/v1/namespaces/default/configmaps';
const asked = () => fixture({ definitions: definitions() });
const secret = (more: object): object => ({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'x' }, ...more });
const map = (more: object): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' }, ...more });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a Secret', () => {
  const made = (more: object): readonly string[] => causesOf(asked().ask('POST', SECRETS, secret(more)));
  it('has what its type demands', () => {
    const ofType = (type: string, stringData: object = {}, annotations: object = {}): readonly string[] =>
      made({ type, stringData, metadata: { name: 'x', annotations } });
    const name = 'kubernetes.io/service-account.name';
    const account = 'kubernetes.io/service-account-token';
    assert.deepEqual(ofType(account, {}, { [name]: 's' }), ['201']);
    for (const annotations of [{ [name]: '' }, {}])
      assert.deepEqual(ofType(account, {}, annotations), [`metadata.annotations[${name}]: Required value`]);
    for (const [type, key] of [
      ['kubernetes.io/dockercfg', '.dockercfg'],
      ['kubernetes.io/dockerconfigjson', '.dockerconfigjson'],
    ] as const) {
      assert.deepEqual(ofType(type), [`data[${key}]: Required value`]);
      for (const good of ['{}', 'null', '{"auths":{}}']) assert.deepEqual(ofType(type, { [key]: good }), ['201'], good);
      const hidden = `data[${key}]: Invalid value: "<secret contents redacted>"`;
      assert.deepEqual(ofType(type, { [key]: '5' }), [
        `${hidden}: json: cannot unmarshal number into Go value of type map[string]interface {}`,
      ]);
      assert.deepEqual(ofType(type, { [key]: '{' }), [`${hidden}: unexpected end of JSON input`]);
    }
    const basic = 'kubernetes.io/basic-auth';
    assert.deepEqual(ofType(basic), ['data[username]: Required value', 'data[password]: Required value']);
    assert.deepEqual(ofType(basic, { username: '' }), ['201']);
    assert.deepEqual(ofType(basic, { password: 'p' }), ['201']);
    const ssh = 'kubernetes.io/ssh-auth';
    assert.deepEqual(ofType(ssh, { 'ssh-privatekey': 'k' }), ['201']);
    assert.deepEqual(ofType(ssh, { 'ssh-privatekey': '' }), ['data[ssh-privatekey]: Required value']);
    assert.deepEqual(ofType('kubernetes.io/tls', { 'tls.key': '' }), ['data[tls.crt]: Required value']);
    assert.deepEqual(ofType('example.com/own'), ['201']);
  });
  it('has keys that may be names of files, and no more than a mebibyte', () => {
    const [fault = ''] = made({ stringData: { 'a/b': 'c' } });
    assert.match(fault, /^data\[a\/b\]: Invalid value: "a\/b": a valid config key must consist of/);
    const half = base64('x'.repeat(512 * 1024));
    const more = base64('x'.repeat(512 * 1024 + 1));
    assert.deepEqual(made({ data: { a: half, b: half } }), ['201']);
    assert.deepEqual(made({ data: { a: half, b: more } }), ['data: Too long: may not be more than 1048576 bytes']);
  });
  it('is base64 as Go reads it, and is told where it is not', () => {
    for (const [given, said] of [
      ['AZaz09+/', 201],
      ['AA\n==\r\n', 201],
      ['AAA\n=', 201],
      ['', 201],
      ['AZaz09+/!', 8],
      ['AA==A', 4],
      ['AAA=\nA', 5],
      ['AA=A', 2],
      ['AA=', 3],
      ['A=', 1],
      ['AAAA=', 4],
      ['AAA', 0],
      ['AAAAA', 4],
    ] as const) {
      const { code, json } = asked().ask('POST', SECRETS, secret({ data: { a: given } }));
      const [, at] = /illegal base64 data at input byte (\d+)$/.exec(String(json.message)) ?? [];
      assert.equal(at === undefined ? code : Number(at), said, JSON.stringify(given));
    }
  });
  it('is Opaque where nobody says otherwise, also when it is changed', () => {
    const { ask } = asked();
    assert.equal(ask('POST', SECRETS, secret({})).json.type, 'Opaque');
    assert.deepEqual(ask('PUT', `${SECRETS}/x`, secret({ stringData: { a: 'b' } })).json.data, { a: 'Yg==' });
    assert.deepEqual(causesOf(ask('PUT', `${SECRETS}/x`, secret({ type: 'a/b' }))), [
      'type: Invalid value: "a/b": field is immutable',
    ]);
  });
  it('is warned of where its certificate is none', () => {
    const warned = (type: string): unknown =>
      asked().ask('POST', SECRETS, secret({ type, stringData: { 'tls.crt': 'x', 'tls.key': 'y' } })).headers.Warning;
    assert.match(String(warned('kubernetes.io/tls')), /tls: failed to find any PEM data in certificate input/);
    assert.equal(warned('Opaque'), undefined);
  });
  it('is found by its type', () => {
    const { ask } = asked();
    ask('POST', SECRETS, secret({ type: 'a/b' }));
    ask('POST', SECRETS, secret({ metadata: { name: 'y' } }));
    const found = (selector: string): unknown => {
      const { code, json } = ask('GET', `${SECRETS}?fieldSelector=${encodeURIComponent(selector)}`);
      return code === 200 ? json.items?.map(({ metadata }) => metadata?.name) : code;
    };
    const selectors = ['type=a/b', 'type!=a/b', 'metadata.name=y', 'metadata.namespace=default', 'immutable=true'];
    assert.deepEqual(selectors.map(found), [['x'], ['y'], ['y'], ['x', 'y'], 400]);
  });
});

describe('a ConfigMap', () => {
  const made = (more: object): readonly string[] => causesOf(asked().ask('POST', MAPS, map(more)));
  it('has each key once, and keys that may be names of files', () => {
    assert.deepEqual(made({ data: { a: '1', b: '2' }, binaryData: { b: 'Mg==', c: 'Mw==' } }), [
      'data[b]: Invalid value: "b": duplicate of key present in binaryData',
    ]);
    for (const field of ['data', 'binaryData'])
      assert.match(
        made({ [field]: { '..': '' } })[0] ?? '',
        new RegExp(`^${field}\\[\\.\\.\\]: Invalid value: "\\.\\."`),
      );
  });
  it('is measured with all its values together, by their bytes', () => {
    const half = 'x'.repeat(512 * 1024);
    assert.deepEqual(made({ data: { a: half }, binaryData: { b: base64(half) } }), ['201']);
    const long = ['[]: Too long: may not be more than 1048576 bytes'];
    assert.deepEqual(made({ data: { a: half }, binaryData: { b: base64(`${half}x`) } }), long);
    assert.deepEqual(made({ data: { a: half, b: 'é'.repeat(256 * 1024 + 1) } }), long);
  });
  it('stays as it is once it is immutable', () => {
    const { ask } = asked();
    const given = { data: { a: '1' }, binaryData: { b: 'Mg==' } };
    const put = (more: object): readonly string[] => causesOf(ask('PUT', `${MAPS}/x`, map(more)));
    ask('POST', MAPS, map({}));
    assert.deepEqual(put(given), ['200']);
    assert.deepEqual(put({ ...given, immutable: true }), ['200']);
    const FROZEN = 'Forbidden: field is immutable when `immutable` is set';
    assert.deepEqual(put({ ...given, immutable: true, data: {} }), [`data: ${FROZEN}`]);
    assert.deepEqual(put({ ...given, immutable: true, binaryData: {} }), [`binaryData: ${FROZEN}`]);
    assert.deepEqual(put(given), [`immutable: ${FROZEN}`]);
    assert.deepEqual(put({ ...given, immutable: true, metadata: { name: 'x', labels: { l: 'm' } } }), ['200']);
  });
});
