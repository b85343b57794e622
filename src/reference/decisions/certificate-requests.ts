/**
 * What the API server takes of a certificate request, what it keeps when one is written, and whom admission lets act
 * for a signer.
 * Source: pkg/apis/certificates/validation/validation.go; pkg/registry/certificates/certificates/strategy.go;
 * plugin/pkg/admission/certificates; pkg/certauthorization/certauthorization.go.
 */

import { goQuote } from '../../apiserver/go/text.js';
import type { FieldError } from '../../apiserver/resource-definition.js';
import { SIGNER_APISERVER_CLIENT, SIGNER_LEGACY_UNKNOWN } from '../../kubernetes/names.js';
import type { CertificateSigningRequest, Condition, UserInfo } from '../../kubernetes/objects.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import { PkiError } from '../../pki/asn1-go.js';
import { parseCertificates } from '../../pki/certificate.js';
import { nextPem } from '../../pki/pem.js';
import type { RequestFacts } from '../../pki/request.js';
import { API_USAGES } from './usages.js';

type Spec = CertificateSigningRequest['spec'];

/** What validation reads of a stored request. `certificate` is base64 of PEM, '' where there is none. */
export interface StoredRequest {
  readonly spec: Pick<Spec, 'signerName' | 'usages'> & { readonly usages: readonly string[] };
  readonly conditions: readonly Condition[];
  readonly certificate: string;
}

/** What an update may go on breaking. */
export interface Tolerated {
  readonly legacySigner: boolean;
  readonly bothApprovedAndDenied: boolean;
  readonly duplicateTypes: boolean;
  readonly emptyType: boolean;
  readonly certificate: boolean;
  readonly duplicateUsages: boolean;
  readonly unknownUsages: boolean;
}

/**
 * Built with a Go before 1.24, whose crypto/rsa still verifies with keys under 1024 bits. Source: go.mod, godebug
 * default.
 */
const SMALL_RSA: Span = { until: 32 };
/** Releases that say what is missing. */
const MISSING_EXPLAINED: Span = { until: 25 };
/** Releases that blame the type of the condition and not the list. */
const EXCLUSION_AT_TYPE: Span = { until: 33 };

const hasDuplicates = (values: readonly string[]): boolean => new Set(values).size !== values.length;

/** Why a block of status.certificate is refused. Throws what is no error of PKI. */
function blockProblem(block: {
  readonly label: string;
  readonly headers: object;
  readonly bytes: Buffer;
}): string | undefined {
  if (block.label !== 'CERTIFICATE') return `only CERTIFICATE PEM blocks are allowed, found ${goQuote(block.label)}`;
  if (Object.keys(block.headers).length > 0) return 'no PEM block headers are permitted';
  try {
    const found = parseCertificates(block.bytes).length;
    return found === 0 ? 'found CERTIFICATE PEM block containing 0 certificates' : undefined;
  } catch (error) {
    if (error instanceof PkiError) return error.message;
    throw error;
  }
}

