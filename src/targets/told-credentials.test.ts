import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { strangersPair } from '../run/making.js';
import { ownAuthority } from '../run/own-authority.js';
import { toldCredential } from './told-credentials.js';

const never = (): string => assert.fail('it says something of itself');
const ofToken = (token: string): readonly string[] => toldCredential({ kind: 'token', token }, (text) => `<${text}>`);
const ofPair = (pair: { certificate: string; key: string }): string =>
  toldCredential({ kind: 'certificate', ...pair }, never).join('\n');
const jwt = (header: object, claims: object, signature = Buffer.alloc(64)): string =>
  [JSON.stringify(header), JSON.stringify(claims), signature]
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.');

describe('what is told of a credential', () => {
  it('is of a certificate whom it names, by whom, for what and how long', () => {
    assert.equal(
      ofPair(strangersPair('system:node:a-worker', ['system:nodes', 'people'])),
      'certificate: O=system:nodes, O=people, CN=system:node:a-worker; of CN=kubernetes; for 1.3.6.1.5.5.7.3.2; 1 h',
    );
    const authority = ownAuthority('an authority');
    assert.equal(
      ofPair(authority.pair({ commonName: 'dora', usages: [], time: 'expired' })),
      'certificate: CN=dora; of CN=an authority; for whatever; 2 h',
    );
    const below = authority.below().pair({ commonName: 'dora', usages: ['serverAuth'] });
    assert.match(ofPair(below), /of CN=an authority-below; for 1\.3\.6\.1\.5\.5\.7\.3\.1; 1 h; with 1 more$/);
    assert.match(ofPair({ certificate: authority.pem, key: '' }), /; an authority$/);
    assert.equal(ofPair({ certificate: 'this is none', key: '' }), 'certificate: unreadable');
  });

  it('is of a token what it says of itself', () => {
    const claims = { iss: 'https://issuer', aud: ['one', 'two'], sub: 'a user', iat: 1_000, exp: 8_200 };
    assert.deepEqual(ofToken(jwt({ alg: 'ES256' }, claims)), [
      'token: ES256; of https://issuer; for one two; a user; 2 h; it says aud exp iat iss sub; signed with 64 bytes',
    ]);
    const [line = ''] = ofToken(jwt({ alg: 'none' }, { aud: 'one', exp: 8_200 }, Buffer.alloc(0)));
    assert.match(line, /^token: none; of ; for one; ; with an end; it says aud exp; signed with 0 bytes$/);
    assert.match(ofToken(jwt({}, {}))[0] ?? '', /; without end; it says ; /);
    const from = { iat: 1_800_000_000 };
    assert.match(ofToken(jwt({}, { ...from, exp: 4_100_000_000 }))[0] ?? '', /; more than 100000 h; /);
    assert.match(ofToken(jwt({}, { ...from, exp: 1_000 }))[0] ?? '', /; less than -100000 h; /);
    assert.match(ofToken(jwt({}, { ...from, exp: from.iat + 315_360_000 }))[0] ?? '', /; 87600 h; /);
  });

  it('is of another one its form, and of bootstrap tokens, of nobody and of the run itself nothing', () => {
    assert.deepEqual(ofToken('ABCDEF.0123456789abcdef'), ['token: <ABCDEF.0123456789abcdef>']);
    assert.deepEqual(ofToken('abcdef.0123456789abcdef'), []);
    for (const kind of ['admin', 'anonymous'] as const) assert.deepEqual(toldCredential({ kind }, never), []);
  });

  it('is of a certificate with a token both', () => {
    const pair = strangersPair('a user', []);
    const lines = toldCredential({ kind: 'certificate', ...pair, token: jwt({ alg: 'RS256' }, {}) }, never);
    assert.deepEqual(
      lines.map((line) => line.replace(/:.*/s, '')),
      ['certificate', 'token'],
    );
  });

  it('is no longer than a line, whatever names are', () => {
    assert.ok(ofPair(strangersPair('a'.repeat(60), Array<string>(20).fill('b'.repeat(60)))).length <= 300);
  });
});
