import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fieldsIn, Unread } from './written-fields.js';

const why = (text: string): string => {
  try {
    return `holds ${JSON.stringify(fieldsIn(text))}`;
  } catch (error) {
    assert.ok(error instanceof Unread);
    return error.message;
  }
};

describe('fields of a file', () => {
  it('are those of its first document, with whatever stands around it', () => {
    for (const text of [
      'a: 1',
      'a: 1\n',
      '\n\na: 1\n\n',
      '---\na: 1\n',
      '--- # of kubeadm\na: 1\n',
      '# told\n---\na: 1\n---\n',
      '   \n---\na: 1\n---\n\n---\n',
      'a: 1\n---\nb: 2\n',
      'a: 1\n--- \nb: 2\n',
      'a: 1\n---\tb\n',
      'a: 1\r\n---\r\nb: 2\r\n',
      'a: 1\n---\n"broken\n',
      '---\na: 1\n---\nb: [\n',
      '{"a": 1}',
      '{"a": 1}\n---\n',
      // content beside the sign that begins it, comments that stand inwards, directives, and the sign that ends it
      '--- {a: 1}\n---\nb: 2\n',
      '---  {a: 1}\n---\nb: 2\n',
      '  # told\n---\na: 1\n',
      '%YAML 1.1\n---\na: 1\n---\nb: [\n',
      'a: 1\n...\n',
      'a: 1\n...\nb: 2\n',
      'a: 1\n... # end\n---\nb: 2\n',
    ])
      assert.equal(why(text), 'holds {"a":1}', JSON.stringify(text));
  });

  it('begin no document where a line only looks like it', () => {
    assert.equal(why('a: |\n  ---\n  b\n'), 'holds {"a":"---\\nb\\n"}');
    assert.equal(why('a: b---\nc: ---\n'), 'holds {"a":"b---","c":"---"}');
    assert.equal(why('---x: 1\nb: 2\n'), 'holds {"---x":1,"b":2}');
    assert.equal(why('a: 1\n---x: 2\n'), 'holds {"a":1,"---x":2}');
    assert.equal(why('a: 1\n...x: 2\nb: ...\n'), 'holds {"a":1,"...x":2,"b":"..."}');
    // alone as well
    assert.equal(why('---x: 1\n---\nb: 2\n'), 'holds {"---x":1}');
  });

  it('are the last ones where a key is said twice, and may be said by an anchor', () => {
    assert.equal(why('a: 1\na: 2\n'), 'holds {"a":2}');
    assert.equal(why('a: &one [1]\nb: *one\n'), 'holds {"a":[1],"b":[1]}');
    const bomb = 'abcdefghi'.split('').map((name, at, all) => {
      const before = all[at - 1];
      return `${name}: &${name} [${Array(9)
        .fill(before === undefined ? 'x' : `*${before}`)
        .join(', ')}]`;
    });
    assert.equal(why(bomb.join('\n')), 'it is no YAML: An alias has no anchor, or there are too many');
    // a hundred of them are more than any file has
    const many = (count: number): string => `a: &x [1]\nb: [${Array(count).fill('*x').join(', ')}]`;
    assert.match(why(many(90)), /^holds /);
    assert.match(why(many(101)), /^it is no YAML: /);
  });

  it('are none where it holds nothing, something else or what is broken, and nothing of it is told', () => {
    for (const text of [
      '',
      '\n \n',
      '---\n---\n',
      '---',
      '# told\n',
      '---\n# told\n',
      '\n---\n  # told\n---\n',
      '- a',
      'a',
      '1',
      'null',
    ])
      assert.equal(why(text), 'it is no YAML of fields, or cut off', JSON.stringify(text));
    for (const text of ['a: "hidden', 'a: [hidden', 'a:\n\t- hidden: 1', 'a: *hidden', '%hidden\n---\na: !!hidden {'])
      assert.match(why(text), /^it is no YAML: (?!.*hidden)[^\n]{1,120}$/, text);
  });
});