export const certificateRequestDecisions = {
  /**
   * Who asked: these fields of spec are the requester's, whatever the body says. extra only where there is some.
   * Source: pkg/registry/certificates/certificates/strategy.go PrepareForCreate.
   */
  csrRequester: (user: UserInfo, _sent: Spec): Pick<Spec, 'username' | 'uid' | 'groups' | 'extra'> => ({
    username: user.username,
    ...(user.uid === undefined || user.uid === '' ? {} : { uid: user.uid }),
    ...(user.groups.length === 0 ? {} : { groups: user.groups }),
    ...(user.extra === undefined || Object.keys(user.extra).length === 0 ? {} : { extra: user.extra }),
  }),

  /** A request cannot be created approved: status is emptied. Source: strategy.go PrepareForCreate. */
  csrInitialStatus: (
    _sent: CertificateSigningRequest['status'],
  ): NonNullable<CertificateSigningRequest['status']> => ({}),

  /**
   * spec.request (base64 of the PEM) is stored as it came. Source: strategy.go PrepareForCreate, which leaves it alone.
   */
  csrStoredRequest: (sent: string): string => sent,

  /**
   * spec never changes after creation; PUT and PATCH keep the old one silently, of the object and of its parts. Source:
   * strategy.go PrepareForUpdate of each.
   */
  csrSpecAfterUpdate: (old: Spec, _sent: Spec, _path: '' | 'status' | 'approval'): Spec => old,

  /**
   * Why spec.request is refused; undefined where it is taken. `parsed` is a parse error's text, or the facts with the
   * text of a broken self-signature. Source: pkg/apis/certificates/validation/validation.go validateCSR.
   */
  csrRequestProblem: (
    parsed: { readonly parseError: string } | Pick<RequestFacts, 'signatureProblem'>,
  ): string | undefined => ('parseError' in parsed ? parsed.parseError : parsed.signatureProblem),

  /** Whether a usage is one of the 23. Source: validation.go allValidUsages. */
  csrUsageKnown: (usage: string): boolean => API_USAGES.includes(usage),

  /**
   * The shortest lifetime that may be asked for, in seconds. Source: validation.go validateCertificateSigningRequest.
   */
  csrMinimumExpirationSeconds: (): number => 600,

  /** v1 does not take the signer of old, unrestricted certificates. Source: validation.go allowLegacySignerName. */
  csrSignerAllowed: (signerName: string): boolean => signerName !== SIGNER_LEGACY_UNKNOWN,

  /** Approved and Denied exclude each other. Source: validation.go validateConditions. */
  csrMayBeApprovedAndDenied: (): boolean => false,

  /** Approved, Denied and Failed are True or absent. Source: validation.go trueConditionTypes. */
  csrConditionStatuses: (type: string): readonly string[] =>
    type === 'Approved' || type === 'Denied' || type === 'Failed' ? ['True'] : ['False', 'True', 'Unknown'],

  /** Conditions that no update may take away. Source: validation.go validateCertificateSigningRequestUpdate. */
  csrConditionIsForever: (type: string): boolean => type === 'Approved' || type === 'Denied' || type === 'Failed',

  /**
   * What of a status an update takes: through the object nothing, through /approval conditions, through /status the
   * certificate as well. Source: strategy.go PrepareForUpdate of each; validation.go.
   */
  csrStatusTaken: (
    path: '' | 'status' | 'approval',
  ): { readonly conditions: boolean; readonly certificate: boolean } => ({
    conditions: path !== '',
    certificate: path === 'status',
  }),

  /** Every problem of a new request refuses it. Source: validation.go ValidateCertificateSigningRequestCreate. */
  csrProblemsThatRefuse: (problems: readonly FieldError[]): readonly FieldError[] => problems,

  /**
   * Approved and Denied are set through /approval only. Source: validation.go
   * ValidateCertificateSigningRequestApprovalUpdate.
   */
  csrApprovalSetThrough: (subresource: string): boolean => subresource === 'approval',

  /** A certificate is set once. Source: validation.go allowResettingCertificate. */
  csrCertificateMayChange: (old: string): boolean => old === '',

  /** Whether RSA keys under 1024 bits still sign requests. `minor` of the version played. */
  csrSmallRsaIsVerified: (minor: number): boolean => inSpan(minor, SMALL_RSA),

  /** The words after "Required value": what is missing, in old releases. Source: validation.go. */
  csrMissingText: (what: string, minor: number): string =>
    inSpan(minor, MISSING_EXPLAINED) ? `${what} must be provided` : '',

  /**
   * Whether "mutually exclusive" is said of the condition's type, else of the list. Source: validation.go
   * validateConditions.
   */
  csrExclusionIsAtType: (minor: number): boolean => inSpan(minor, EXCLUSION_AT_TYPE),

  /**
   * What is wrong with status.certificate (base64 of PEM); undefined where nothing is. Source: validation.go
   * validateCertificate.
   */
  csrCertificateProblem: (certificate: string): string | undefined => {
    if (certificate === '') return undefined;
    let rest = Buffer.from(certificate, 'base64').toString('latin1');
    let blocks = 0;
    for (let found = nextPem(rest); found !== undefined; found = nextPem(rest)) {
      const problem = blockProblem(found.block);
      if (problem !== undefined) return problem;
      blocks += 1;
      rest = found.rest;
    }
    return blocks === 0 ? 'must contain at least one CERTIFICATE PEM block' : undefined;
  },

  /** What an old object already breaks it may go on breaking. Source: validation.go getValidationOptions. */
  csrTolerated: (
    old: StoredRequest,
    rules: {
      readonly signerAllowed: (signerName: string) => boolean;
      readonly usageKnown: (usage: string) => boolean;
      readonly certificateProblem: (certificate: string) => string | undefined;
    },
  ): Tolerated => {
    const types = old.conditions.map(({ type }) => type);
    return {
      legacySigner: !rules.signerAllowed(old.spec.signerName),
      bothApprovedAndDenied: types.includes('Approved') && types.includes('Denied'),
      duplicateTypes: hasDuplicates(types),
      emptyType: types.includes(''),
      certificate: rules.certificateProblem(old.certificate) !== undefined,
      duplicateUsages: hasDuplicates(old.spec.usages),
      unknownUsages: old.spec.usages.some((usage) => !rules.usageKnown(usage)),
    };
  },

  /**
   * Times that the client left out; `now` as RFC 3339. A transition time stays while a condition of that type had that
   * status.
   * Source: strategy.go populateConditionTimestamps.
   */
  csrConditionTimes: (conditions: readonly Condition[], old: readonly Condition[], now: string): readonly Condition[] =>
    conditions.map((condition) => {
      const same = old.find(
        ({ type, status, lastTransitionTime }) =>
          type === condition.type && status === condition.status && lastTransitionTime !== undefined,
      );
      return {
        ...condition,
        lastUpdateTime: condition.lastUpdateTime ?? now,
        lastTransitionTime: condition.lastTransitionTime ?? same?.lastTransitionTime ?? now,
      };
    }),

  /**
   * Through /status, Approved and Denied keep their old values while their number is the same. Source: strategy.go
   * preserveConditionInstances.
   */
  csrConditionsThroughStatus: (conditions: readonly Condition[], old: readonly Condition[]): readonly Condition[] => {
    let result = conditions;
    for (const type of ['Approved', 'Denied']) {
      const before = old.filter((condition) => condition.type === type);
      if (before.length !== result.filter((condition) => condition.type === type).length) continue;
      let index = 0;
      result = result.map((condition) => (condition.type === type ? (before[index++] ?? condition) : condition));
    }
    return result;
  },

  /**
   * Whether /approval asks for the right "approve" on the signer, also when nothing changes. Source:
   * plugin/pkg/admission/certificates/approval/admission.go.
   */
  approvalNeedsSignerRight: (_signerName: string): boolean => true,

  /**
   * Whether /status asks for the right "sign" on the signer. Source:
   * plugin/pkg/admission/certificates/signing/admission.go.
   */
  signingNeedsSignerRight: (change: { readonly certificate: boolean; readonly conditions: boolean }): boolean =>
    change.certificate || change.conditions,

  /**
   * Names of the resource "signers" of which any one right is enough: the signer, then its whole domain. Source:
   * pkg/certauthorization/certauthorization.go.
   */
  signerRightNames: (signerName: string): readonly string[] => [signerName, `${signerName.split('/', 1)[0] ?? ''}/*`],

  /**
   * Nobody gets system:masters by way of the client signer. Source:
   * plugin/pkg/admission/certificates/subjectrestriction/admission.go.
   */
  subjectIsRestricted: (signerName: string, organizations: readonly string[]): boolean =>
    signerName === SIGNER_APISERVER_CLIENT && organizations.includes('system:masters'),
};
