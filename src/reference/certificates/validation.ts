/**
 * Validation of certificate requests with upstream's messages. Source: pkg/apis/certificates/validation/validation.go,
 * pkg/apis/core/validation/names.go.
 */

import { goQuote } from '../../apiserver/go/text.js';
import {
  at,
  child,
  duplicate,
  forbiddenField,
  invalidBytes,
  invalidValue,
  notSupportedWord,
  required,
  tooLong,
} from '../../apiserver/machinery/field-errors.js';
import { dnsLabel, dnsSubdomain } from '../../apiserver/machinery/name-rules.js';
import type { FieldError } from '../../apiserver/resource-definition.js';
import type { Condition, KubeObject } from '../../kubernetes/objects.js';
import type { Tolerated } from '../decisions/certificate-requests.js';
import { API_USAGES } from '../decisions/usages.js';
import type { Decisions } from '../decisions.js';
import { parseSpecRequest, type RequestView, viewRequest } from './view.js';

/** What validation depends on beside the object. `minor`: of the version that is played. */
export interface ValidationRules {
  readonly decisions: Decisions;
  readonly minor: number;
}

/** Which way an update comes: '' is the object itself. */
export type Path = '' | 'status' | 'approval';

/** Of a name that is not empty. Source: names.go ValidateSignerName. */
function validateSignerName(field: string, signerName: string): FieldError[] {
  const [domain, path, ...more] = signerName.split('/');
  if (domain === undefined || path === undefined || more.length > 0)
    return [
      invalidValue(
        field,
        signerName,
        "must be a fully qualified domain and path of the form 'example.com/signer-name'",
      ),
    ];
  const errors: FieldError[] = [];
  if (Buffer.byteLength(domain) > 253) errors.push(tooLong(field, 253));
  const labels = domain.split('.');
  const firstFault = (
    parts: readonly string[],
    whole: string,
    rule: (part: string) => readonly string[],
  ): FieldError[] => {
    const bad = parts.find((part) => rule(part).length > 0);
    return bad === undefined
      ? []
      : rule(bad).map((fault) => invalidValue(field, whole, `validating label ${goQuote(bad)}: ${fault}`));
  };
  errors.push(...firstFault(labels, domain, dnsLabel));
  if (labels.length < 2)
    errors.push(invalidValue(field, domain, 'should be a domain with at least two segments separated by dots'));
  errors.push(...firstFault(path.split('.'), path, dnsSubdomain));
  if (Buffer.byteLength(signerName) > 571) errors.push(tooLong(field, 571));
  return errors;
}

const NOTHING: Tolerated = {
  legacySigner: false,
  bothApprovedAndDenied: false,
  duplicateTypes: false,
  emptyType: false,
  certificate: false,
  duplicateUsages: false,
  unknownUsages: false,
};

function validateRequest(rules: ValidationRules, csr: RequestView, tolerated: Tolerated): FieldError[] {
  const { decisions, minor } = rules;
  const missing = (what: string): string => decisions.csrMissingText(what, minor);
  const { spec } = csr;
  const errors: FieldError[] = [];
  const problem = decisions.csrRequestProblem(
    parseSpecRequest(spec.request ?? '', decisions.csrSmallRsaIsVerified(minor)),
  );
  if (problem !== undefined) errors.push(invalidBytes('spec.request', spec.request, problem));
  const usages = child('spec', 'usages');
  if (spec.usages.length === 0) errors.push(required(usages, missing('usages')));
  if (!tolerated.unknownUsages)
    spec.usages.forEach((usage, index) => {
      if (!decisions.csrUsageKnown(usage)) errors.push(notSupportedWord(at(usages, index), usage, API_USAGES));
    });
  if (!tolerated.duplicateUsages)
    spec.usages.forEach((usage, index) => {
      if (spec.usages.indexOf(usage) < index) errors.push(duplicate(at(usages, index), usage));
    });
  if (!tolerated.legacySigner && !decisions.csrSignerAllowed(spec.signerName))
    errors.push(
      invalidValue('spec.signerName', spec.signerName, 'the legacy signerName is not allowed via this API version'),
    );
  else if (spec.signerName === '') errors.push(required('spec.signerName', missing('signerName')));
  else errors.push(...validateSignerName('spec.signerName', spec.signerName));
  const minimum = decisions.csrMinimumExpirationSeconds();
  if (spec.expirationSeconds !== undefined && spec.expirationSeconds < minimum)
    errors.push(
      invalidValue(
        'spec.expirationSeconds',
        spec.expirationSeconds,
        `may not specify a duration less than ${minimum} seconds (${minimum / 60} minutes)`,
      ),
    );
  errors.push(...validateConditions(rules, csr.conditions, tolerated));
  const certificate = tolerated.certificate ? undefined : decisions.csrCertificateProblem(csr.certificate);
  if (certificate !== undefined) errors.push(invalidValue('status.certificate', '<certificate data>', certificate));
  return errors;
}

