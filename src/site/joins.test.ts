/** Which joins of reports are drawn, and how. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Report } from '../model/report.js';
import { report } from '../report/testing-report.js';
import { joinOfClient, joinOfNode, showsJoin } from './joins.js';
import { sequence } from './sequence.js';

const asked = { what: 'GET /version', as: 'nobody', answered: 200 };
const honest = { subject: 'ok-pin (honest; right pin)', exit: 0, seen: [asked] };
const of = (more: Partial<Report>, target: Partial<Report['target']> = {}): Report => ({
  ...report,
  rules: [],
  observations: {},
  ...more,
  target: { ...report.target, ...target },
});

describe('a join that is drawn', () => {
  it('is one of an honest server, that went well, and in which something was asked', () => {
    assert.equal(showsJoin([{ ...honest, subject: 'jws-bit' }, honest]), true);
    for (const other of [
      undefined,
      null,
      'text',
      honest,
      [],
      [null],
      ['ok-pin ('],
      [{ ...honest, subject: 'x ok-pin (honest)' }],
      [{ ...honest, subject: 'ok-pin-other (honest)' }],
      [{ ...honest, subject: 5 }],
      [{ ...honest, exit: 1 }],
      [{ ...honest, exit: undefined }],
      [{ ...honest, seen: [] }],
      [{ ...honest, seen: 'text' }],
      [{ exit: 0, seen: [asked] }],
      [{ subject: honest.subject, seen: [asked] }],
      [{ subject: honest.subject, exit: 0 }],
    ])
      assert.equal(showsJoin(other), false, JSON.stringify(other));
  });

  it('is that of a program of somebody else, the newest, before our own', () => {
    const one = (name: string, kind: Report['target']['kind'], version: string | null, more: object = {}): Report =>
      of({ observations: { a: [{ ...honest, ...more }] } }, { name, kind, version });
    const own = one('own', 'reference', 'v1.40.0');
    const [older, newer] = [one('older', 'client', 'v1.9.0'), one('newer', 'client', 'v1.31.0')];
    const [nameless, odd] = [one('nameless', 'client', null), one('odd', 'client', 'x1.99.0')];
    const failing = one('failing', 'client', 'v1.36.0', { exit: 1 });
    assert.equal(joinOfClient([own, nameless, older, newer, odd, failing])?.target, 'newer');
    assert.equal(joinOfClient([own, odd, older])?.target, 'older');
    assert.equal(joinOfClient([own, nameless])?.target, 'nameless');
    assert.equal(joinOfClient([failing, own])?.target, 'own');
    assert.equal(joinOfClient([failing]), undefined);
    assert.equal(joinOfClient([]), undefined);
  });

  it('has a step for each request, in few words', () => {
    const seen = [
      { what: 'GET /api/v1/namespaces/kube-public/configmaps/cluster-info?timeout=10s', as: 'nobody', answered: 200 },
      { what: 'POST /apis/certificates.k8s.io/v1/certificatesigningrequests', as: 'the token', answered: null },
      { what: `GET /api/v1/${'a'.repeat(60)}`, as: 'x', answered: 404 },
      { what: `GET /…/${'a'.repeat(55)}`, as: 'x', answered: 404 },
    ];
    assert.deepEqual(joinOfClient([of({ observations: { a: [{ ...honest, seen }] } })])?.steps, [
      { by: 'a stranger', request: 'GET /…/kube-public/configmaps/cluster-info', answer: '200' },
      { by: 'the token', request: 'POST /…/certificatesigningrequests', answer: 'no answer' },
      { by: 'x', request: `GET /…/${'a'.repeat(54)}…`, answer: '404' },
      { by: 'x', request: `GET /…/${'a'.repeat(55)}`, answer: '404' },
    ]);
  });
});

describe('a join from the token to the Node', () => {
  const made = { as: 'system:node:jp-abcde', request: 'POST /api/v1/nodes', status: 201 };
  const rule = (id: string, verdict: 'passed' | 'failed', ...exchanges: readonly object[]): Report['rules'][number] => {
    const [pattern] = report.rules;
    const scenario = pattern?.scenarios[0];
    const judgement = scenario?.judgements[0];
    assert.ok(pattern && scenario && judgement);
    const whole = { ...scenario, verdict, judgements: [{ ...judgement, exchanges }] };
    return { ...pattern, id, scenarios: [whole] } as unknown as Report['rules'][number];
  };
  const target = (name: string, ...rules: Report['rules']): Report => of({ rules }, { name, kind: 'client' });

  it('is that of the best scenario which passed and made one', () => {
    const twelve = rule('BOOT-012', 'passed', made);
    assert.equal(joinOfNode([target('a', rule('BOOT-008', 'passed', made)), target('b', twelve)])?.target, 'b');
    const eleven = rule('BOOT-011', 'passed', made);
    assert.equal(joinOfNode([target('a', twelve), target('b', eleven)])?.target, 'b');
    assert.equal(joinOfNode([target('a', twelve, rule('BOOT-011', 'failed', made))])?.target, 'a');
    for (const no of [
      rule('BOOT-011', 'failed', made),
      rule('BOOT-010', 'passed', made),
      rule('BOOT-011', 'passed', { ...made, request: 'GET /api/v1/nodes' }),
      rule('BOOT-011', 'passed'),
    ])
      assert.equal(joinOfNode([target('a', no)]), undefined, JSON.stringify(no.scenarios));
    assert.equal(joinOfNode([of({ rules: [twelve] }, { kind: 'reference' }), target('b', twelve)])?.target, 'b');
  });

  it('tells who asks by what he is', () => {
    const by = (as: string, request: string): object => ({ as, request, status: null });
    const found = joinOfNode([
      target(
        'a',
        rule(
          'BOOT-011',
          'passed',
          by('admin', 'POST /api/v1/namespaces/kube-system/secrets/bootstrap-token-abcdef'),
          by('system:bootstrap:abcdef', 'GET /apis/certificates.k8s.io/v1/certificatesigningrequests/jp-csr-abcde'),
          by('anonymous', 'GET /healthz'),
          made,
        ),
      ),
    ]);
    assert.deepEqual(found?.steps, [
      { by: 'administrator', request: 'POST /…/kube-system/secrets/bootstrap-token-…', answer: 'no answer' },
      { by: 'bootstrap token', request: 'GET /…/certificatesigningrequests/jp-…', answer: 'no answer' },
      { by: 'anonymous', request: 'GET /healthz', answer: 'no answer' },
      { by: 'node', request: 'POST /…/nodes', answer: '201' },
    ]);
  });
});

describe('a picture of requests', () => {
  it('has a line for each who asks and one for the server, a row for each request, and a list of them', () => {
    const { html: text } = sequence(
      [
        { by: 'a', request: 'GET /1', answer: '200' },
        { by: 'b', request: 'GET /<2>', answer: '403' },
        { by: 'a', request: 'GET /3', answer: 'no answer' },
      ],
      'first',
    );
    const all = (expression: RegExp): readonly string[] =>
      [...text.matchAll(expression)].map(([, found]) => found ?? '');
    assert.match(text, /viewBox="0 0 770 194" role="img" aria-labelledby="first">\n<title id="first">/);
    assert.deepEqual(all(/<text x="(\d+)" y="24" text-anchor="middle"/g), ['80', '270', '690']);
    assert.deepEqual(all(/font-weight="700">([^<]+)</g), ['a', 'b', 'kube-apiserver']);
    assert.deepEqual(all(/class="life" x1="\d+" y1="34" x2="\d+" y2="(\d+)"/g), ['184', '184', '184']);
    assert.deepEqual(all(/<line x1="(\d+ ?" y1="\d+" x2="\d+)"/g), [
      ...['80" y1="60" x2="682', '270" y1="98" x2="682', '80" y1="136" x2="682'],
    ]);
    assert.deepEqual(all(/<text x="(\d+" y="\d+)">GET/g), ['88" y="55', '278" y="93', '88" y="131']);
    assert.deepEqual(all(/class="status" x="(700" y="\d+)"/g), ['700" y="64', '700" y="102', '700" y="140']);
    assert.deepEqual(all(/d="M (690 \d+) l -9 -4 l 0 8 z"/g), ['690 60', '690 98', '690 136']);
    assert.deepEqual(all(/<li>(.*?)<\/li>/g), [
      ...['a: <code>GET /1</code>, 200', 'b: <code>GET /&lt;2&gt;</code>, 403', 'a: <code>GET /3</code>, no answer'],
    ]);
  });
});
