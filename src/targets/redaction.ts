/**
 * The one sink that keeps secrets out of everything joinproof writes: by value, in every form a value takes on its way
 * (plain, base64 at any alignment, URL, JSON, hex), and by shape where a value cannot be known beforehand (private keys, JWTs,
 * Authorization headers, certificate keys). Token ids are public and stay (TOK-006 of the catalogue).
 */

export const REDACTED = '[redacted]';
/** Shorter values are not replaced: they would blacken ordinary words. Also the length of the index prefix below. */
const SHORTEST = 6;
const DEEPEST = 3;

const TOKEN = /^([A-Za-z0-9]{6})\.(.+)$/s;
const PRIVATE_KEY = /-----BEGIN ([A-Z0-9 ]*)PRIVATE KEY-----[\s\S]*?(?:-----END \1PRIVATE KEY-----|$)/g;
const BASE64_PEM = /LS0tLS1CRUdJTi[A-Za-z0-9+/=_-]*/g;
const BASE64_RUN = /[A-Za-z0-9+/_-]{20,}={0,2}/g;
const JWT = /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g;
const AUTHORIZATION = /(authorization\\?["']?\s*[:=,]\s*\\?["'[]*\s*(?:bearer|basic)\s+)([^\s"'\\,\]]+)/gi;
const CERTIFICATE_KEY = /(certificate-?key\\?["']?[\s:=]+\\?["']?)([0-9a-f]{64})\b/gi;

export class Redactor {
  readonly #values = new Set<string>();
  /** Forms by their first SHORTEST characters, longest first: one look-up a position, however many secrets there are. */
  readonly #forms = new Map<string, string[]>();

  /** Registers one secret. Of a bootstrap token only the half behind the dot is secret; a bare token id never is. */
  add(value: string): void {
    const text = secretPart(value);
    if (text === undefined || this.#values.has(text)) return;
    this.#values.add(text);
    for (const form of formsOf(text)) {
      const prefix = form.slice(0, SHORTEST);
      const known = this.#forms.get(prefix);
      if (known === undefined) this.#forms.set(prefix, [form]);
      else if (!known.includes(form)) {
        known.push(form);
        known.sort((a, b) => b.length - a.length);
      }
    }
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
    if (clean.includes('PRIVATE KEY')) clean = clean.replace(PRIVATE_KEY, REDACTED);
    if (clean.includes('LS0tLS1CRUdJTi'))
      clean = clean.replace(BASE64_PEM, (run) => (/PRIVATE KEY/.test(decode(run)) ? REDACTED : run));
    if (clean.includes('eyJ')) clean = clean.replace(JWT, REDACTED);
    clean = clean.replace(AUTHORIZATION, (_all, head: string, credential: string) => head + shown(credential));
    clean = clean.replace(CERTIFICATE_KEY, (_all, head: string) => head + REDACTED);
    if (depth >= DEEPEST) return clean;
    return clean.replace(BASE64_RUN, (run) => {
      const inner = decode(run);
      return this.#redact(inner, depth + 1) === inner ? run : REDACTED;
    });
  }

  #byValue(text: string): string {
    if (this.#forms.size === 0) return text;
    let clean = '';
    let from = 0;
    for (let at = 0; at + SHORTEST <= text.length; ) {
      const form = this.#forms.get(text.slice(at, at + SHORTEST))?.find((candidate) => text.startsWith(candidate, at));
      if (form === undefined) {
        at += 1;
        continue;
      }
      clean += text.slice(from, at) + REDACTED;
      at += form.length;
      from = at;
    }
    return from === 0 ? text : clean + text.slice(from);
  }
}

const decode = (run: string): string => Buffer.from(run, 'base64').toString('utf8');

/** "id.[redacted]" for a bootstrap token, else nothing of it. */
const shown = (credential: string): string => {
  const id = /^([a-z0-9]{6})\.[^.]*$/.exec(credential)?.[1];
  return id === undefined ? REDACTED : `${id}.${REDACTED}`;
};

/** The part of a value that is secret; undefined where none is (too short, a bare token id, already redacted). */
function secretPart(value: string): string | undefined {
  const trimmed = value.trim();
  const half = TOKEN.exec(trimmed)?.[2];
  const text = half !== undefined && half.split('.').length === 1 ? half : trimmed;
  if (text.length < SHORTEST || text.includes(REDACTED)) return undefined;
  return /^[a-z0-9]{6}$/.test(text) ? undefined : text;
}

/** Every way a value may be written in a body, a URL, a manifest or a log line. */
function formsOf(value: string): Set<string> {
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
