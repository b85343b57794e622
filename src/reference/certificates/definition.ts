/**
 * The resource certificatesigningrequests. Source: pkg/registry/certificates/certificates/{storage,strategy}.go,
 * pkg/printers/internalversion/printers.go.
 */

import { rfc3339 } from '../../apiserver/clock.js';
import type {
  ResourceDefinition,
  Strategy,
  StrategyContext,
  TableColumn,
} from '../../apiserver/resource-definition.js';
import { structSchema } from '../../apiserver/resources/schema.js';
import type { CertificateSigningRequest, Condition, KubeObject } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';
import { humanDuration } from './duration.js';
import { type Path, type ValidationRules, validateCreate, validateUpdate } from './validation.js';
import { CSR_GROUP, CSRS, certificateOf, conditionsOf, viewRequest } from './view.js';

type Status = NonNullable<CertificateSigningRequest['status']>;

const statusOf = (conditions: readonly Condition[], certificate: string): Status => ({
  ...(conditions.length === 0 ? {} : { conditions }),
  ...(certificate === '' ? {} : { certificate }),
});

const specOf = (object: KubeObject): CertificateSigningRequest['spec'] => {
  const { request = '', ...spec } = viewRequest(object).spec;
  return {
    request,
    signerName: spec.signerName,
    ...(spec.expirationSeconds === undefined ? {} : { expirationSeconds: spec.expirationSeconds }),
    ...(spec.usages.length === 0 ? {} : { usages: spec.usages }),
    ...(spec.username === '' ? {} : { username: spec.username }),
    ...(spec.uid === '' ? {} : { uid: spec.uid }),
    ...(spec.groups.length === 0 ? {} : { groups: spec.groups }),
    ...(Object.keys(spec.extra).length === 0 ? {} : { extra: spec.extra }),
  };
};

const names = {
  // Any name that can be in a path, which is looked at last.
  validateName: () => [],
  allowCreateOnUpdate: false,
  allowUnconditionalUpdate: true,
  metadataOnUpdate: 'create-update',
} as const;

const strategies = (rules: ValidationRules): Readonly<Record<'object' | 'status' | 'approval', Strategy>> => {
  const { decisions } = rules;
  const keptSpec = (path: Path, object: KubeObject, old: KubeObject): CertificateSigningRequest['spec'] =>
    decisions.csrSpecAfterUpdate(specOf(old), specOf(object), path);
  /** The object with what of its status goes this way; `conditions`: those that it would set. */
  const taken = (path: Path, object: KubeObject, old: KubeObject, conditions: readonly Condition[]): KubeObject => {
    const takes = decisions.csrStatusTaken(path);
    const status = statusOf(
      takes.conditions ? conditions : conditionsOf(old),
      certificateOf(takes.certificate ? object : old),
    );
    return { ...object, spec: keptSpec(path, object, old), status };
  };
  return {
    object: {
      ...names,
      prepareForCreate: (object: KubeObject, context: StrategyContext): KubeObject => {
        // What the requester says of itself goes; request stays absent where it was, because its error says so.
        const {
          username: _name,
          uid: _uid,
          groups: _groups,
          extra: _extra,
          request: _request,
          ...sent
        } = specOf(object);
        const { request } = viewRequest(object).spec;
        const spec = {
          ...(request === undefined ? {} : { request: decisions.csrStoredRequest(request) }),
          ...sent,
          ...decisions.csrRequester(context.user, specOf(object)),
        };
        return {
          ...object,
          spec,
          status: decisions.csrInitialStatus(statusOf(conditionsOf(object), certificateOf(object))),
        };
      },
      validate: (object) => validateCreate(rules, object),
      prepareForUpdate: (object, old) => taken('', object, old, conditionsOf(object)),
      validateUpdate: (object, old) => validateUpdate(rules, object, old, ''),
    },
    status: {
      ...names,
      prepareForUpdate: (object, old, context) => {
        const before = conditionsOf(old);
        const kept = decisions.csrConditionsThroughStatus(conditionsOf(object), before);
        const conditions = decisions.csrConditionTimes(kept, before, rfc3339(context.clock.now()));
        return taken('status', object, old, conditions);
      },
      validateUpdate: (object, old) => validateUpdate(rules, object, old, 'status'),
    },
    approval: {
      ...names,
      prepareForUpdate: (object, old, context) => {
        const conditions = decisions.csrConditionTimes(
          conditionsOf(object),
          conditionsOf(old),
          rfc3339(context.clock.now()),
        );
        return taken('approval', object, old, conditions);
      },
      validateUpdate: (object, old) => validateUpdate(rules, object, old, 'approval'),
    },
  };
};

const column = (name: string, description: string, format = ''): TableColumn => ({
  name,
  type: 'string',
  format,
  description,
  priority: 0,
});
const columns: readonly TableColumn[] = [
  column('Name', 'Name of the request', 'name'),
  column('Age', 'Time since the request was created'),
  column('SignerName', 'Signer that is asked'),
  column('Requestor', 'User who made the request'),
  column('RequestedDuration', 'Validity that is asked for'),
  column('Condition', 'What has become of the request'),
];

/** "Denied,Failed", "Approved,Issued", "Pending" … Source: printers.go extractCSRStatus. */
export function conditionSummary(object: KubeObject): string {
  const types = new Set(conditionsOf(object).map((condition) => condition.type));
  const verdict = types.has('Denied') ? 'Denied' : types.has('Approved') ? 'Approved' : 'Pending';
  return `${verdict}${types.has('Failed') ? ',Failed' : ''}${certificateOf(object) === '' ? '' : ',Issued'}`;
}

function row(object: KubeObject, now: number): readonly string[] {
  const { name, created, spec } = viewRequest(object);
  return [
    name,
    created === undefined ? '<unknown>' : humanDuration(now - created),
    spec.signerName === '' ? '<none>' : spec.signerName,
    spec.username,
    spec.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1000),
    conditionSummary(object),
  ];
}

/**
 * certificates.k8s.io/v1 CertificateSigningRequest with its subresources status and approval. `minor`: of the version
 * that is played.
 */
export function certificateSigningRequests(decisions: Decisions, minor = 36): ResourceDefinition {
  const strategy = strategies({ decisions, minor });
  return {
    group: CSR_GROUP,
    version: 'v1',
    kind: 'CertificateSigningRequest',
    resource: CSRS.resource,
    singular: 'certificatesigningrequest',
    shortNames: ['csr'],
    categories: [],
    namespaced: false,
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    strategy: strategy.object,
    get schema() {
      return structSchema('certificates.v1.CertificateSigningRequest');
    },
    subresources: [
      { kind: 'part', name: 'approval', strategy: strategy.approval, verbs: ['get', 'patch', 'update'] },
      { kind: 'part', name: 'status', strategy: strategy.status, verbs: ['get', 'patch', 'update'] },
    ],
    fieldSelectors: { 'spec.signerName': (object) => viewRequest(object).spec.signerName },
    refuseFieldLabel: (label) =>
      label === 'metadata.name' || label === 'spec.signerName' ? undefined : `field label not supported: ${label}`,
    columns,
    row,
  };
}
