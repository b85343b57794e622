import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type DocumentForm, readUnits } from './drift-text.js';

const MARKDOWN: DocumentForm = { format: 'markdown', headings: [] };
const told = (text: string, form: DocumentForm = MARKDOWN): readonly string[] =>
  readUnits(text, form).map((unit) => (unit.kind === 'heading' ? `${'#'.repeat(unit.level)} ${unit.text}` : unit.text));
const hashes = (text: string, form: DocumentForm = MARKDOWN): readonly string[] =>
  readUnits(text, form).map(({ hash }) => hash);

describe('readUnits', () => {
  it('splits English with care for abbreviations, versions and file names', () => {
    assert.deepEqual(told('Use a token, e.g. One of these. It is v1.2 and `a.b`. See kube.conf. Done?'), [
      'Use a token, e.g. One of these.',
      'It is v1.2 and `a.b`.',
      'See kube.conf.',
      'Done?',
    ]);
  });

  it('splits Chinese, with what closes the sentence', () => {
    assert.deepEqual(told('令牌有效。**过期。** 然后呢？（是的！）好'), [
      '令牌有效。',
      '**过期。**',
      '然后呢？',
      '（是的！）',
      '好',
    ]);
  });

  it('takes list items and lines of code for themselves', () => {
    const text = 'Do this:\n- first\n  goes on\n- second\n\napiVersion: v1\nkind: Secret\n\n```\nx = 1\n```\n';
    assert.deepEqual(told(text), [
      'Do this:',
      '- first goes on',
      '- second',
      'apiVersion: v1',
      'kind: Secret',
      '```',
      'x = 1',
      '```',
    ]);
  });

  it('knows headings by # and by bold, and none inside code', () => {
    assert.deepEqual(told('# One\ntext\n## Two {#two}\n**Three**\n```\n# no heading\n```\n'), [
      '# One',
      'text',
      '## Two',
      '####### Three',
      '```',
      '# no heading',
      '```',
    ]);
  });

  it('finds headings and lists in Markdown whose line ends are lost', () => {
    const text = 'Start. ## One {#one} First: - a - b 1. c ### Known title The text goes on. #### Last - d';
    assert.deepEqual(told(text, { format: 'markdown', headings: ['Known title', 'Last'] }), [
      'Start.',
      '## One',
      'First:',
      '- a',
      '- b',
      '1. c',
      '### Known title',
      'The text goes on.',
      '#### Last',
      '- d',
    ]);
  });

  it('knows the headings of a plain document by their names alone', () => {
    const form: DocumentForm = { format: 'plain', headings: ['1、开始'] };
    assert.deepEqual(told('1、开始\n# no heading\n2、然后', form), ['# 1、开始', '# no heading', '2、然后']);
  });

  it('sees no difference in line ends, wrapping, indentation and trailing blanks', () => {
    const text = '# H\n\nA sentence that is long. And another\none.\n\n- item of\n  a list\n';
    const same = [
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n', '  \n'),
      '\uFEFF# H\n\n\nA sentence\nthat is\nlong. And another one.\n\n  -  item of a\n list\n',
    ];
    for (const other of same) assert.deepEqual(hashes(other), hashes(text));
    assert.notDeepEqual(hashes(text.replace('long', 'short')), hashes(text));
  });
});
