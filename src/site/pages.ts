/** The pages of the site: chapters, documents, errata, disagreements, what is not judged, targets, mutants. */
import type { Report } from '../model/report.js';
import type { ChapterTold, RuleTold, SentenceFate, SentenceTold, Specification } from '../model/specification.js';
import type { VerdictKind } from '../model/verdict.js';
import { joinOfClient, joinOfNode, type RecordedJoin } from './joins.js';
import { type Html, html, type Page, prose } from './page.js';
import { sequence } from './sequence.js';

export interface Site {
  readonly specification: Specification;
  readonly reports: readonly Report[];
  /** "001" → its name. */
  readonly documentName: (document: string) => string;
}

export const documentsOf = ({ specification: { sentences } }: Site): readonly string[] =>
  [...new Set(sentences.flatMap(({ places }) => places.map(({ document }) => document)))].sort();

const pathOf = {
  chapter: (chapter: string): string => `chapters/${chapter}.html`,
  document: (document: string): string => `documents/${document}.html`,
};
const ruleLink = (site: Site, up: string, id: string): Html => {
  const rule = site.specification.rules.find((one) => one.id === id);
  return rule === undefined ? html`${id}` : html`<a href="${up}${pathOf.chapter(rule.chapter)}#${id}">${id}</a>`;
};
const list = (items: readonly Html[]): readonly Html[] =>
  items.flatMap((item, index) => (index === 0 ? [item] : [html`, `, item]));

/** Every page, the first one first; the navigation is made of them. */
export function pagesOf(site: Site): readonly Page[] {
  return [
    index(site),
    ...site.specification.chapters.map((chapter) => chapterPage(site, chapter)),
    ...documentsOf(site).map((document) => documentPage(site, document)),
    beyond(site),
    errata(site),
    disagreements(site),
    unjudged(site),
    targets(site),
    mutants(site),
  ];
}

function index(site: Site): Page {
  const { chapters: told, rules, sentences, traps } = site.specification;
  const chapters = told.map(({ chapter, title, about }) => {
    const own = rules.filter((rule) => rule.chapter === chapter);
    return html`<li><a href="${pathOf.chapter(chapter)}">${title}</a>, ${own.length} rules. ${about}</li>`;
  });
  const documents = documentsOf(site).map((document) => {
    const own = sentences.filter(({ places }) => places.some((place) => place.document === document));
    return html`<li><a href="${pathOf.document(document)}">${site.documentName(document)}</a>: ${own.length} sentences</li>`;
  });
  const judged = sentences.filter(({ unjudged: why }) => why === undefined);
  return {
    path: 'index.html',
    title: 'The specification',
    body: html`<p>${rules.length} rules judge ${judged.length} of ${sentences.length} sentences; ${traps.length} places are
known where the documents mislead.</p>
<h2>Chapters, in the order of reading</h2><ol>${chapters}</ol>
<h2>Documents</h2><ul>${documents}</ul>
<h2>How a machine joins</h2>
<h3>What it asks until it has a certificate</h3>
${picture(joinOfClient(site.reports), 'join-of-a-client')}
<h3>From the token to the Node, as the API server sees it</h3>
${picture(joinOfNode(site.reports), 'join-of-a-node')}`,
  };
}

const picture = (join: RecordedJoin | undefined, name: string): Html =>
  join === undefined
    ? html`<p>No report that was given has recorded it.</p>`
    : html`<p>As recorded by a run on ${join.target}:</p>${sequence(join.steps, name)}`;

function chapterPage(site: Site, { chapter, title, about }: ChapterTold): Page {
  const rules = site.specification.rules.filter((rule) => rule.chapter === chapter);
  const path = pathOf.chapter(chapter);
  return { path, title, body: html`<p>${about}</p>${rules.map((rule) => article(site, rule))}` };
}

