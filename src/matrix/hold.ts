/** Holds a target back at its abilities: somebody may do nothing, nothing is there, nothing may be written. */
import { X509Certificate } from 'node:crypto';
import type { KubeObject } from '../kubernetes/objects.js';
import { pathOf, type Resource, resources } from '../kubernetes/resources.js';
import { UnexpectedAnswer } from '../targets/errors.js';
import type { Abilities, Answer, Asker, Exchange, Identity, Question, Target } from '../targets/types.js';

/** Who the exchanges are of that never left: by them it is seen where a hold has changed what a scenario saw. */
export const HELD_BACK = 'held back';

export interface Hold {
  /** Every request of users of such a name is forbidden (403), and every review of what they may says no. */
  readonly forbidden?: RegExp;
  /** Whatever is asked for is not there. */
  readonly empty?: true;
  /** Nobody may write anything; reviews are answered. */
  readonly readOnly?: true;
}

const REVIEW = /reviews$/;
const WHO_AM_I = /\/selfsubjectreviews$/;
const SUBJECT_REVIEW = /\/subjectaccessreviews$/;

/** The user that an identity logs in as: of a token by its id, of a certificate by its common name. */
function userOf(identity: Identity): string {
  switch (identity.kind) {
    case 'admin':
      return 'kubernetes-admin';
    case 'anonymous':
      return 'system:anonymous';
    case 'token':
      return `system:bootstrap:${identity.token.slice(0, 6)}`;
    case 'certificate':
      return /^CN=(.+)$/m.exec(new X509Certificate(identity.certificate).subject)?.[1] ?? 'system:nobody';
    case 'header':
      return /^bearer\s+([a-z0-9]{6})\./i.exec(identity.authorization[0] ?? '')?.[1] === undefined
        ? 'system:anonymous'
        : `system:bootstrap:${/^bearer\s+([a-z0-9]{6})/i.exec(identity.authorization[0] ?? '')?.[1]}`;
  }
}

const answer = (status: number, body: object): Answer => ({ status, headers: {}, text: JSON.stringify(body), body });
const status = (code: number, reason: string, message: string): Answer =>
  answer(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });
const forbidden = (user: string, path: string): Answer =>
  status(403, 'Forbidden', `forbidden: User "${user}" cannot ask for "${path}": no access policy allows it`);

/** "PodList" of "pods". */
const listOf = (plural: string | undefined): string =>
  `${Object.values(resources).find(({ resource }) => resource === plural)?.kind ?? ''}List`;

/** A read of what is not there: an empty list, or 404. */
function nothingAt(path: string): Answer | undefined {
  const parts = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)(?:\/namespaces\/[^/]+(?=\/))?\/([^/]+)(\/[^/]+)?/.exec(path);
  if (parts === null) return undefined;
  return parts[2] === undefined
    ? answer(200, { kind: listOf(parts[1]), apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] })
    : status(404, 'NotFound', `${parts[1]} "${parts[2].slice(1)}" not found`);
}

type Tell = (method: string, path: string, code: number) => void;
const silent: Tell = () => {};

/** The same target under a hold; its variants are held back alike. */
export function held(target: Target, hold: Hold, tell: Tell = silent): Target {
  const { kind, name, run, facts } = target;
  return {
    kind,
    name,
    ...(run === undefined ? {} : { run }),
    facts,
    abilities: abilitiesUnder(target.abilities, hold, tell),
    why: (need) => target.why(need),
    observed: (listener) => held(target.observed?.(listener) ?? target, hold, telling(listener)),
    close: () => target.close(),
  };
}

const telling =
  (listener: (exchange: Exchange) => void): Tell =>
  (method, path, code) =>
    listener({ at: new Date().toISOString(), as: HELD_BACK, method, path, status: code, milliseconds: 0 });

function abilitiesUnder(abilities: Partial<Abilities>, hold: Hold, tell: Tell): Partial<Abilities> {
  const { objects, requests, writes, reviews, variants } = abilities;
  const denies = (body: unknown): boolean => {
    const spec = (body as { readonly spec?: { readonly user?: unknown } } | undefined)?.spec;
    return typeof spec?.user === 'string' && hold.forbidden?.test(spec.user) === true;
  };
  const denied = (body: unknown): Answer => {
    tell('POST', pathOf(resources.subjectAccessReviews), 201);
    return answer(201, { ...(body as object), status: { allowed: false } });
  };
  const forbid = (user: string, { method = 'GET', path }: Question): Answer => {
    // who one is may be asked in other ways, so that this alone shows nothing
    if (!WHO_AM_I.test(path)) tell(method, path, 403);
    return forbidden(user, path);
  };
  const nothing = (path: string): Answer | undefined => {
    const found = nothingAt(path);
    if (found !== undefined) tell('GET', path, found.status);
    return found;
  };
  const under = (asker: Asker): Asker => ({
    identity: asker.identity,
    ask: async (question: Question): Promise<Answer> => {
      const { method = 'GET', path, body } = question;
      const user = userOf(asker.identity);
      if (hold.forbidden?.test(user) === true) {
        // who does not log in is not forbidden, but refused
        const real = await asker.ask({ path: '/version' });
        return real.status === 401 ? real : forbid(user, question);
      }
      if (SUBJECT_REVIEW.test(path) && denies(body)) return denied(body);
      if (hold.empty === true && method === 'GET') return nothing(path) ?? asker.ask(question);
      if (hold.readOnly === true && method !== 'GET' && !REVIEW.test(path)) return forbid(user, question);
      return asker.ask(question);
    },
  });
  const refused = (method: string, resource: Resource, namespace?: string): never => {
    const path = pathOf(resource, { namespace });
    tell(method, path, 403);
    throw new UnexpectedAnswer(method, path, 403, 'Forbidden', 'nobody may write');
  };
  return {
    ...abilities,
    ...(objects !== undefined && hold.empty === true
      ? {
          objects: {
            get: async (resource: Resource) => {
              tell('GET', pathOf(resource), 404);
              return undefined;
            },
            list: async (resource: Resource) => {
              tell('GET', pathOf(resource), 200);
              return [];
            },
          },
        }
      : {}),
    ...(requests === undefined
      ? {}
      : { requests: { ...requests, as: (identity: Identity) => under(requests.as(identity)) } }),
    ...(writes !== undefined && hold.readOnly === true
      ? {
          writes: {
            create: async (resource: Resource, object: KubeObject) =>
              refused('POST', resource, object.metadata.namespace),
            patch: async (resource: Resource, _name: string, namespace: string | undefined) =>
              refused('PATCH', resource, namespace),
            delete: async (resource: Resource, _name: string, namespace?: string) =>
              refused('DELETE', resource, namespace),
          },
        }
      : {}),
    ...(reviews === undefined
      ? {}
      : { reviews: { review: async (body: KubeObject) => (denies(body) ? denied(body) : reviews.review(body)) } }),
    ...(variants === undefined
      ? {}
      : { variants: { ...variants, open: async (flags: never) => held(await variants.open(flags), hold) } }),
  };
}
