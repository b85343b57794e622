import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judged } from '../common/judged.testing.js';
import { letThroughToThose } from './let-through.js';

const status = (code: number, message = '') => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code },
});
const forbidden = status(403, 'configmaps is forbidden: User "he" cannot list');
const found = { status: 200, body: { kind: 'ConfigMap', apiVersion: 'v1', metadata: {} } };
const result = (wanted: readonly string[], answers: Readonly<Record<string, { status: number; body: unknown }>>) =>
  judged(
    letThroughToThose,
    [{ subject: 'he', wanted, answers: Object.entries(answers).map(([request, answer]) => ({ request, answer })) }],
    undefined,
  ).map((finding) => `${finding.result}: ${finding.seen}`);

describe('who is let through', () => {
  it('to what is wanted, and to nothing else', () => {
    assert.deepEqual(result(['get it'], { 'get it': found, 'list all': forbidden }), ['met: so it is']);
    assert.deepEqual(result(['get it'], { 'get it': status(404, 'configmaps "x" not found'), 'list all': forbidden }), [
      'met: so it is',
    ]);
  });
  it('to more, or to less', () => {
    assert.match(result(['get it'], { 'get it': found, 'list all': found })[0] ?? '', /^unmet: list all: 200/);
    assert.match(
      result(['get it'], { 'get it': forbidden, 'list all': forbidden })[0] ?? '',
      /^unmet: not get it: 403/,
    );
  });
  it('is not judged where an answer says nothing, but for what is too much', () => {
    const busy = status(503);
    assert.match(result(['get it'], { 'get it': busy, 'list all': forbidden })[0] ?? '', /^(?!met|unmet).*get it: 503/);
    assert.match(result(['get it'], { 'get it': busy, 'list all': found })[0] ?? '', /^unmet/);
  });
});
