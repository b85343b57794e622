/** The frame of every page: readable without scripts, from files, in light and dark. */
import { escapeHtml } from '../model/foreign.js';

/** Text of HTML, which is kept apart from text that is none. */
export interface Html {
  readonly html: string;
}

/** Markup with texts in it: what is no Html is escaped; lists are put together. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Html {
  return { html: parts.map((part, index) => part + (index < values.length ? shown(values[index]) : '')).join('') };
}

type Part = string | number | Html | undefined | readonly Part[];

function shown(value: Part): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return 'html' in value ? value.html : value.map(shown).join('');
}

/** What stands between backticks is code. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;

export interface Page {
  /** "chapters/authorization.html" */
  readonly path: string;
  readonly title: string;
  readonly body: Html;
}

export interface Link {
  readonly path: string;
  readonly text: string;
}

/** "../" for each folder of a page. */
export const upFrom = (page: string): string => '../'.repeat(page.split('/').length - 1);

/** The whole text of a page. */
export function framed({ path, title, body }: Page, navigation: readonly Link[]): string {
  const up = upFrom(path);
  const links = navigation.map((link) =>
    link.path === path
      ? html`<li><a href="${up + link.path}" aria-current="page">${link.text}</a></li>`
      : html`<li><a href="${up + link.path}">${link.text}</a></li>`,
  );
  return html`${{ html: '<!doctype html>' }}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – joinproof</title>
<link rel="stylesheet" href="${up}style.css">
<script defer src="${up}search-index.js"></script>
<script defer src="${up}search.js"></script>
</head>
<body data-up="${up}">
<a class="skip" href="#main">To the text</a>
<header><p class="name"><a href="${up}index.html">joinproof</a>: how machines join a Kubernetes cluster</p>
<search hidden><label for="search">Search</label> <input id="search" type="search" autocomplete="off">
<ul id="found" aria-live="polite"></ul></search></header>
<nav aria-label="Pages"><ul>${links}</ul></nav>
<main id="main"><h1>${title}</h1>
${body}
</main>
</body>
</html>
`.html;
}
