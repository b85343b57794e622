/** A cluster as a kubelet sees it, over the wire. */
import { type Access, type Calls, parsed } from './calls.js';
import type { Answer, Asker, Clock, Cluster, Identity, Question } from './ports.js';

/** What a question's query comes to. */
function queryOf({ query = {} }: Question): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** No answer at all reads as one with status 0 and the reason as its text. */
export const NO_ANSWER = 0;

/** Asks at `access`, believing whom it believes, as whoever is named. */
export const clusterOver = (calls: Calls, clock: Clock, access: Access): Cluster => ({
  server: access.server,
  clock,
  as: (identity: Identity): Asker => ({
    async ask(question: Question): Promise<Answer> {
      const { server, trust } = access;
      const result = await calls.make(
        {
          server,
          trust,
          ...(identity.kind === 'token'
            ? { token: identity.token }
            : { certificate: { certificate: identity.certificate, key: identity.key } }),
        },
        {
          method: question.method ?? 'GET',
          path: `${question.path}${queryOf(question)}`,
          ...(question.body === undefined ? {} : { body: JSON.stringify(question.body) }),
          ...(question.contentType === undefined ? {} : { contentType: question.contentType }),
        },
      );
      if (result.kind === 'failure') return { status: NO_ANSWER, headers: {}, text: result.why, body: undefined };
      const text = result.body.toString('utf8');
      return { status: result.status, headers: result.headers, text, body: parsed(result.body) };
    },
  }),
});
