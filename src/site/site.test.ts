import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'node:test';
import { HtmlValidate } from 'html-validate';
import type { Report } from '../model/report.js';
import type { Specification } from '../model/specification.js';
import { report } from '../report/testing-report.js';
import { prepareSteps } from '../run/execute.js';
import { plan } from '../run/judge.js';
import { wholeSpecification } from '../run/specification.js';
import { siteOf } from './site.js';

const { selected } = await plan({});
const specification: Specification = wholeSpecification(selected.rules, await prepareSteps());
const documentName = (document: string): string => `document ${document}`;
const HOSTILE = '</script><script>alert(1)</script>"\'`<img src=x>\u202e\u001b[2J';

/** A report of today's rules in which a target says what it likes, and a machine joins. */
const judged: Report = {
  ...report,
  target: { ...report.target, name: HOSTILE },
  observations: {
    'o-joins': [
      {
        subject: 'ok-pin (honest; right pin)',
        exit: 0,
        seen: [{ what: `GET /api/v1/namespaces/kube-public/${HOSTILE}`, as: 'nobody', answered: 200 }],
      },
    ],
  },
  rules: selected.rules.map((rule, index) => {
    const pattern = report.rules[index % report.rules.length] as Report['rules'][number];
    const { id, chapter, title } = rule;
    if (id !== 'BOOT-011') return { ...pattern, id, chapter, title };
    const exchanges = [
      { as: 'system:bootstrap:abcdef', request: `GET /api/${HOSTILE}`, status: 200 },
      { as: 'system:node:jp-1', request: 'POST /api/v1/nodes', status: 201 },
    ];
    const [scenario] = pattern.scenarios;
    const [judgement] = scenario?.judgements ?? [];
    assert.ok(scenario && judgement);
    const whole = { ...scenario, verdict: 'passed', reason: null, judgements: [{ ...judgement, exchanges }] } as const;
    return { ...pattern, id, chapter, title, scenarios: [whole] };
  }),
};
const site = siteOf({ specification, reports: [judged], documentName });
const pages = [...site].filter(([file]) => file.endsWith('.html'));

describe('the site', () => {
  it('has a place for every rule, sentence and trap', () => {
    const ids = (file: string): ReadonlySet<string> =>
      new Set([...(site.get(file) ?? '').matchAll(/ id="([A-Z]+-\d+)"/g)].map(([, id]) => id ?? ''));
    for (const { id, chapter } of specification.rules) assert.ok(ids(`chapters/${chapter}.html`).has(id), id);
    for (const { id, places } of specification.sentences) {
      const files = places.length === 0 ? ['beyond.html'] : places.map(({ document }) => `documents/${document}.html`);
      for (const file of files) assert.ok(ids(file).has(id), `${id} in ${file}`);
    }
    for (const { id } of specification.traps) assert.ok(ids('errata.html').has(id), id);
  });

  it('counts the rules, and the sentences that are judged of those that there are', () => {
    const { rules, sentences } = specification;
    const judgedOnes = sentences.filter(({ unjudged }) => unjudged === undefined).length;
    assert.ok(judgedOnes < sentences.length);
    const said = `${rules.length} rules judge ${judgedOnes} of ${sentences.length} sentences`;
    assert.ok(site.get('index.html')?.includes(said), said);
  });

  it('draws joins that were recorded: of a client, and from the token to the Node', () => {
    const drawn = [...(site.get('index.html') ?? '').matchAll(/<svg.*?<\/svg>/gs)].map(([svg]) => svg);
    assert.equal(drawn.length, 2);
    assert.match(drawn[0] ?? '', /a stranger.*GET \/…\/kube-public/s);
    assert.match(drawn[1] ?? '', /bootstrap token.*POST \/…\/nodes/s);
    const none = siteOf({ specification, reports: [], documentName }).get('index.html') ?? '';
    assert.equal(none.match(/No report that was given has recorded it/g)?.length, 2);
  });

  it('leads nowhere that is not there, and to no network', () => {
    const all = new Map(
      pages.map(([file, text]) => [file, new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
    );
    for (const [file, text] of pages)
      for (const [, target = ''] of text.matchAll(/ (?:href|src)="([^"]*)"/g)) {
        const [relative = '', anchor] = target.split('#');
        assert.doesNotMatch(target, /^[a-z]+:|^\//i, `${file}: ${target}`);
        const at = relative === '' ? file : path.posix.join(path.posix.dirname(file), relative);
        assert.ok(site.has(at), `${file}: ${target}`);
        if (anchor !== undefined) assert.ok(all.get(at)?.has(anchor), `${file}: ${target}`);
      }
    assert.doesNotMatch(site.get('style.css') ?? '', /url\(|@import/);
  });

  it('is HTML that a validator and a reader of the screen take', async () => {
    const checker = new HtmlValidate({
      extends: ['html-validate:recommended', 'html-validate:a11y'],
      rules: {
        'long-title': 'off',
        'no-trailing-whitespace': 'off',
        'doctype-style': 'off',
        'void-style': 'off',
        'no-raw-characters': 'off',
        'tel-non-breaking': 'off',
        'no-implicit-button-type': 'off',
        'wcag/h63': 'off',
      },
    });
    for (const [file, text] of pages) {
      const { valid, results } = await checker.validateString(text);
      assert.ok(valid, `${file}: ${JSON.stringify(results.flatMap(({ messages }) => messages.slice(0, 3)))}`);
    }
  });

  it('lets nothing of a target become markup', () => {
    for (const [file, text] of site) {
      assert.ok(!text.includes('<script>alert') && !text.includes('<img'), file);
      assert.ok(!text.includes('\u202e') && !text.includes('\u001b'), file);
    }
    assert.match(site.get('index.html') ?? '', /POST \/…\/nodes/);
  });

  it('is the same for the same rules and reports', () => {
    assert.deepEqual(siteOf({ specification, reports: [judged], documentName }), site);
  });
});
