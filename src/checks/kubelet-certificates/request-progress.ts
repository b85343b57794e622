/** What becomes of a certificate request: it is taken, approved, signed, or left alone. */
import { record } from '../../kubernetes/json.js';
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import { type Heard, isBesides, messageOf } from '../common/answers.js';
import { conforms, isConforming } from '../schema.js';
import { type CommandLine, runsController } from '../written/control-plane-flags.js';

/** The answer to a request's creation. */
export interface Sent {
  /** "a certificate request for a node, as a joining token" */
  readonly subject: string;
  readonly status: number;
  readonly message: string;
  /** The body calls itself a request. */
  readonly taken: boolean;
  /** What then does not fit the form of one. */
  readonly malformed: readonly string[];
}

const isRequest = ({ status, body }: Heard): boolean =>
  (status === 200 || status === 201) && record(body).kind === 'CertificateSigningRequest';

/** The request in an answer; undefined where the answer is something else. */
export const requestIn = (answer: Heard): CertificateSigningRequest | undefined =>
  isRequest(answer) && isConforming<CertificateSigningRequest>('certificate-signing-request/object', answer.body)
    ? answer.body
    : undefined;

export const readSent = (subject: string, answer: Heard): Sent => ({
  subject,
  status: answer.status,
  message: messageOf(answer.body),
  taken: isRequest(answer),
  malformed: isRequest(answer) ? conforms('certificate-signing-request', answer.body) : [],
});

export const shownSent = ({ status, message }: Pick<Sent, 'status' | 'message'>): string =>
  `${status} ${message}`.trimEnd();

const TAKEN = '004, the request object of a kubelet; pkg/registry/certificates/certificates/strategy.go';

/** A sound request is taken: 201. */
export const requestTaken: Check<readonly Sent[]> = {
  id: 'request-progress/taken',
  source: TAKEN,
  judge: (answers) =>
    answers.map(({ subject, status, message, taken, malformed }) => {
      const unclear = isBesides({ status, body: { message } });
      const ok = unclear ? undefined : status === 201 && taken && malformed.length === 0;
      const seen = [shownSent({ status, message }), ...malformed].join('; ');
      return demand({ subject, demanded: 'is taken (201)', seen, ok });
    }),
};

/** A broken request is refused: 422. */
export const requestInvalid: Check<readonly Sent[]> = {
  id: 'request-progress/invalid',
  source: '004, the request is signed with its own key; pkg/apis/certificates/validation/validation.go',
  judge: (answers) =>
    answers.map(({ subject, status, message }) => {
      const unclear = status === 401 || isBesides({ status, body: { message } });
      const ok = unclear ? undefined : status === 422;
      return refusal({ subject, demanded: 'is refused as invalid (422)', seen: shownSent({ status, message }), ok });
    }),
};

/** A request as the API server holds it. */
export interface Progress {
  /** "the certificate request for a node" */
  readonly subject: string;
  /** It is there, and can be read. */
  readonly there: boolean;
  readonly username: string;
  readonly groups: readonly string[];
  /** '' where there is none. */
  readonly uid: string;
  /** Its keys. */
  readonly extra: readonly string[];
  /** RFC 3339; '' where it is not there. */
  readonly created: string;
  readonly conditions: readonly { readonly type: string; readonly reason: string; readonly message: string }[];
  readonly certificate: boolean;
  /** Seconds for which it was waited for; default 30. */
  readonly within?: number;
}

const inTime = ({ within = 30 }: Progress): string => `within ${within} s`;

const isReadable = (request: CertificateSigningRequest | undefined): boolean =>
  isConforming('certificate-signing-request/object', request);

/** Conditions whose status is not True are none. What has not the form of a request is not there. */
export const readProgress = (subject: string, object: CertificateSigningRequest | undefined): Progress => {
  const request = isReadable(object) ? object : undefined;
  return {
    subject,
    there: request !== undefined,
    username: request?.spec.username ?? '',
    groups: request?.spec.groups ?? [],
    uid: request?.spec.uid ?? '',
    extra: Object.keys(request?.spec.extra ?? {}),
    created: request?.metadata.creationTimestamp ?? '',
    conditions: (request?.status?.conditions ?? [])
      .filter(({ status }) => status === 'True')
      .map(({ type, reason = '', message = '' }) => ({ type, reason, message })),
    certificate: (request?.status?.certificate ?? '') !== '',
  };
};

const conditionOf = ({ conditions }: Progress, type: string) => conditions.find((condition) => condition.type === type);

/** Somebody has decided, or signed. */
export const isDecided = (progress: Progress): boolean =>
  conditionOf(progress, 'Approved') !== undefined || conditionOf(progress, 'Denied') !== undefined;

const GONE = 'it is gone';

/** Who asked, as it was written down. */
export const requestRequester: Check<
  Progress,
  { readonly username: string; readonly groups: readonly string[]; readonly uid?: string; readonly exactly: boolean }
