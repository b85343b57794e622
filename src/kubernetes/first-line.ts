/** The first line of what was thrown: what stands below shows the place to people, and is no part of a sentence. */
export const firstLine = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).split('\n', 1)[0] ?? '';