function article(site: Site, rule: RuleTold): Html {
  const { id, level, title, why, repair, scenarios, gherkin, mutants: killers, errata: traps, place } = rule;
  const notes = scenarios.flatMap(({ name, needs, releases }) =>
    needs.length + releases.length === 0
      ? []
      : [
          html`<li>${name}: ${[needs.length === 0 ? '' : `needs ${needs.join(', ')}`, releases].filter(Boolean).join('; ')}</li>`,
        ],
  );
  const verdicts = site.reports.flatMap((report) => {
    const found = report.rules.find((one) => one.id === id);
    return found === undefined
      ? []
      : [
          html`<li><span class="${found.verdict}">${word(found.verdict)}</span> ${nameOf(report)}${because(found.reason?.text)}</li>`,
        ];
  });
  return html`<article id="${id}"><h2><a href="#${id}">${id}</a> ${title} <span class="level">${level}</span></h2>
<p><strong>Why.</strong> ${why}</p>
<p><strong>${repair.for === 'maker' ? 'For the maker' : 'Repair'}.</strong> ${repair.text}</p>
${rule.sentences.map((one) => sentence(site, one))}
${traps.map((trap) => html`<p class="sentence"><a href="../errata.html#${trap.id}">${trap.id}</a> ${prose(trap.trap)}</p>`)}
<details><summary>Scenarios: ${scenarios.length}</summary>
${notes.length === 0 ? undefined : html`<ul class="soft">${notes}</ul>`}
<pre tabindex="0">${gherkin}</pre></details>
<details><summary>Proved by ${killers.length} defects of the reference</summary>
<ul>${killers.map(({ name, defect }) => html`<li><code>${name}</code>: ${defect}</li>`)}</ul></details>
${verdicts.length === 0 ? undefined : html`<h3>Verdicts</h3><ul>${verdicts}</ul>`}
<p class="soft">features/${place}</p>
</article>
`;
}

const because = (reason: string | undefined): Html => (reason === undefined ? html`` : html`: ${reason}`);

function sentence(site: Site, told: SentenceTold): Html {
  const places = told.places.map(
    ({ document, heading }) =>
      html`<a href="../${pathOf.document(document)}#${told.id}">${site.documentName(document)}</a>, “${heading}”`,
  );
  const source =
    places.length === 0 ? html`<a href="../beyond.html#${told.id}">beyond the documents</a>` : list(places);
  return html`<div class="sentence"><p><strong>${told.id}</strong> ${prose(told.statement)} <span class="level">${told.level}</span></p>
<p class="soft">${source}</p><p class="soft">Kubernetes: ${prose(told.today)}</p>${erratum(told)}</div>`;
}

const erratum = ({ erratum: wrong }: SentenceTold): Html =>
  wrong === undefined
    ? html``
    : html`<p><strong class="erratum">Erratum.</strong> ${prose(`${wrong.claim ?? ''} ${wrong.fact}`)}${wrong.since === undefined ? '' : ` (since ${wrong.since})`}</p>`;

function documentPage(site: Site, document: string): Page {
  const own = site.specification.sentences.filter(({ places }) => places.some((place) => place.document === document));
  const headings = [
    ...new Set(
      own.flatMap(({ places }) => places.filter((place) => place.document === document).map(({ heading }) => heading)),
    ),
  ];
  const shown = new Set<string>();
  const sections = headings.map((heading) => {
    const here = own.filter(
      ({ id, places }) =>
        !shown.has(id) && places.some((place) => place.document === document && place.heading === heading),
    );
    for (const { id } of here) shown.add(id);
    return here.length === 0
      ? html``
      : html`<h2 lang="und">${heading}</h2>${here.map((one) => fate(site, one, '../'))}`;
  });
  return { path: pathOf.document(document), title: site.documentName(document), body: html`${sections}` };
}

/** A sentence with what became of it. */
function fate(site: Site, told: SentenceFate, up: string): Html {
  const rules = list(told.rules.map((id) => ruleLink(site, up, id)));
  return html`<div class="sentence" id="${told.id}"><p><a href="#${told.id}"><strong>${told.id}</strong></a> ${prose(told.statement)}
<span class="level">${told.level}</span></p>
<p>${told.unjudged === undefined ? html`Judged by ${rules}.` : html`<span class="skipped">Not judged:</span> ${prose(told.unjudged)}`}</p>
<p class="soft">Kubernetes: ${prose(told.today)}</p>${erratum(told)}</div>
`;
}

