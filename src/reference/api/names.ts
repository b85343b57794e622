/** Checks of names, labels and their like, with upstream's messages. Source: apimachinery, pkg/util/validation/validation.go, pkg/api/validate/content. */

const LABEL_KEY = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

const bytes = (text: string): number => Buffer.byteLength(text);
const tooLong = (limit: number): string => `must be no more than ${limit} characters`;
const EMPTY = 'must be non-empty';
const KEY_MESSAGE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

export function subdomainFaults(text: string): string[] {
  return [
    ...(bytes(text) > 253 ? [tooLong(253)] : []),
    ...(DNS_SUBDOMAIN.test(text)
      ? []
      : [
          "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
        ]),
  ];
}

export function dnsLabelFaults(text: string): string[] {
  return [
    ...(bytes(text) > 63 ? [tooLong(63)] : []),
    ...(DNS_LABEL.test(text)
      ? []
      : [
          "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        ]),
  ];
}

/** A label key, also called a qualified name: an optional DNS prefix and a name. */
export function labelKeyFaults(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) return [`a valid label key ${KEY_MESSAGE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  const name = parts.at(-1) ?? '';
  const faults: string[] = [];
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') faults.push(`prefix part ${EMPTY}`);
    else faults.push(...subdomainFaults(prefix).map((fault) => `prefix part ${fault}`));
  }
  if (name === '') faults.push(`name part ${EMPTY}`);
  else if (bytes(name) > 63) faults.push(`name part ${tooLong(63)}`);
  if (!LABEL_KEY.test(name)) faults.push(`name part ${KEY_MESSAGE}`);
  return faults;
}

export function labelValueFaults(text: string): string[] {
  return [
    ...(bytes(text) > 63 ? [tooLong(63)] : []),
    ...(LABEL_VALUE.test(text)
      ? []
      : [
          "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
        ]),
  ];
}

/** What may stand as one segment of a URL path; a prefix may be "." or "..". Source: content/path.go. */
export function pathSegmentFaults(text: string, prefix = false): string[] {
  if (!prefix && (text === '.' || text === '..')) return [`may not be '${text}'`];
  const found = ['/', '%'].filter((character) => text.includes(character));
  return found.map((character) => `may not contain '${character}'`);
}

/** The default check of metadata.name; a prefix that ends with a dash is judged as if more followed. Source: pkg/api/validation/generic.go NameIsDNSSubdomain. */
export const subdomainName = (name: string, prefix: boolean): string[] => subdomainFaults(prefix ? maskTrailingDash(name) : name);

/** Source: pkg/api/validation/generic.go maskTrailingDash. */
export const maskTrailingDash = (name: string): string => (name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name);
