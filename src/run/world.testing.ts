/** A target that answers as it is told, and worlds on it. */
import type { Check } from '../model/check.js';
import { demand, type Evidence } from '../model/finding.js';
import type { Answer, Exchange, Identity, Question, Target } from '../targets/types.js';
import { endedBy, isPassing } from './outcome.js';
import { OwnObjects } from './own-objects.js';
import { packageProfile } from './profiles.js';
import { setWorldParameters, World } from './world.js';

export const NOW = Date.parse('2026-11-25T12:00:00Z');

export const answered = (status: number, body: unknown): Answer => ({
  status,
  body: typeof body === 'string' ? undefined : body,
  text: typeof body === 'string' ? body : JSON.stringify(body),
  headers: {},
});

/** A target that answers as it is told, and whose clock is moved by waiting. */
export class Told {
  time = NOW;
  readonly secrets: string[] = [];
  answer = answered(200, { kind: 'APIVersions' });
  #listener: (exchange: Exchange) => void = () => {};

  target(more: object = {}, facts: object = {}): Target {
    const target: Target = {
      kind: 'cluster',
      name: 'told',
      run: 'abcdefghij',
      facts: {
        server: 'https://192.0.2.10:6443',
        version: { gitVersion: 'v1.36.0', minor: 36, patch: 0 },
        holds: new Set(['kubeadm']),
        now: () => this.time,
        ...facts,
      },
      abilities: {
        clock: {
          now: () => this.time,
          move: async (milliseconds: number) => {
            this.time += milliseconds;
          },
        },
        requests: {
          secret: (value: string) => void this.secrets.push(value),
          as: (identity: Identity) => ({
            identity,
            ask: async ({ method = 'GET', path }: Question) => {
              this.#listener({ as: identity.kind, method, path, status: this.answer.status } as Exchange);
              return this.answer;
            },
          }),
        },
      } as unknown as Target['abilities'],
      why: (need) => `it has no ${need}`,
      observed: (listener) => {
        this.#listener = listener;
        return target;
      },
      close: async () => {},
      ...more,
    };
    return target;
  }
}

export function run(
  target: Target,
  random = (bytes: number) => new Uint8Array(bytes).fill(1),
  more: { readonly evidence?: Evidence } = {},
): void {
  setWorldParameters({
    ...more,
    target,
    profile: packageProfile('plain'),
    random,
    signal: new AbortController().signal,
    ownObjects: new OwnObjects(),
    sentences: new Set(['it is so']),
  });
}
export const world = (parameters: object = {}): World => new World({ parameters });
/** How a scenario ends by that: "skipped, ability: it has no tls", "again" before it where it is played again. */
export async function endOf(what: () => unknown): Promise<string> {
  try {
    await what();
  } catch (thrown) {
    const { kind, reason } = endedBy(thrown);
    return `${isPassing(thrown) ? 'again: ' : ''}${kind}, ${reason.kind}: ${reason.text}`;
  }
  return 'it goes on';
}

export const look = (ok: boolean | undefined) => ({ subject: 'it', demanded: 'is so', seen: 'so', ok });
export const isSo: Check<readonly (boolean | undefined)[]> = {
  id: 'it/is-so',
  source: 'none',
  nothing: 'there is nothing',
  judge: (all) => all.map((ok) => demand(look(ok))),
};
