/**
 * Credentials that lie open in files of a node, for its redactor: what stands beside "token" and "password" in
 * kubeconfigs, configurations and flags. Whoever owns the disk chose it, and must not choose what reports leave out: it
 * counts where it looks made by chance, which no name, path or word of a report does.
 */

import type { Redactor } from '../redaction.js';
import type { NodeFiles } from '../types.js';

const BESIDE = /(?:^|[\s{,"'_-])(?:token|password|passwd)["']?[ \t]{0,8}[:=][ \t]{0,8}["']?([^\s"'#,}]{10,4096})/gim;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Without a sign that parts words, with one that no report writes, or longer than any name of ours. */
const BY_CHANCE = [/^[A-Za-z\d+=_]+$/, UUID, /[!@$%^&*?~]/, /^[\w+=.-]{32,}$/];
/** Source: 001, token format. */
const BOOTSTRAP_TOKEN = /^[a-z\d]{6}\.([a-z\d]{16})$/;

const isByChance = (value: string): boolean =>
  /\d/.test(value) && /[A-Za-z]/.test(value) && !value.startsWith('/') && BY_CHANCE.some((shape) => shape.test(value));

export interface OpenCredentials {
  /** Whole values. */
  readonly values: readonly string[];
  /** Halves of bootstrap tokens that log in. */
  readonly halves: readonly string[];
}

/** Of the text of one file. Its time grows with the text. */
export function credentialsIn(text: string): OpenCredentials {
  const found = [...new Set([...text.matchAll(BESIDE)].flatMap(([, value]) => value ?? []))];
  const halves = found.flatMap((value) => BOOTSTRAP_TOKEN.exec(value)?.[1] ?? []);
  return { values: found.filter((value) => !BOOTSTRAP_TOKEN.test(value) && isByChance(value)), halves };
}

/** What is read there is learned from before anybody judges it. */
export const learning = (files: NodeFiles, redactor: Redactor): NodeFiles => ({
  ...(files.apart === undefined ? {} : { apart: files.apart }),
  now: () => files.now(),
  read: async (paths) => {
    const entries = await files.read(paths);
    for (const { text = '' } of entries) {
      const { values, halves } = credentialsIn(text);
      for (const value of values) redactor.add(value);
      for (const half of halves) redactor.addForeign(half);
    }
    return entries;
  },
});
