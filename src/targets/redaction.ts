/**
 * The one sink that keeps secrets out of everything joinproof writes: by value, in every form a value takes on its way
 * (plain, base64 at any alignment, URL, JSON, hex), and by shape where a value cannot be known beforehand (private
 * keys, JWTs, Authorization headers, certificate keys). Token ids are public and stay (TOK-006 of the catalogue). Its
 * time grows with the text, whatever the text is and whatever was registered.
 */
import { LONGEST_WORD, SHORTEST_WORD, Words } from '../model/words.js';

export const REDACTED = '[redacted]';
/** Shorter values are not replaced: they would blacken ordinary words. */
const SHORTEST = SHORTEST_WORD;
/** Of a longer value this many characters are known, and what follows them is not shown. */
const LONGEST = 8_192;
const DEEPEST = 3;
/** Nothing shorter has one of the forms below. */
const SHORTEST_SHAPE = 20;

const TOKEN = /^([A-Za-z0-9]{6})\.(.+)$/s;
/** A half that logs in, and looks made by chance: no word of a language. Source: 001, token format. */
const WELL_FORMED = /^(?=.*[0-9])(?=.*[a-z])[a-z0-9]{16}$/;
const KEY_BEGINS = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/g;
const KEY_ENDS = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/g;
const BASE64_PEM = /LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]*/g;
const BASE64_RUN = /[A-Za-z0-9+/_-]{20,}={0,2}/g;
const DOTTED = /[A-Za-z0-9_.-]{29,}/g;
const AUTHORIZATION = /(authorization[\s\\"'[:=,]{1,64}(?:bearer|basic)\s{1,64})([^\s"'\\,\]]+)/gi;
const CERTIFICATE_KEY = /(certificate-?key[\s\\"':=]{1,64})([0-9a-f]{64})\b/gi;
const ALPHANUMERIC = /[A-Za-z0-9]/;

/** What a redactor was told, for another one. */
export interface Learned {
  readonly values: readonly string[];
  readonly alone: readonly string[];
  readonly names: readonly string[];
}

export class Redactor {
  readonly #values = new Set<string>();
  /** Of each form all, or the first LONGEST_WORD characters. */
  readonly #words = new Words();
  readonly #whole = new Set<string>();
  /** Longer forms by how they begin, sorted. */
  readonly #long = new Map<string, string[]>();
  /** Forms of values that are longer still. */
  readonly #endless = new Set<string>();
  /**
   * Of Secrets that anybody may make: only where they stand alone, and not where something else bears them as its name.
   */
  readonly #alone = new Set<string>();
  readonly #names = new Set<string>();

  /** Registers one secret. Of a bootstrap token only the half behind the dot is secret; a bare token id never is. */
  add(value: string): void {
    const text = secretPart(value);
    if (text === undefined || this.#values.has(text)) return;
    this.#values.add(text);
    const known = text.slice(0, LONGEST);
    for (const form of formsOf(known)) this.#addForm(form, known !== text);
  }

  /** Registers what an Authorization header carries. */
  addAuthorization(header: string): void {
    const credential = credentialIn(header);
    if (credential !== undefined) this.add(credential);
  }

  /**
   * Registers the half of a token Secret that a tenant may have made. Nobody logs in with it, and whoever chose it must
   * not choose what reports leave out: it counts where it is well formed, as a word of its own.
   */
  addForeign(half: string): void {
    if (!WELL_FORMED.test(half) || this.#alone.has(half)) return;
    this.#alone.add(half);
    this.#words.add(half);
    for (const form of formsOf(half)) if (form !== half) this.#addForm(form, false);
  }

  /** Something in the cluster is named so: what a tenant calls a secret cannot take its name away. */
  spare(name: string): void {
    if (name.length === 16) this.#names.add(name);
  }

  #addForm(form: string, endless: boolean): void {
    this.#words.add(form.slice(0, LONGEST_WORD));
    if (endless) this.#endless.add(form);
    if (form.length <= LONGEST_WORD) {
      this.#whole.add(form);
      return;
    }
    const begin = form.slice(0, LONGEST_WORD);
    const alike = this.#long.get(begin) ?? [];
    const place = placeIn(alike, form);
    if (alike[place] !== form) alike.splice(place, 0, form);
    this.#long.set(begin, alike);
  }

  get learned(): Learned {
    return { values: [...this.#values], alone: [...this.#alone], names: [...this.#names] };
  }

  learn({ values, alone, names }: Learned): void {
    for (const value of values) this.add(value);
    for (const half of alone) this.addForeign(half);
    for (const name of names) this.spare(name);
  }

  /** Is the value registered, or would it be shown as it is? */
  knows(value: string): boolean {
    const text = secretPart(value);
    return text !== undefined && this.#values.has(text);
  }

  /** The text without any registered value and without anything that looks like a private key or a signed token. */
  redact(text: string): string {
    return this.#redact(text, 0);
  }

  #redact(text: string, depth: number): string {
    let clean = this.#byValue(text);
    if (clean.length < SHORTEST_SHAPE) return clean;
    if (clean.includes('PRIVATE KEY')) clean = withoutPrivateKeys(clean);
    if (clean.includes('LS0tLS1CRUdJTi'))
      clean = clean.replace(BASE64_PEM, (run) => (decode(run).includes('PRIVATE KEY') ? REDACTED : run));
    if (clean.includes('eyJ')) clean = clean.replace(DOTTED, withoutJwts);
    clean = clean.replace(AUTHORIZATION, (_all, head: string, credential: string) => head + shown(credential));
    clean = clean.replace(CERTIFICATE_KEY, (_all, head: string) => head + REDACTED);
    if (depth >= DEEPEST) return clean;
    return clean.replace(BASE64_RUN, (run) => {
      const inner = decode(run);
      return this.#redact(inner, depth + 1) === inner ? run : REDACTED;
    });
  }

  #byValue(text: string): string {
    let clean = '';
    let from = 0;
    this.#words.each(text, (at, words) => {
      for (const word of words.toReversed()) {
        const end = this.#endOf(text, at, word);
        if (end === undefined) continue;
        clean += text.slice(from, at) + REDACTED;
        from = end;
        return end;
      }
      return at + 1;
    });
    return from === 0 ? text : clean + text.slice(from);
  }

  /** Where the secret that begins with a word at a place ends; undefined where none does. */
  #endOf(text: string, at: number, word: string): number | undefined {
    const end = at + word.length;
    const alike = this.#long.get(word);
    if (alike !== undefined) {
      const place = placeIn(alike, text.slice(at));
      return Math.max(...[alike[place - 1], alike[place]].map((form) => this.#endOfForm(text, at, form)));
    }
    if (this.#whole.has(word)) return end;
    if (!this.#alone.has(word) || this.#names.has(word)) return undefined;
    return ALPHANUMERIC.test(text.charAt(at - 1)) || ALPHANUMERIC.test(text.charAt(end)) ? undefined : end;
  }

  #endOfForm(text: string, at: number, form = ''): number {
    let length = 0;
    while (length < form.length && text.charCodeAt(at + length) === form.charCodeAt(length)) length += 1;
    return this.#endless.has(form) && length === form.length ? text.length : at + length;
  }
}

/** Where a text stands, or would, among sorted ones. */
function placeIn(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One that is cut off goes to the end of the text. */
function withoutPrivateKeys(text: string): string {
  let clean = '';
  for (let from = 0; ; from = KEY_ENDS.lastIndex) {
    KEY_BEGINS.lastIndex = from;
    const begins = KEY_BEGINS.exec(text);
    if (begins === null) return clean + text.slice(from);
    clean += text.slice(from, begins.index) + REDACTED;
    KEY_ENDS.lastIndex = KEY_BEGINS.lastIndex;
    if (KEY_ENDS.exec(text) === null) return clean;
  }
}

/**
 * A signed JWT is three parts, the first of which begins as JSON in base64 does. Detached signatures have an empty
 * middle, and are public.
 */
function withoutJwts(run: string): string {
  const parts = run.split('.');
  const kept: string[] = [];
  for (let at = 0; at < parts.length; at += 1) {
    const first = parts[at] ?? '';
    const begins = first.indexOf('eyJ');
    const followed = (parts[at + 1] ?? '').length >= 8 && (parts[at + 2] ?? '').length >= 8;
    if (begins !== -1 && first.length - begins >= 11 && followed) {
      kept.push(first.slice(0, begins) + REDACTED);
      at += 2;
    } else kept.push(first);
  }
  return kept.join('.');
}

const decode = (run: string): string => Buffer.from(run, 'base64').toString('utf8');

/** A header of one of these alone carries no credential. Source: IANA, HTTP Authentication Schemes; 003, the keyword. */
const SCHEMES: readonly string[] = ['basic', 'bearer', 'digest', 'jwt', 'negotiate', 'token'];

/** What of an Authorization header is a credential: what follows its scheme; undefined where nothing does. */
export function credentialIn(authorization: string): string | undefined {
  const value = authorization.trim();
  const behind = value.replace(/^\S+\s+/, '');
  return SCHEMES.includes(behind.toLowerCase()) ? undefined : behind;
}

/** "id.[redacted]" for a bootstrap token, else nothing of it. */
const shown = (credential: string): string => {
  const id = /^([a-z0-9]{6})\.[^.]*$/.exec(credential)?.[1];
  return id === undefined ? REDACTED : `${id}.${REDACTED}`;
};

/** The part of a value that is secret; undefined where none is (too short, a bare token id, already redacted). */
function secretPart(value: string): string | undefined {
  const trimmed = value.trim();
  const half = TOKEN.exec(trimmed)?.[2];
  const text = half !== undefined && !half.includes('.') ? half : trimmed;
  if (text.length < SHORTEST || text.includes(REDACTED)) return undefined;
  return /^[a-z0-9]{6}$/.test(text) ? undefined : text;
}

/** Every way a value may be written in a body, a URL, a manifest or a log line. */
function formsOf(given: string): Set<string> {
  // What UTF-8 cannot hold cannot be sent either.
  const value = Buffer.from(given, 'utf8').toString('utf8');
  const forms = new Set<string>([value]);
  const json = JSON.stringify(value).slice(1, -1);
  // Go escapes these three in JSON as well; annotations hold JSON within JSON.
  const goJson = json.replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
  for (const once of [json, goJson, json.replaceAll('/', '\\/')])
    forms.add(once).add(JSON.stringify(once).slice(1, -1));
  const url = encodeURIComponent(value);
  const strictUrl = url.replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
  const formUrl = new URLSearchParams({ x: value }).toString().slice(2);
  for (const escaped of [url, formUrl, strictUrl, url.replaceAll('%20', '+'), strictUrl.replaceAll('%20', '+')]) {
    forms.add(escaped).add(escaped.replace(/%[0-9A-F]{2}/g, (part) => part.toLowerCase()));
  }
  const bytes = Buffer.from(value, 'utf8');
  forms.add(bytes.toString('hex')).add(bytes.toString('hex').toUpperCase());
  for (const offset of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
    // Only the characters that no neighbouring byte touches.
    const inner = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    forms.add(inner).add(inner.replaceAll('+', '-').replaceAll('/', '_'));
  }
  for (const form of forms) if (form.length < SHORTEST) forms.delete(form);
  return forms;
}
