/** Evidence: every exchange with a target, kept raw but bounded and shown only redacted, with what is known as secret at the time of reading. */
import { type Fields, isRecord } from '../kubernetes/json.js';
import {
  TOKEN_KEYS,
  TOKEN_SECRET_TYPE,
  USAGE_AUTHENTICATION,
  USAGE_PREFIX,
  USAGE_SIGNING,
} from '../kubernetes/names.js';
import { REDACTED, type Redactor } from './redaction.js';
import type { Exchange } from './types.js';

/** Characters of a body that are shown, and how many more are kept so that a secret at the edge is still seen whole. */
const SHOWN = 16_384;
const OVERLAP = 8_192;
/** Bodies of this many newest exchanges are kept; older ones keep their line. */
const BODIES = 2_000;

type Raw = { -readonly [Key in keyof Exchange]: Exchange[Key] };

export class Exchanges {
  readonly #raw: Raw[] = [];
  readonly #views: Exchange[] = [];
  readonly #redactor: Redactor;

  constructor(redactor: Redactor) {
    this.#redactor = redactor;
  }

  /** Keeps it; returns its redacted view. */
  add(exchange: Exchange): Exchange {
    const raw: Raw = { ...exchange };
    for (const side of ['requestBody', 'responseBody'] as const) {
      const text = raw[side];
      if (text === undefined) continue;
      const bounded = withoutSecretData(text);
      raw[side] = bounded.length > SHOWN + OVERLAP ? bounded.slice(0, SHOWN + OVERLAP) : bounded;
    }
    const old = this.#raw[this.#raw.length - BODIES];
    if (old !== undefined) {
      delete old.requestBody;
      delete old.responseBody;
    }
    this.#raw.push(raw);
    const shown = view(raw, this.#redactor);
    this.#views.push(shown);
    return shown;
  }

  /** Those after the first `since`, oldest first. Cheap: texts are redacted when they are read. */
  list(since = 0): readonly Exchange[] {
    return this.#views.slice(since);
  }
}

/** Own enumerable getters, so that spreading and JSON.stringify see redacted texts. */
function view(raw: Raw, redactor: Redactor): Exchange {
  const shown = (text: string | undefined): string | undefined => {
    if (text === undefined) return undefined;
    const clean = redactor.redact(text);
    return clean.length > SHOWN ? `${clean.slice(0, SHOWN)}… (cut)` : clean;
  };
  return Object.defineProperties(
    { ...raw },
    {
      as: { enumerable: true, get: () => redactor.redact(raw.as) },
      path: { enumerable: true, get: () => redactor.redact(raw.path) },
      requestBody: { enumerable: true, get: () => shown(raw.requestBody) },
      responseBody: { enumerable: true, get: () => shown(raw.responseBody) },
      error: { enumerable: true, get: () => shown(raw.error) },
    },
  );
}

const PUBLIC_KEYS: ReadonlySet<string> = new Set([
  TOKEN_KEYS.id,
  TOKEN_KEYS.expiration,
  TOKEN_KEYS.description,
  TOKEN_KEYS.groups,
  USAGE_AUTHENTICATION,
  USAGE_SIGNING,
]);

/** Bodies with Secrets lose the values that nobody needs as evidence: a list of kube-system shows other people's passwords. */
function withoutSecretData(text: string): string {
  if (!/"Secret(List)?"/.test(text)) return text;
  try {
    const body: unknown = JSON.parse(text);
    if (!isRecord(body)) return text;
    if (body.kind === 'Secret') return JSON.stringify(withoutData(body));
    if (body.kind !== 'SecretList' || !Array.isArray(body.items)) return text;
    return JSON.stringify({
      ...body,
      items: body.items.map((item: unknown) => (isRecord(item) ? withoutData(item) : item)),
    });
  } catch {
    return text;
  }
}

function withoutData(secret: Fields): Fields {
  const clean: Record<string, unknown> = { ...secret };
  const isToken = secret.type === TOKEN_SECRET_TYPE;
  for (const field of ['data', 'stringData']) {
    const data = secret[field];
    if (!isRecord(data)) continue;
    clean[field] = Object.fromEntries(
      Object.entries(data).map(([key, value]) => [
        key,
        isToken && (PUBLIC_KEYS.has(key) || key.startsWith(USAGE_PREFIX)) ? value : REDACTED,
      ]),
    );
  }
  const metadata = secret.metadata;
  if (!isToken && isRecord(metadata) && isRecord(metadata.annotations)) {
    const annotations = Object.fromEntries(
      Object.entries(metadata.annotations).map(([key, value]) => [
        key,
        key === 'kubectl.kubernetes.io/last-applied-configuration' ? REDACTED : value,
      ]),
    );
    clean.metadata = { ...metadata, annotations };
  }
  return clean;
}

/** Registers what an answer shows of secrets: the secret half of every token Secret, whatever namespace it is in. */
export function registerSecrets(body: unknown, add: (value: string) => void): void {
  if (!isRecord(body)) return;
  const items = Array.isArray(body.items) ? body.items : [body];
  for (const item of items as readonly unknown[]) {
    if (!isRecord(item)) continue;
    const inTable = item.object;
    const secret = isRecord(inTable) ? inTable : item;
    if (secret.type !== TOKEN_SECRET_TYPE) continue;
    const data = secret.data;
    const plain = secret.stringData;
    if (isRecord(data) && typeof data[TOKEN_KEYS.secret] === 'string')
      add(Buffer.from(data[TOKEN_KEYS.secret] as string, 'base64').toString('utf8'));
    if (isRecord(plain) && typeof plain[TOKEN_KEYS.secret] === 'string') add(plain[TOKEN_KEYS.secret] as string);
  }
}