const beyond = (site: Site): Page => ({
  path: 'beyond.html',
  title: 'Beyond the documents',
  body: html`<p>What no document says and a cluster is better for.</p>
${site.specification.sentences.filter(({ places }) => places.length === 0).map((one) => fate(site, one, ''))}`,
});

const errata = (site: Site): Page => ({
  path: 'errata.html',
  title: 'Where the documents mislead',
  body: html`${site.specification.traps.map(
    ({ id, places, trap, today, advice, rules }) => html`<article id="${id}"><h2><a href="#${id}">${id}</a></h2>
<p>${prose(trap)}</p><p><strong>Kubernetes.</strong> ${prose(today)}</p><p><strong>Advice.</strong> ${prose(advice)}</p>
<p class="soft">${places.map(({ document, heading }) => `${site.documentName(document)}, “${heading}”`).join('; ')}</p>
<p>${rules.length === 0 ? 'No rule judges it.' : html`Judged by ${list(rules.map((one) => ruleLink(site, '', one)))}.`}</p>
</article>
`,
  )}`,
});

/** Sentences that Kubernetes does not keep, or no longer. */
const disagreements = (site: Site): Page => ({
  path: 'disagreements.html',
  title: 'Documents and Kubernetes',
  body: table(
    ['sentence', 'the document says', 'Kubernetes does', 'since', 'rules'],
    site.specification.sentences.flatMap(({ id, statement, erratum: wrong, rules }) =>
      wrong === undefined
        ? []
        : [
            [
              id,
              wrong.claim ?? statement,
              wrong.fact,
              wrong.since ?? '',
              html`${list(rules.map((one) => ruleLink(site, '', one)))}`,
            ],
          ],
    ),
  ),
});

const unjudged = (site: Site): Page => ({
  path: 'not-judged.html',
  title: 'What is not judged, and why',
  body: table(
    ['sentence', 'it says', 'why not'],
    site.specification.sentences.flatMap(({ id, statement, unjudged: why }) =>
      why === undefined ? [] : [[id, prose(statement), prose(why)]],
    ),
  ),
});

const nameOf = ({ target: { name, version } }: Report): string =>
  version === null || name.includes(version.replace(/^v/, '')) ? name : `${name}, ${version}`;
const word = (verdict: VerdictKind): string => (verdict === 'error' ? 'not judged' : verdict);

function targets(site: Site): Page {
  const { reports, specification } = site;
  const rows = specification.rules.map((rule) => [
    ruleLink(site, '', rule.id),
    rule.title,
    ...reports.map((report) => {
      const found = report.rules.find(({ id }) => id === rule.id);
      return found === undefined ? html`–` : html`<span class="${found.verdict}">${word(found.verdict)}</span>`;
    }),
  ]);
  const body =
    reports.length === 0 ? html`<p>No report was given.</p>` : table(['rule', 'demands', ...reports.map(nameOf)], rows);
  return { path: 'targets.html', title: 'Targets', body };
}

const mutants = (site: Site): Page => {
  const defects = new Map<string, { readonly defect: string; readonly rules: string[] }>();
  for (const rule of site.specification.rules)
    for (const { name, defect } of rule.mutants) {
      const known = defects.get(name) ?? { defect, rules: [] };
      known.rules.push(rule.id);
      defects.set(name, known);
    }
  const sorted = [...defects].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    path: 'mutants.html',
    title: 'The kill matrix',
    body: html`<p>Defects of the reference, and the rules that notice each.</p>
${table(
  ['defect', '', 'noticed by'],
  sorted.map(([name, { defect, rules }]) => [
    html`<code>${name}</code>`,
    defect,
    html`${list(rules.map((id) => ruleLink(site, '', id)))}`,
  ]),
)}`,
  };
};

function table(heads: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html {
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;
}