> = {
  id: 'request-progress/requester',
  source:
    '004, the API server sets username and groups; pkg/registry/certificates/certificates/strategy.go PrepareForCreate',
  judge: (progress, wanted) => {
    const { subject, there, username } = progress;
    const groups = [...progress.groups].sort();
    const named = [...wanted.groups].sort();
    const grouped = wanted.exactly ? groups.join() === named.join() : named.every((group) => groups.includes(group));
    const seenGroups = groups.join(', ') || 'none';
    return [
      demand({
        subject,
        demanded: `spec.username is ${wanted.username}`,
        seen: there ? username || 'none' : GONE,
        ok: there ? username === wanted.username : undefined,
      }),
      demand({
        subject,
        demanded: `spec.groups ${wanted.exactly ? 'are' : 'hold'} ${named.join(', ')}`,
        seen: there ? seenGroups : GONE,
        ok: there ? grouped : undefined,
      }),
      ...(wanted.uid === undefined
        ? []
        : [
            demand({
              subject,
              demanded: `spec.uid is ${wanted.uid}`,
              seen: there ? progress.uid || 'none' : GONE,
              ok: there ? progress.uid === wanted.uid : undefined,
            }),
          ]),
    ];
  },
};

/** What the body claims of a requester that the API server does not know. */
export interface Claims {
  readonly uid: string;
  readonly extra: string;
}

/** Of what somebody claimed nothing is written down. */
export const requestUnclaimed: Check<Progress, Claims> = {
  id: 'request-progress/unclaimed',
  source:
    '004, the API server sets uid and extra, too; pkg/registry/certificates/certificates/strategy.go PrepareForCreate',
  judge: ({ subject, there, uid, extra }, claims) => [
    refusal({
      subject,
      demanded: `spec.uid is not ${claims.uid}, which was claimed`,
      seen: there ? uid || 'none' : GONE,
      ok: there ? uid !== claims.uid : undefined,
    }),
    refusal({
      subject,
      demanded: `spec.extra has no ${claims.extra}, which was claimed`,
      seen: there ? extra.join(', ') || 'none' : GONE,
      ok: there ? !extra.includes(claims.extra) : undefined,
    }),
  ],
};

/** As created: without any condition, whatever was sent along. */
export const requestUndecided: Check<Progress> = {
  id: 'request-progress/undecided',
  source: '004, status is not for those who ask; pkg/registry/certificates/certificates/strategy.go PrepareForCreate',
  judge: ({ subject, there, conditions, certificate }) => [
    refusal({
      subject,
      demanded: 'has no condition when it is created',
      seen: there ? conditions.map(({ type }) => type).join(', ') || 'none' : GONE,
      ok: there ? conditions.length === 0 : undefined,
    }),
    refusal({
      subject,
      demanded: 'has no certificate when it is created',
      seen: there ? (certificate ? 'one' : 'none') : GONE,
      ok: there ? !certificate : undefined,
    }),
  ],
};

const BY_HAND =
  'kubeadm has not set this cluster up, and a sound request was not approved by itself: people may approve here';
const APPROVER = '002 and 004, automatic approval; pkg/controller/certificates/approver/sarapprove.go';

/**
 * `kubeadm`: its bindings are there, so that a sound request has to be approved; elsewhere it says nothing that one is
 * not.
 */
export interface ByItself {
  readonly kubeadm: boolean;
  /** That the approval must give. */
  readonly reason?: string;
}

/** Approved without a person. */
export const requestApproved: Check<Progress, ByItself> = {
  id: 'request-progress/approved',
  source: APPROVER,
  nothing: BY_HAND,
  judge: (progress, { kubeadm, reason }) => {
    const { subject, there } = progress;
    const approval = conditionOf(progress, 'Approved');
    if (approval === undefined && !kubeadm) return [];
    const seen = approval === undefined ? 'nobody has approved it' : `${approval.reason}: ${approval.message}`;
    return [
      demand({
        subject,
        demanded: `is approved ${inTime(progress)}${reason === undefined ? '' : `, with reason ${reason}`}`,
        seen: there ? seen : GONE,
        ok: there ? approval !== undefined && (reason === undefined || approval.reason === reason) : undefined,
      }),
    ];
  },
};

const SIGNER = '004, the signer signs what is approved; pkg/controller/certificates/signer/signer.go';

/**
 * `signer`: the built-in signer is known to run, so that what is approved has to be signed in time; another one may
 * take longer.
 */
export interface Signing extends ByItself {
  readonly signer: boolean;
}

function carries(progress: Progress, { kubeadm, signer }: Signing): readonly Finding[] {
  const { subject, there, certificate } = progress;
  const look = (seen: string, ok: boolean | undefined): readonly Finding[] => [
    demand({ subject, demanded: `carries a certificate ${inTime(progress)}`, seen, ok }),
  ];
  if (!there) return look(GONE, undefined);
  if (certificate) return look('it does', true);
  for (const type of ['Denied', 'Failed']) {
    const ended = conditionOf(progress, type);
    if (ended !== undefined) return look(`${type}: ${ended.reason} ${ended.message}`.trimEnd(), false);
  }
  if (conditionOf(progress, 'Approved') === undefined) return kubeadm ? look('nobody has approved it', false) : [];
  if (signer) return look('it is approved, and nobody signs it', false);
  return look('it is approved, and nobody has signed it yet; whoever signs here is not to be seen', undefined);
}

export const requestIssued: Check<readonly Progress[], Signing> = {
  id: 'request-progress/issued',
  source: SIGNER,
  nothing: BY_HAND,
  judge: (requests, parameters) => requests.flatMap((progress) => carries(progress, parameters)),
};

/**
 * Is the built-in signer known to run with a key? By its flags where they are published, else because kubeadm starts
 * it so.
 */
export function signerRuns(lines: readonly CommandLine[], kubeadm: boolean): boolean {
  if (lines.length === 0) return kubeadm;
  return lines.some(
    ({ flags }) =>
      runsController(flags.get('controllers'), 'csrsigning') && (flags.get('cluster-signing-cert-file') ?? '') !== '',
  );
}
