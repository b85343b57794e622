/** What is written down of a decision about a certificate request: its words, and its times. */
import type { CertificateSigningRequest } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';

/** A condition; '' where it says nothing. Times in RFC 3339. */
export interface Words {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastUpdateTime: string;
  readonly lastTransitionTime: string;
}

/** A request as the API server holds it. */
export interface Written {
  /** "the certificate request for a node" */
  readonly subject: string;
  readonly there: boolean;
  readonly created: string;
  readonly conditions: readonly Words[];
}

export const readWritten = (subject: string, request: CertificateSigningRequest | undefined): Written => ({
  subject,
  there: request !== undefined,
  created: request?.metadata.creationTimestamp ?? '',
  conditions: (request?.status?.conditions ?? []).map((condition) => {
    const { type, status, reason = '', message = '', lastUpdateTime = '', lastTransitionTime = '' } = condition;
    return { type, status, reason, message, lastUpdateTime, lastTransitionTime };
  }),
});

const GONE = 'it is gone';

/** Clocks of two machines may be so far apart, milliseconds. */
const SKEW = 5 * 60_000;

/** Filled in: neither before the request nor after now. */
const isTimely = (time: string, created: string, now: number): boolean => {
  const at = Date.parse(time);
  return at >= Date.parse(created) - SKEW && at <= now + SKEW;
};

const TIMES = ['lastUpdateTime', 'lastTransitionTime'] as const;

/** A condition, and the times that were sent of it; '' where they were left open. */
type Timed = Pick<Words, 'type' | (typeof TIMES)[number]>;

/** What became of a condition of which `sent` was said. */
function judgeTimes(
  { subject, there, created }: Written,
  held: Words | undefined,
  sent: Timed,
  now: number,
): Finding[] {
  return TIMES.map((name) =>
    demand({
      subject,
      demanded:
        sent[name] === ''
          ? `${sent.type} is given a ${name} between the request and now`
          : `${sent.type} keeps the ${name} that it had`,
      seen: there ? held?.[name] || 'none' : GONE,
      ok: there
        ? held !== undefined &&
          (sent[name] === '' ? isTimely(held[name], created, now) : Date.parse(held[name]) === Date.parse(sent[name]))
        : undefined,
    }),
  );
}

const inWords = ({ status, reason, message }: Words): string => [status, reason, message].join(', ');

/** A decision, as it was sent and as it is held afterwards. */
export interface Decided {
  readonly written: Written;
  readonly sent: Words;
}

/** A decision has the words that were sent, the times that were sent, and times of the server where none were. */
export const decisionAsSent: Check<readonly Decided[], { readonly now: number }> = {
  id: 'written-conditions/as-sent',
  source: 'pkg/registry/certificates/certificates/strategy.go populateConditionTimestamps',
  judge: (all, { now }) =>
    all.flatMap(({ written, sent }) => {
      const { subject, there, conditions } = written;
      const held = conditions.find(({ type }) => type === sent.type);
      return [
        demand({
          subject,
          demanded: `holds ${sent.type}: ${inWords(sent)}`,
          seen: there ? (held === undefined ? `no ${sent.type}` : inWords(held)) : GONE,
          ok: there ? held !== undefined && inWords(held) === inWords(sent) : undefined,
        }),
        ...judgeTimes(written, held, sent, now),
      ];
    }),
};

/** Why a signer refuses what was approved, by the words of the features. */
const CAUSES: Readonly<Record<string, RegExp>> = {
  'its organization': /^subject organization is not system:nodes/,
  'its common name': /^subject common name does not begin with system:node:/,
  'a DNS name': /^DNS subjectAltNames are not allowed/,
  'an IP address': /^IP subjectAltNames are not allowed/,
  'an e-mail address': /^Email subjectAltNames are not allowed/,
  'a URI': /^URI subjectAltNames are not allowed/,
  'no name': /^DNS or IP subjectAltName is required/,
  'its usages': /^usages did not match/,
  'a usage': /^invalid usage for client certificate: server auth/,
  'the usage signing': /^invalid usage for client certificate: signing/,
  'the usage key agreement': /^invalid usage for client certificate: key agreement/,
  'no usage for clients': /^missing required usage for client certificate: client auth/,
};

/** What a signer was asked, and for what it refuses that. */
export interface Failed {
  readonly written: Written;
  readonly because: string;
}

export const isCause = (because: string): boolean => Object.hasOwn(CAUSES, because);

const REASON = 'SignerValidationFailure';

const failedIn = ({ conditions }: Written): Words | undefined => conditions.find(({ type }) => type === 'Failed');
/** The signer has looked at it. */
export const hasFailed = (written: Written): boolean => failedIn(written) !== undefined;

/** Whoever has asked learns from the request itself why nobody signs it. */
export const failedWithReason: Check<readonly Failed[], { readonly now: number }> = {
  id: 'written-conditions/failed',
  source: 'pkg/controller/certificates/signer/signer.go handle; pkg/apis/certificates/helpers.go',
  judge: (all, { now }) =>
    all.flatMap(({ written, because }) => {
      const { subject, there } = written;
      const failed = failedIn(written);
      const sent = { type: 'Failed', lastUpdateTime: '', lastTransitionTime: '' };
      return [
        demand({
          subject,
          demanded: `is marked as Failed for ${because}, with reason ${REASON}`,
          seen: there ? (failed === undefined ? 'nobody has' : inWords(failed)) : GONE,
          ok: there
            ? failed?.status === 'True' && failed.reason === REASON && (CAUSES[because]?.test(failed.message) ?? false)
            : undefined,
        }),
        ...judgeTimes(written, failed, sent, now),
      ];
    }),
};
