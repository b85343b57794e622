/** Texts of which a memory of texts keeps what was made; those of a run come again soon or never. */
const MOST = 256;
/** Characters of such a text; of longer ones nobody reads the same twice. */
const LONGEST = 16_384;

/** What was set or asked for last by so many keys; what was not is forgotten first. */
export interface Memory<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  clear(): void;
}

/** @param most keys that are remembered at once */
export function createMemory<K, V extends NonNullable<unknown>>(most: number): Memory<K, V> {
  const known = new Map<K, V>();
  const set = (key: K, value: V): void => {
    known.delete(key);
    known.set(key, value);
    if (known.size > most) known.delete(known.keys().next().value as K);
  };
  return {
    get(key) {
      const value = known.get(key);
      if (value !== undefined) set(key, value);
      return value;
    },
    set,
    clear: () => known.clear(),
  };
}

/** What is made of a text once, for the last texts; what throws is made again. The value is shared by all who ask. */
export function rememberedText<V>(make: (text: string) => V): (text: string) => V {
  const known = createMemory<string, { readonly made: V }>(MOST);
  return (text) => {
    if (text.length > LONGEST) return make(text);
    const before = known.get(text);
    if (before !== undefined) return before.made;
    const made = make(text);
    known.set(text, { made });
    return made;
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
