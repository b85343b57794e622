import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judged, resultsOf } from '../common/judged.testing.js';
import { PUBLISHED, patternOf, readGuesses, tokenUnguessed } from './guessable.js';
import { tokenSecret } from './token-secret.testing.js';

const ID = 'q3m8zt';

describe('a secret half that follows a pattern', () => {
  const guessed: Readonly<Record<string, readonly string[]>> = {
    documentation: ['f395accd246ae52d', '2e4d610cf3e7426e', 'z2h5ii9n898tzo36', 'validtokensecret'],
    'a few characters': [
      '0000000000000000',
      'abababababababab',
      'aaaabbbbccccaaaa',
      'aabbccddeeaabbcc',
      'aabbccddaabbccdd',
    ],
    'a part of itself': ['a1b2c3d4a1b2c3d4', 'abcdefabcdefabcd', 'x7k2m9x7k2m9x7k2'],
    series: [
      '1234567890123456',
      '1234567890abcdef',
      'zyxwvutsrqponmlk',
      'abcdefghijklmnop',
      '9876543210zyxwvu',
      'uvwxyz0x1x2rstuv',
      'wxyzabcdwxyz0123',
    ],
    'doubles or mirrors': ['kk77ww22ccxx99pp', 'aaaabbbccddeeeff', 'k3s9x0q77q0x9s3k'],
    digits: ['4915112207198307', '2026112209384756'],
    'its id': [`k7${ID}w2x9c4p1`, `k7${[...ID].reverse().join('')}w2x9c4p1`],
    word: ['kubernetes4u8x2m', 'x9passwordk3w7z2', 'k3qwertyu8w2m6x1', '8topsecretx2m6k1'],
  };
  for (const [kind, halves] of Object.entries(guessed))
    it(`is told: ${kind}`, () => {
      for (const half of halves) assert.match(patternOf(ID, half), new RegExp(kind), half);
    });

  it('is one of those that everybody can read, word by word', () => {
    assert.ok(PUBLISHED.length >= 13);
    for (const half of PUBLISHED) {
      assert.match(half, /^[a-z0-9]{16}$/);
      assert.equal(patternOf(ID, half), 'its secret half is one that documentation prints', half);
    }
    const words =
      'bootstrap changeme cluster default kubeadm kubernetes letmein passw0rd password secret welcome ' +
      'qwertyu asdfghj 1q2w3e4r zxcvbnm';
    for (const word of words.split(' ')) {
      const rest = 'k3x7m9v2j8'.slice(0, 16 - word.length);
      for (const half of [word + rest, rest + word, rest.slice(0, 2) + word + rest.slice(2)])
        assert.equal(patternOf(ID, half), 'its secret half holds a word', half);
    }
  });

  it('is none in other letters, longer or shorter, which no token has', () => {
    for (const half of ['kubernetes4u8x2m', '1234567890123456', `k7${ID}w2x9c4p1`])
      for (const twin of [half.toUpperCase(), ` ${half.slice(1)}`, `${half}x`, half.slice(1), ''])
        if (twin !== half) assert.equal(patternOf(ID, twin), '', twin);
    assert.equal(patternOf('', 'k7q3m9ztw2x9c4p1'), '');
    assert.equal(patternOf('q3m8zu', `k7${ID}w2x9c4p1`), '');
  });

  it('is told at its limit, and not beside it', () => {
    const limits: readonly (readonly [string, string])[] = [
      // five characters, and six
      ['abcdeabdceacbdea', 'a few characters'],
      ['abcdefbdaceafbdc', ''],
      // pieces of up to eight characters
      ['k3s9x0qk3s9x0qk3', 'a part of itself'],
      ['k3s9x0q7k3s9x0q7', 'a part of itself'],
      ['k3s9x0q7k3s9x0q8', ''],
      // eight doubles, and seven
      ['kkk7w2ccc9pppmmm', 'doubles or mirrors'],
      ['kkk7w2ccc9pppmmx', ''],
      // mirrored but for its end
      ['k3s9x0q77q0x9s3k', 'doubles or mirrors'],
      ['k3s9x0q77q0x9s3m', ''],
      // ten steps up or down, and nine
      ['abcdefghijkx7m2q', 'a series'],
      ['abcdefghijx7m2q5', ''],
      ['kjihgfedcbax7m2q', 'a series'],
      ['jihgfedcbax7m2q5', ''],
      // that begin again at 0 or a
      ['56789012345x7m2q', 'a series'],
      ['uvwxyzabcdek7m2q', 'a series'],
      ['uvwxyz01234k7m2q', 'a series'],
      ['uvwxyz1234k7m2q5', ''],
      ['567891234ak7m2qx', ''],
      ['4915112207198307', 'digits'],
      ['491511220719830a', ''],
    ];
    for (const [half, kind] of limits)
      assert.match(patternOf(ID, half), kind === '' ? /^$/ : new RegExp(kind), `${half} ${patternOf(ID, half)}`);
    // of another length or of other characters it is for other rules
    for (const half of ['00000000000000000', '000000000000000', 'AAAAAAAAAAAAAAAA', 'passwordpassword!'])
      assert.equal(patternOf(ID, half), '', half);
  });

  it('is not seen in random ones, in hexadecimal digits, or in none', () => {
    const random = [
      'k3s9x0q7w2e5r8t1',
      '07c21f9e3ab4d658',
      'a8uxyaju799qwdjv',
      'f395accd246ae52e',
      'abcdefgx1y2z3w4v',
      'kk77ww22ccxx9spa',
      '491511220719830x',
    ];
    for (const half of random) assert.equal(patternOf(ID, half), '', half);
    assert.equal(patternOf(ID, ''), '');
    assert.equal(patternOf('', 'k3s9x0q7w2e5r8t1'), '');
  });
});

