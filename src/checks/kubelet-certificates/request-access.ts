/** What requesters may see of certificate requests, and what the API offers and keeps of them. */

import { isRecord, record, text, texts } from '../../kubernetes/json.js';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import { type Heard, isBesides, messageOf } from '../common/answers.js';
import { isConforming } from '../schema.js';

/** The first event of a watch of one request. Plain JSON. */
export interface Watched {
  /** "watch the certificate request jp-0123, as the token that made it" */
  readonly subject: string;
  readonly status: number;
  readonly message: string;
  /** "ADDED jp-0123"; '' where the watch ended without an event. */
  readonly event: string;
  /** It came only as the watch ended, though other answers come at once: somebody holds it back. */
  readonly late: boolean;
}

/** What a watch answers: one event, of which type and name count. */
export function readWatched(subject: string, { status, body }: Heard, late: boolean): Watched {
  const { type, object } = record(body);
  const name = text(record(record(object).metadata).name);
  return { subject, status, message: messageOf(body), event: `${text(type)} ${name}`.trim(), late };
}

/** It tells of the request, as soon as there is something to tell. */
export const watchTells: Check<readonly Watched[], { readonly name: string }> = {
  id: 'request-access/watch',
  source: '004, the bootstrapper watches its request; apiserver, pkg/endpoints/handlers/watch.go',
  judge: (watches, { name }) =>
    watches.map(({ subject, status, message, event, late }) => {
      const told = status === 200 && event === `ADDED ${name}`;
      const seen = `${event || 'no event'}${late ? ', held back until the watch ended' : ''}`;
      return demand({
        subject,
        demanded: 'is told of it at once',
        seen: status === 200 ? seen : `${status} ${message}`.trimEnd(),
        ok: isBesides({ status, body: { message } }) ? undefined : told && !late,
      });
    }),
};

/** A request before and after somebody tried to change it. */
export interface Kept {
  /** "the certificate request for …, after an administrator tried to deny it as well" */
  readonly subject: string;
  /** What is different by now: "spec.request", "status.conditions"; null: it is gone, or cannot be read. */
  readonly changed: readonly string[] | null;
}

/** What somebody asked, and what has become of it. Times of conditions are the API server's. */
function partsOf(request: CertificateSigningRequest | undefined): ReadonlyMap<string, string> | undefined {
  if (!isConforming<CertificateSigningRequest>('certificate-signing-request/object', request)) return undefined;
  const { spec, status } = request;
  const conditions = (status?.conditions ?? []).map(({ type, status: held, reason }) => [type, held, reason ?? '']);
  return new Map([
    ...Object.entries(spec).map(([key, value]) => [`spec.${key}`, JSON.stringify(value)] as const),
    ['status.conditions', JSON.stringify(conditions)],
    ['status.certificate', status?.certificate ?? ''],
  ]);
}

/** `before`: what was sent, or what was read before. */
export function readKept(
  subject: string,
  before: CertificateSigningRequest | undefined,
  after: CertificateSigningRequest | undefined,
): Kept {
  const [was, is] = [partsOf(before), partsOf(after)];
  if (was === undefined || is === undefined) return { subject, changed: null };
  const changed = [...new Set([...was.keys(), ...is.keys()])].filter((key) => was.get(key) !== is.get(key));
  return { subject, changed: changed.sort() };
}

/** `parts`: what of a request just sent is kept; without them, that an attempt to change it has come to nothing. */
export const keptAsItWas: Check<readonly Kept[], { readonly parts?: readonly string[] }> = {
  id: 'request-access/kept-as-it-was',
  source: '004, the request is stored as it was sent; pkg/registry/certificates/certificates/strategy.go',
  judge: (all, { parts }) =>
    all.map(({ subject, changed }) => {
      const odd = changed?.filter((part) => parts?.includes(part) ?? true) ?? [];
      return (parts === undefined ? refusal : demand)({
        subject,
        demanded: parts === undefined ? 'is as it was' : `has its ${parts.join(' and ')} as sent`,
        seen: changed === null ? 'it is gone' : odd.length === 0 ? 'it is' : `other: ${odd.join(', ')}`,
        ok: changed === null ? undefined : odd.length === 0,
      });
    }),
};

/** An APIResourceList, or what came instead. */
export interface Offered {
  /** "/apis/certificates.k8s.io/v1" */
  readonly subject: string;
  readonly status: number;
  /** A Status came, which says why there is no list. */
  readonly explained: boolean;
  /** "a", and "a for get" of each of its verbs. */
  readonly names: readonly string[];
}

const nameIn = (item: unknown): string[] => {
  const { name, verbs } = record(item);
  return typeof name === 'string' ? [name, ...texts(verbs).map((verb) => `${name} for ${verb}`)] : [];
};

export function readOffered(
  subject: string,
  { status, body }: { readonly status: number; readonly body: unknown },
): Offered {
  const listed =
    typeof body === 'object' && body !== null && 'resources' in body && Array.isArray(body.resources)
      ? body.resources
      : [];
  return { subject, status, explained: isRecord(body) && status !== 200, names: listed.flatMap(nameIn) };
}

/**
 * Only a list, or its absence, says what is served: whoever may not look has seen nothing. Of a group that is not
 * served the API server says 404 without a Status. Source: Go net/http NotFound.
 */
export const apiOffers: Check<Offered, { readonly resources: readonly string[] }> = {
  id: 'request-access/offered',
  source: '004, certificates.k8s.io/v1; pkg/registry/certificates/rest/storage_certificates.go',
  judge: ({ subject, status, explained, names }, { resources }) =>
    resources.map((wanted) =>
      demand({
        subject,
        demanded: `lists ${wanted}`,
        seen: status === 200 ? names.join(', ') || 'nothing' : String(status),
        ok: status === 200 ? names.includes(wanted) : status === 404 && !explained ? false : undefined,
      }),
    ),
};