const CONDITIONS = 'status.conditions';

function validateConditions(
  { decisions, minor }: ValidationRules,
  conditions: readonly Condition[],
  tolerated: Tolerated,
): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  conditions.forEach(({ type, status }, index) => {
    const path = at(CONDITIONS, index);
    if (type === '' && !tolerated.emptyType) errors.push(required(child(path, 'type')));
    const allowed = decisions.csrConditionStatuses(type);
    if (status === '' && !allowed.includes('')) errors.push(required(child(path, 'status')));
    else if (!allowed.includes(status)) errors.push(notSupportedWord(child(path, 'status'), status, allowed));
    const other = type === 'Approved' ? 'Denied' : type === 'Denied' ? 'Approved' : undefined;
    if (
      other !== undefined &&
      seen.has(other) &&
      !tolerated.bothApprovedAndDenied &&
      !decisions.csrMayBeApprovedAndDenied()
    )
      errors.push(
        invalidValue(
          decisions.csrExclusionIsAtType(minor) ? child(path, 'type') : CONDITIONS,
          type,
          'Approved and Denied conditions are mutually exclusive',
        ),
      );
    if (seen.has(type) && !tolerated.duplicateTypes) errors.push(duplicate(child(path, 'type'), type));
    seen.add(type);
  });
  return errors;
}

/** Source: ValidateCertificateSigningRequestCreate. */
export const validateCreate = (rules: ValidationRules, object: KubeObject): FieldError[] => [
  ...rules.decisions.csrProblemsThatRefuse(validateRequest(rules, viewRequest(object), NOTHING)),
];

/** Source: ValidateCertificateSigningRequestUpdate, …StatusUpdate, …ApprovalUpdate. */
export function validateUpdate(
  rules: ValidationRules,
  object: KubeObject,
  oldObject: KubeObject,
  path: Path,
): FieldError[] {
  const csr = viewRequest(object);
  const old = viewRequest(oldObject);
  const { decisions } = rules;
  const tolerated = decisions.csrTolerated(old, {
    signerAllowed: decisions.csrSignerAllowed,
    usageKnown: decisions.csrUsageKnown,
    certificateProblem: decisions.csrCertificateProblem,
  });
  const errors = validateRequest(rules, csr, tolerated);
  const of = (view: RequestView, type: string): readonly Condition[] =>
    view.conditions.filter((condition) => condition.type === type);
  const change = (what: string, type: string): FieldError =>
    forbiddenField(CONDITIONS, `updates may not ${what} a condition of type ${goQuote(type)}`);
  for (const type of new Set(['Approved', 'Denied', 'Failed', ...old.conditions.map((condition) => condition.type)]))
    if (decisions.csrConditionIsForever(type) && of(csr, type).length < of(old, type).length)
      errors.push(change('remove', type));
  if (!decisions.csrApprovalSetThrough(path))
    for (const type of ['Approved', 'Denied']) {
      const [now, before] = [of(csr, type), of(old, type)];
      if (now.length > before.length) errors.push(change('add', type));
      // Every other way puts the old conditions back before this is asked.
      else if (now.length === before.length && JSON.stringify(now) !== JSON.stringify(before))
        errors.push(change('modify', type));
    }
  if (csr.certificate !== old.certificate) {
    if (!decisions.csrStatusTaken(path).certificate)
      errors.push(forbiddenField('status.certificate', 'updates may not set certificate content'));
    else if (!decisions.csrCertificateMayChange(old.certificate))
      errors.push(forbiddenField('status.certificate', 'updates may not modify existing certificate content'));
  }
  return errors;
}