describe('tokens of one cluster', () => {
  const named = (id: string, half: string) =>
    tokenSecret({ 'token-id': id, 'token-secret': half }, { name: `bootstrap-token-${id}` });
  const of = (...halves: string[]) => readGuesses(halves.map((half, index) => named(`m1tan${index}`, half)));

  it('share neither their secret halves nor a beginning or an end of them', () => {
    const results = (...halves: string[]) => resultsOf(tokenUnguessed, of(...halves), undefined);
    assert.deepEqual(results('k3s9x0q7w2e5r8t1', 'v4b8n2m6c1x9z5l7'), ['met', 'met']);
    assert.deepEqual(results('k3s9x0q7w2e5r8t1', 'v4b8n2m6c1x9z5l7', 'k3s9x0q7w2e5r8t1'), ['unmet', 'met', 'unmet']);
    assert.deepEqual(results('k3s9x0q7w2e5r8t1', 'k3s9x0q7c1x9z5l7'), ['unmet', 'unmet']);
    assert.deepEqual(results('k3s9x0q7w2e5r8t1', 'v4b8n2m6w2e5r8t1'), ['unmet', 'unmet']);
    assert.deepEqual(results('k3s9x0q7w2e5r8t1', 'k3s9x0qac1x9z5l7'), ['met', 'met']);
    assert.deepEqual(results('short', 'short'), ['met', 'met'], 'other rules judge these');
  });

  it('are told of what they share by eight characters at one end', () => {
    const hows = (...halves: string[]) => of(...halves).map(({ how }) => how);
    const shared = 'its secret half, or half of it, is that of another token';
    assert.deepEqual(hows('k3s9x0q7w2e5r8t1', 'k3s9x0q7c1x9z5l8'), [shared, shared]);
    assert.deepEqual(hows('k3s9x0q7w2e5r8t1', 'v4b8n2m6w2e5r8t1'), [shared, shared]);
    assert.deepEqual(hows('k3s9x0q7w2e5r8t1', 'v4b8n2m6x2e5r8t1'), ['', '']);
    // an end is no beginning
    assert.deepEqual(hows('k3s9x0q7w2e5r8t1', 'w2e5r8t1c1x9z5l8'), ['', '']);
    assert.equal(of('k3s9x0q7w2e5r8t1')[0]?.subject, 'Secret kube-system/bootstrap-token-m1tan0');
    assert.deepEqual(
      judged(tokenUnguessed, of('k3s9x0q7w2e5r8t1'), undefined).map(({ seen, demanded }) => [seen, demanded]),
      [['it looks random', 'is random, and no sample value of a document']],
    );
  });

  it('are told with what makes them guessable, and without their halves', () => {
    const [found] = judged(tokenUnguessed, of('0000000000000000'), undefined);
    assert.equal(`${found?.result}: ${found?.seen}`, 'unmet: its secret half repeats a few characters');
    assert.deepEqual(tokenUnguessed.judge([], undefined), []);
    assert.ok(tokenUnguessed.nothing);
  });
});
