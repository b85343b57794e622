import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseFieldSelector } from '../machinery/field-selector.js';
import { matchesLabels, parseLabelSelector } from '../machinery/label-selector.js';
import { requestInfo } from '../machinery/request-info.js';
import { JsonSyntaxError, parseJson } from './json.js';
import { goQuote } from './text.js';

const matches = (selector: string, labels: Record<string, string>): boolean | string => {
  const parsed = parseLabelSelector(selector);
  return 'error' in parsed ? parsed.error : matchesLabels(parsed.requirements, labels);
};

test('label selectors select', () => {
  const labels = { app: 'web', size: '5' };
  for (const [selector, expected] of [
    ['', true],
    ['app', true],
    ['!app', false],
    ['app=web', true],
    ['app==web,size', true],
    ['app!=web', false],
    ['other!=x', true],
    ['app in (web, db)', true],
    ['app notin (web)', false],
    ['size>4', true],
    ['size<5', false],
    ['in in (in)', false],
    [' app = web , size = 5 ', true],
  ] as const) {
    assert.equal(matches(selector, labels), expected, selector);
  }
});

test('broken label selectors say why in upstream words', () => {
  for (const [selector, message] of [
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a,', "found '', expected: identifier after ','"],
    ['a,,b', "found ',', expected: identifier after ','"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a===b', "unable to parse requirement: found '=', expected: identifier"],
  ] as const) {
    assert.equal(matches(selector, {}), message, selector);
  }
});

test('field selectors know escapes', () => {
  assert.deepEqual(parseFieldSelector('metadata.name=a\\,b,type!=x'), {
    requirements: [
      { field: 'metadata.name', operator: '=', value: 'a,b' },
      { field: 'type', operator: '!=', value: 'x' },
    ],
  });
  assert.deepEqual(parseFieldSelector('a>b'), { error: "invalid selector: 'a>b'; can't understand 'a>b'" });
});

test('broken JSON is refused in the words of Go', () => {
  for (const [text, message] of [
    ['<html>', "invalid character '<' looking for beginning of value"],
    ['{"a":1} x', "invalid character 'x' after top-level value"],
    ['{"a":1/**/}', "invalid character '/' after object key:value pair"],
    ['{"a":NaN}', "invalid character 'N' looking for beginning of value"],
    ['{"a"', 'unexpected end of JSON input'],
    ['[1 2]', "invalid character '2' after array element"],
    ['tru', "invalid character ' ' in literal true (expecting 'e')"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ] as const) {
    assert.throws(
      () => parseJson(text),
      (error) => error instanceof JsonSyntaxError && error.message === message,
      text,
    );
  }
});

test('duplicate keys are found with their paths, colons in strings are none', () => {
  assert.deepEqual(parseJson('{"a":{"b":1,"b":2},"c":[{"d":1,"d":1}],"e":"x:y\\":z"}').duplicates, ['a.b', 'c[0].d']);
  assert.deepEqual(parseJson('{"e":"x:y\\\\","f":"::"}').duplicates, []);
});

test('a fraction is known as one although its value is whole', () => {
  assert.equal(parseJson('{"a":{"b":600.0}}').floats?.get('a.b'), '600.0');
  assert.equal(parseJson('{"a":"1.0"}').floats, undefined);
});

test('strings are quoted as %q does', () => {
  assert.equal(goQuote('a"b\\\n\u0001ü\u200b'), '"a\\"b\\\\\\n\\x01ü\\u200b"');
});

test('paths are read as requests', () => {
  const of = (method: string, path: string, query = ''): string => {
    const info = requestInfo(method, path, new URLSearchParams(query));
    return [info.verb, info.group, info.version, info.namespace, info.resource, info.name, info.subresource].join('|');
  };
  assert.equal(of('GET', '/api/v1/namespaces'), 'list||v1||namespaces||');
  assert.equal(of('GET', '/api/v1/namespaces/a'), 'get||v1|a|namespaces|a|');
  assert.equal(of('PUT', '/api/v1/namespaces/a/finalize'), 'update||v1|a|namespaces|a|finalize');
  assert.equal(of('GET', '/api/v1/namespaces/a/pods', 'watch=1'), 'watch||v1|a|pods||');
  assert.equal(of('DELETE', '/apis/apps/v1/namespaces/a/deployments'), 'deletecollection|apps|v1|a|deployments||');
  assert.equal(of('GET', '/api/v1/pods', 'fieldSelector=metadata.name%3Dx'), 'list||v1||pods|x|');
  assert.equal(of('GET', '/api/v1/watch/namespaces/a/pods/b'), 'watch||v1|a|pods|b|');
  assert.equal(requestInfo('GET', '/healthz', new URLSearchParams()).isResourceRequest, false);
  assert.equal(of('FOO', '/api/v1/pods'), '||v1||pods||');
});
