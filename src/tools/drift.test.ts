import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Sentence } from '../run/sentences.js';
import { drift } from './drift.js';
import { readRecord, writeRecord } from './drift-record.js';

const MARKDOWN = `# Tokens
A token has two parts. The id is public. The \`token-secret\` is not.

# Rights
A token may ask. It may not approve.

# Ends
A token expires. Then it is removed.
`;
const PLAIN = `每个令牌都有密钥。

一、登录

令牌可以登录。过期的令牌被拒绝。

二、签名

每个令牌都有签名。
`;

const sentence = (id: string, document: string, heading: string, statement = 'It MUST be so.'): Sentence => ({
  id,
  places: [{ document, heading }],
  level: 'MUST',
  kind: 'state',
  statement,
  today: 'Still true.',
});
const SENTENCES = [
  sentence('TOK-001', '004', 'Tokens'),
  sentence('TOK-002', '004', 'Tokens', 'The `token-secret` MUST NOT be public.'),
  { ...sentence('LIM-007', '004', 'Rights'), rule: 'LIM-001' },
  { ...sentence('CLEAN-002', '004', 'Ends'), waits: 'client' },
  sentence('AUTH-014', '000', '一、登录'),
  sentence('SIGN-003', '000', '二、签名'),
];

describe('the drift of documents', () => {
  let folder: string;
  let record: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'joinproof-drift-'));
    record = path.join(folder, 'record.yaml');
    const plain = { level: 1, sentences: [] };
    writeRecord(
      [
        {
          document: '000',
          title: 'plain',
          ties: {},
          format: 'plain',
          sections: [
            { ...plain, heading: '一、登录' },
            { ...plain, heading: '二、签名' },
          ],
        },
        {
          document: '004',
          title: 'markdown',
          ties: {},
          format: 'markdown',
          sections: [{ heading: 'Tokens', level: 1, sentences: [] }],
        },
      ],
      record,
    );
    put(MARKDOWN, PLAIN);
    assert.equal(play('--write').code, 0);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const documents = (): string => path.join(folder, 'documents');
  function put(markdown: string, plain?: string): void {
    mkdirSync(documents(), { recursive: true });
    writeFileSync(path.join(documents(), '004-tls.md'), markdown);
    if (plain !== undefined) writeFileSync(path.join(documents(), '000-walk.zh.txt'), plain);
  }
  function play(...args: readonly string[]) {
    const lines: string[] = [];
    const errors: string[] = [];
    const code = drift([documents(), ...args], {
      record,
      sentences: SENTENCES,
      out: (line) => lines.push(line),
      err: (line) => errors.push(line),
    });
    return { code, lines, errors };
  }
  const changesOf = (markdown: string): readonly string[] => {
    put(markdown);
    const { code, lines } = play();
    assert.equal(code, 1);
    return lines.slice(0, -1);
  };

  it('is none where the documents are as they were, whatever their line ends', () => {
    assert.deepEqual(play(), { code: 0, lines: ['drift: nothing has changed in 2 documents'], errors: [] });
    put(MARKDOWN.replaceAll('\n', '\r\n').replace('two parts. The', 'two parts.\r\nThe'), PLAIN);
    assert.equal(play().code, 0);
  });

  it('names a sentence that was edited, ours that name what it names, and the others from there', () => {
    assert.deepEqual(changesOf(MARKDOWN.replace('is not.', 'is not public.')), [
      '004 "Tokens": a sentence was changed: The `token-secret` is not public.',
      '  most likely: TOK-002',
      '  under the same heading: TOK-001',
    ]);
  });

  it('names what was removed, and the rules that judge what stands there', () => {
    assert.deepEqual(changesOf(MARKDOWN.replace(' It may not approve.', '')), [
      '004 "Rights": a sentence was removed',
      '  under the same heading: LIM-007 (LIM-001)',
    ]);
  });

  it('remembers which of ours named what is gone now', () => {
    assert.deepEqual(changesOf(MARKDOWN.replace(' The `token-secret` is not.', '')), [
      '004 "Tokens": a sentence was removed',
      '  most likely: TOK-002',
      '  under the same heading: TOK-001',
    ]);
  });

  it('names what was added', () => {
    assert.deepEqual(changesOf(MARKDOWN.replace('A token expires.', 'A token expires. It warns before.')), [
      '004 "Ends": a sentence was added: It warns before.',
      '  under the same heading: CLEAN-002 (no rule)',
    ]);
  });

  it('names what was moved, from where and to where', () => {
    const moved = MARKDOWN.replace(' The id is public.', '').replace(
      'A token may ask.',
      'A token may ask. The id is public.',
    );
    assert.deepEqual(changesOf(moved), [
      '004 "Tokens": a sentence was moved to "Rights": The id is public.',
      '  under the same heading: TOK-001, TOK-002',
    ]);
  });

  it('tells a new name of a heading from a new text below it', () => {
    assert.deepEqual(changesOf(MARKDOWN.replace('# Rights', '# What a token may do')), [
      '004 "Rights": the heading is now "What a token may do"',
      '  under the same heading: LIM-007 (LIM-001)',
    ]);
  });

  it('names headings that came and went, and what stands elsewhere by that', () => {
    const gone = changesOf(MARKDOWN.replace('# Rights\n', ''));
    assert.equal(gone[0], '004 "Rights": the heading was removed');
    assert.equal(gone[2], '004 "Rights": a sentence was moved to "Tokens": A token may ask.');
    const came = changesOf(`${MARKDOWN}\n# More\nNew text.\n`);
    assert.deepEqual(
      came.filter((line) => !line.startsWith(' ')),
      ['004 "More": the heading was added', '004 "More": a sentence was added: New text.'],
    );
    assert.match(came.join('\n'), /no sentence of ours comes from there/);
  });

  it('follows a plain document, and remembers the new name of its heading', () => {
    const edited = PLAIN.replace('二、签名', '二、签名者').replace('令牌可以登录。', '令牌不可以登录。');
    put(MARKDOWN, edited);
    const { code, lines } = play('--write');
    assert.equal(code, 0);
    assert.deepEqual(lines, [
      '000 "一、登录": a sentence was changed: 令牌不可以登录。',
      '  under the same heading: AUTH-014',
      '000 "二、签名": the heading is now "二、签名者"',
      '  under the same heading: SIGN-003',
      'drift: 2 changes',
      'SIGN-003 cites "二、签名" of 000, which is gone. Give it another place.',
      'drift: remembered',
    ]);
    assert.equal(play().code, 0);
    assert.deepEqual(
      readRecord(record)[0]?.sections.map(({ heading }) => heading),
      ['introduction', '一、登录', '二、签名者'],
    );
  });

  it('keeps a passage that has no heading, also when its first sentence changes', () => {
    const [plain, markdown] = readRecord(record);
    assert.ok(plain && markdown);
    const sections = plain.sections.flatMap((section) => {
      const [first = '', second = ''] = section.sentences;
      if (section.heading !== '一、登录') return [section];
      return [
        { ...section, sentences: [first] },
        { heading: 'expired tokens', level: 0, sentences: [second] },
      ];
    });
    writeRecord([{ ...plain, sections }, markdown], record);
    assert.equal(play().code, 0);
    put(MARKDOWN, PLAIN.replace('过期的令牌被拒绝。', '过期的令牌总是被拒绝。'));
    assert.equal(play().lines[0], '000 "expired tokens": a sentence was changed: 过期的令牌总是被拒绝。');
  });

  it('names a heading that stands twice with its parent', () => {
    put('# Init\n## Checks\nRoot only.\n# Join\n## Checks\nNo files.\n');
    play('--write');
    assert.deepEqual(
      readRecord(record)[1]?.sections.map(({ heading }) => heading),
      ['Init', 'Init > Checks', 'Join', 'Join > Checks'],
    );
    assert.equal(play().code, 0);
  });

  it('looks at what is there, and says what it did not look at', () => {
    rmSync(path.join(documents(), '000-walk.zh.txt'));
    const { code, lines } = play();
    assert.equal(code, 0);
    assert.match(lines[0] ?? '', /^000: not in .*, not looked at$/);
  });

  it('cannot tell without a folder, with an unknown document, with none or with one twice', () => {
    const failing = (args: readonly string[]): string => {
      const errors: string[] = [];
      assert.equal(drift(args, { record, sentences: [], out: () => {}, err: (line) => errors.push(line) }), 2);
      return errors.join('\n');
    };
    assert.match(failing([]), /give one folder/);
    assert.match(failing([documents(), '--wirte']), /give one folder/);
    assert.match(failing([path.join(folder, 'nowhere')]), /cannot be read/);
    assert.match(failing([folder]), /holds no document/);
    writeFileSync(path.join(documents(), '009-new.txt'), 'x');
    assert.match(failing([documents()]), /009-new\.txt is no document that is remembered/);
    rmSync(path.join(documents(), '009-new.txt'));
    writeFileSync(path.join(documents(), '004-again.txt'), 'x');
    assert.match(failing([documents()]), /the document 004 twice/);
  });
});
