/** Texts of which a memory of texts keeps what was made; those of a run come again soon or never. */
const MOST = 256;
/** Characters of such a text; of longer ones nobody reads the same twice. */
const LONGEST = 16_384;

/** What is made of a text once, for the last texts; what throws is made again. The value is shared by all who ask. */
export function rememberedText<V>(make: (text: string) => V): (text: string) => V {
  const known = new Map<string, V>();
  return (text) => {
    if (text.length > LONGEST) return make(text);
    const value = known.has(text) ? (known.get(text) as V) : make(text);
    known.delete(text);
    known.set(text, value);
    if (known.size > MOST) known.delete(known.keys().next().value as string);
    return value;
  };
}

/** What is made of an object once, for as long as the object lives. */
export function remembered<K extends object, V extends object>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const made = make(key);
    known.set(key, made);
    return made;
  };
}
