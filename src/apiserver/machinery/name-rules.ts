/**
 * What names, keys and values may look like, and the sentences that refuse them. A rule returns every sentence that
 * applies, none when the text is fine. Source: apimachinery, pkg/util/validation/validation.go,
 * pkg/api/validate/content/{dns,kube,path,identifier}.go, pkg/api/validation/generic.go.
 */

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${QUALIFIED})?`;
const CONFIG_KEY = '[-._a-zA-Z0-9]+';

const whole = (pattern: string): RegExp => new RegExp(`^(?:${pattern})$`);
const labelPattern = whole(LABEL);
const subdomainPattern = whole(SUBDOMAIN);
const label1035Pattern = whole(LABEL_1035);
const qualifiedPattern = whole(QUALIFIED);
const labelValuePattern = whole(LABEL_VALUE);
const configKeyPattern = whole(CONFIG_KEY);

const mustMatch = (sentence: string, pattern: string, ...examples: readonly string[]): string =>
  `${sentence} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for ` +
  `validation is '${pattern}')`;
/** Go's len: bytes of UTF-8. */
export const byteLength = (text: string): number => Buffer.byteLength(text);
/** The older package counts characters in words, the newer one bytes; both measure bytes. */
const atMostCharacters = (most: number): string => `must be no more than ${most} characters`;
const atMostBytes = (most: number): string => `must be no more than ${most} bytes`;

const ALNUM_ENDS = 'and must start and end with an alphanumeric character';

export type NameRule = (text: string) => readonly string[];

function subdomain(text: string, atMost: (most: number) => string): readonly string[] {
  const errors: string[] = [];
  if (byteLength(text) > 253) errors.push(atMost(253));
  if (!subdomainPattern.test(text))
    errors.push(
      mustMatch(
        `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', ${ALNUM_ENDS}`,
        SUBDOMAIN,
        'example.com',
      ),
    );
  return errors;
}

export const dnsSubdomain: NameRule = (text) => subdomain(text, atMostCharacters);

export const dnsLabel: NameRule = (text) => {
  const errors: string[] = [];
  if (byteLength(text) > 63) errors.push(atMostCharacters(63));
  if (!labelPattern.test(text)) {
    if (subdomainPattern.test(text)) errors.push('must not contain dots');
    else
      errors.push(
        mustMatch(
          `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', ${ALNUM_ENDS}`,
          LABEL,
          'my-name',
          '123-abc',
        ),
      );
  }
  return errors;
};

export const dns1035Label: NameRule = (text) => {
  const errors: string[] = [];
  if (byteLength(text) > 63) errors.push(atMostCharacters(63));
  if (!label1035Pattern.test(text))
    errors.push(
      mustMatch(
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an " +
          'alphabetic character, and end with an alphanumeric character',
        LABEL_1035,
        'my-name',
        'abc-123',
      ),
    );
  return errors;
};

const QUALIFIED_SENTENCE = `must consist of alphanumeric characters, '-', '_' or '.', ${ALNUM_ENDS}`;
const qualifiedSentence = (): string => mustMatch(QUALIFIED_SENTENCE, QUALIFIED, 'MyName', 'my.name', '123-abc');

/** A label key: an optional DNS prefix and a name. */
export const labelKey: NameRule = (text) => {
  const parts = text.split('/');
  if (parts.length > 2)
    return [
      `a valid label key ${qualifiedSentence()} with an optional DNS subdomain prefix and '/' (e.g. ` +
        "'example.com/MyName')",
    ];
  const errors: string[] = [];
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') errors.push('prefix part must be non-empty');
    else errors.push(...subdomain(prefix, atMostBytes).map((message) => `prefix part ${message}`));
  }
  const name = parts[parts.length - 1] ?? '';
  if (name === '') errors.push('name part must be non-empty');
  else if (byteLength(name) > 63) errors.push(`name part ${atMostBytes(63)}`);
  if (!qualifiedPattern.test(name)) errors.push(`name part ${qualifiedSentence()}`);
  return errors;
};

export const labelValue: NameRule = (text) => {
  const errors: string[] = [];
  if (byteLength(text) > 63) errors.push(atMostBytes(63));
  if (!labelValuePattern.test(text))
    errors.push(
      mustMatch(
        `a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ${ALNUM_ENDS}`,
        LABEL_VALUE,
        'MyValue',
        'my_value',
        '12345',
      ),
    );
  return errors;
};

function dotPrefix(text: string): readonly string[] {
  if (text === '.') return ["must not be '.'"];
  if (text === '..') return ["must not be '..'"];
  return text.startsWith('..') ? ["must not start with '..'"] : [];
}

/** A key of a Secret or a ConfigMap. */
export const configKey: NameRule = (text) => {
  const errors: string[] = [];
  if (byteLength(text) > 253) errors.push(atMostCharacters(253));
  if (!configKeyPattern.test(text))
    errors.push(
      mustMatch(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
        CONFIG_KEY,
        'key.name',
        'KEY_NAME',
        'key-name',
      ),
    );
  return [...errors, ...dotPrefix(text)];
};

/** Names that only have to survive in a URL path: RBAC and the like. */
export const pathSegment: NameRule = (text) => {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return pathSegmentPrefix(text);
};
const pathSegmentPrefix: NameRule = (text) =>
  ['/', '%'].filter((part) => text.includes(part)).map((part) => `may not contain '${part}'`);

/**
 * A rule as ValidateName takes it: of a generateName only the part before the random end is known. Source: generic.go
 * maskTrailingDash.
 */
export const asName =
  (rule: NameRule) =>
  (name: string, prefix: boolean): readonly string[] =>
    rule(prefix && byteLength(name) > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);

/** validatePathSegment of registries: a prefix may be "." or "..". */
export const pathSegmentName = (name: string, prefix: boolean): readonly string[] =>
  prefix ? pathSegmentPrefix(name) : pathSegment(name);
