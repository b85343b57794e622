/** What requesters may see of certificate requests, and what the API offers and keeps of them. */
import type { Check } from '../model/check.js';
import { demand } from '../model/finding.js';
import { type Answered, messageOf, saysNothing, shownAnswer } from './answers.js';

/** A watch from here is answered with 500 by a server that has authorized it, and names it. */
export const IMPOSSIBLE_VERSION = 'joinproof';

/** A watch was authorized, whatever came of it: neither 401 nor 403. */
export const watchAllowed: Check<readonly Answered[]> = {
  id: 'request-access/watch',
  source: '004, the bootstrapper watches its request; apiserver, pkg/endpoints/filters/authorization.go',
  judge: (answers) =>
    answers.map(({ subject, answer }) => {
      const { status, body } = answer;
      const told = status === 500 && messageOf(body).includes(IMPOSSIBLE_VERSION);
      const ok = saysNothing(status) && !told ? undefined : status !== 401 && status !== 403;
      return demand({ subject, demanded: 'is allowed', seen: shownAnswer(answer), ok });
    }),
};

/** What was sent, and what is kept of it; base64 both. */
export interface Kept {
  readonly subject: string;
  readonly sent: string;
  readonly kept: string;
}

export const keptAsSent: Check<Kept> = {
  id: 'request-access/kept-as-sent',
  source: '004, the request is immutable; pkg/apis/certificates/validation/validation.go (updates)',
  judge: ({ subject, sent, kept }) => [
    demand({
      subject,
      demanded: 'spec.request is what was sent',
      seen: sent === kept ? 'it is' : 'other bytes',
      ok: sent === kept,
    }),
  ],
};

/** An APIResourceList, or what came instead. */
export interface Offered {
  /** "/apis/certificates.k8s.io/v1" */
  readonly subject: string;
  readonly status: number;
  readonly names: readonly string[];
}

const nameIn = (item: unknown): string[] =>
  typeof item === 'object' && item !== null && 'name' in item && typeof item.name === 'string' ? [item.name] : [];

export function readOffered(
  subject: string,
  { status, body }: { readonly status: number; readonly body: unknown },
): Offered {
  const listed =
    typeof body === 'object' && body !== null && 'resources' in body && Array.isArray(body.resources)
      ? body.resources
      : [];
  return { subject, status, names: listed.flatMap(nameIn) };
}

/** Only a list, or its absence (404), says what is served: whoever may not look has seen nothing. */
export const apiOffers: Check<Offered, { readonly resources: readonly string[] }> = {
  id: 'request-access/offered',
  source: '004, certificates.k8s.io/v1; pkg/registry/certificates/rest/storage_certificates.go',
  judge: ({ subject, status, names }, { resources }) =>
    resources.map((wanted) =>
      demand({
        subject,
        demanded: `lists ${wanted}`,
        seen: status === 200 ? names.join(', ') || 'nothing' : String(status),
        ok: status === 200 || status === 404 ? status === 200 && names.includes(wanted) : undefined,
      }),
    ),
};
