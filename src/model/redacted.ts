/** Every text of a value redacted: the model, never its serialised form, so that no structure can be redacted away. */
export function redacted<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((item) => redacted(item, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [redact(key), redacted(inner, redact)]);
  return Object.fromEntries(entries) as T;
}
