/** The observations of a run, each once: many scenarios judge the same lists. */

export class Observations {
  readonly #keys = new Map<unknown, string>();
  readonly #byText = new Map<string, string>();
  readonly #values: Record<string, unknown> = {};

  /**
   * The key of an observation; null for one that says nothing. What is the same object, or looks the same, has one key.
   */
  keyOf(observation: unknown): string | null {
    if (observation === undefined) return null;
    const known = this.#keys.get(observation);
    if (known !== undefined) return known;
    const text = JSON.stringify(observation);
    const key = this.#byText.get(text) ?? `o${this.#byText.size + 1}`;
    this.#byText.set(text, key);
    if (typeof observation === 'object' && observation !== null) this.#keys.set(observation, key);
    this.#values[key] = observation;
    return key;
  }

  /** All of them, by key. */
  get all(): Readonly<Record<string, unknown>> {
    return this.#values;
  }
}
