/**
 * Who holds a right that makes machines of a cluster, or makes somebody more than he is: everybody but those who may
 * do everything anyhow, the controllers of Kubernetes, and whom somebody has named.
 */
import { GROUP_SERVICE_ACCOUNTS, KUBE_SYSTEM } from '../../kubernetes/names.js';
import type { Binding, Subject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { refusal } from '../../model/finding.js';
import { likens } from '../../model/waiver.js';
import { list } from '../authorization/rbac.js';
import {
  administratorBindings,
  administratorsIn,
  bindingName,
  bindingsOf,
  expand,
  type Permission,
  type Policy,
  permissionText,
  rulesOf,
  subjectName,
} from '../authorization/rbac-policy.js';
import { isOf } from '../authorization/rbac-subjects.js';

type Right = Extract<Permission, { readonly kind: 'resource' }>;

interface Guarded {
  /** "bootstrap tokens are written"; said of what nobody else must be able to do. */
  readonly what: string;
  /** `*` in a name stands for any text, and any text in "*" alone. */
  readonly rights: readonly Right[];
  /** As `subjectName` says it; * stands for any text. */
  readonly known: readonly string[];
  /** Of people and of groups that everybody is in alone: programs may have been given it for their work. */
  readonly ofPeople?: 'users too' | 'groups alone';
  /** Of the accounts alone that Pods have without being given one; then who may do everything is told of as well. */
  readonly ofEveryPod?: true;
}

/** Users that a platform names. Source: EKS and GKE, their default bindings. */
const OF_PLATFORMS = ['system:*', 'eks:*'];
/** Whom no program was given a right for: whoever makes a Pod, or has logged in, is among them. */
const isPerson = (subject: Subject): boolean =>
  subject.kind === 'ServiceAccount'
    ? subject.name === 'default'
    : isOf(subject, ['everybody']) || !OF_PLATFORMS.some((pattern) => likens(pattern, subject.name));

/** Runs on every machine, with the role of kubeadm:node-proxier. Source: cmd/kubeadm/app/phases/addons/proxy. */
const ON_EVERY_MACHINE = `ServiceAccount ${KUBE_SYSTEM}/kube-proxy`;
/** Whoever makes a Pod, or is root on one machine, speaks as one of them. */
const isOfEveryPod = (subject: Subject): boolean =>
  subject.kind === 'ServiceAccount'
    ? subject.name === 'default' || subjectName(subject) === ON_EVERY_MACHINE
    : isOf(subject, ['everybody']) && subject.name.startsWith(GROUP_SERVICE_ACCOUNTS);

/**
 * Clusters on the machine of one developer, whose Pods are all his. Source: kubernetes/minikube,
 * pkg/minikube/bootstrapper/kubeadm/kubeadm.go elevateKubeSystemPrivileges; clusters of Docker Desktop since 2018.
 */
const OF_DESKTOPS: readonly string[] = [
  'ClusterRoleBinding minikube-rbac: ServiceAccount kube-system/default',
  'ClusterRoleBinding docker-for-desktop-binding: Group system:serviceaccounts',
  'ClusterRoleBinding docker-for-desktop-binding: Group system:serviceaccounts:kube-system',
];
const isOfDesktops = (binding: Binding, subject: Subject): boolean =>
  OF_DESKTOPS.includes(`${bindingName(binding)}: ${subjectName(subject)}`);

/** A name in a request decides only where the request bears one: of what is made, that for a part of an object. */
const bearsName = ({ verb, resource }: Right): boolean =>
  verb === 'create' ? resource.includes('/') : verb !== 'deletecollection';

/** Of the kinds that are guarded everywhere; what stands in no namespace, no binding of a namespace opens. */
const isNamespaced = ({ resource }: Right): boolean => resource === 'serviceaccounts';
/** Whoever edits a namespace of his own acts as its accounts, and "default" is one of those. */
const isOfSystem = ({ namespace }: Right): boolean => namespace !== 'default';

/** Does a grant open some of what is guarded? */
const opens = (grant: Permission, right: Right): boolean =>
  grant.kind === 'resource' &&
  ['*', right.verb].includes(grant.verb) &&
  ['*', right.group].includes(grant.group) &&
  ['*', right.resource, `*/${right.resource.split('/')[1] ?? ''}`].includes(grant.resource) &&
  (['*', right.namespace].includes(grant.namespace) ||
    (right.namespace === '*' && isNamespaced(right) && isOfSystem(grant))) &&
  (grant.name === '*' || (bearsName(right) && likens(right.name, grant.name)));

/**
 * The user of the controller manager, and its controllers, each bound to the role of its name.
 * Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/controller_policy.go.
 */
function isController({ metadata: { name = '' }, roleRef }: Binding, subject: Subject): boolean {
  if (subject.kind === 'User')
    return subject.name === 'system:kube-controller-manager' && roleRef.name === subject.name;
  return (
    subject.kind === 'ServiceAccount' &&
    subject.namespace === KUBE_SYSTEM &&
    [`system:controller:${subject.name}`, `system::leader-locking-${subject.name}`].includes(name) &&
    roleRef.name === name
  );
}

/**
 * Whoever signs for signers of his own writes the status of requests to do so, and the API server lets him put there no
 * certificate of another one. Source: plugin/pkg/admission/certificates/signing/admission.go.
 */
const signsHisOwn = (grants: readonly Permission[]): boolean =>
  grants.some(
    (grant) =>
      grant.kind === 'resource' &&
      grant.verb === 'sign' &&
      grant.resource === 'signers' &&
      grant.name !== '*' &&
      !grant.name.startsWith('kubernetes.io/'),
  );
const isStatusOfRequests = ({ resource }: Right): boolean => resource === 'certificatesigningrequests/status';

const givenBy = (policy: Policy, binding: Binding, rights: readonly Right[]): readonly string[] => {
  const grants = expand(rulesOf(policy, binding) ?? [], binding.metadata.namespace ?? '*');
  const excused = signsHisOwn(grants);
  return rights
    .filter((right) => !(excused && isStatusOfRequests(right)) && grants.some((grant) => opens(grant, right)))
    .map(permissionText);
};

const ACCOUNT = /^system:serviceaccount:([^:]+):([^:]+)$/;

/** "ServiceAccount a/b" of the user "system:serviceaccount:a:b"; undefined of any other user. */
export function accountNamed(username = ''): string | undefined {
  const [, namespace, name] = ACCOUNT.exec(username) ?? [];
  return namespace === undefined || name === undefined
    ? undefined
    : subjectName({ kind: 'ServiceAccount', namespace, name });
}

/** What joining machines, nodes and strangers may do has rules of its own. */
const isOthers = (subject: Subject): boolean => isOf(subject, ['bootstrappers', 'nodes', 'strangers']);

export const guardedRights: Check<Policy, Guarded> = {
  id: 'guarded-rights/held',
  source: 'plugin/pkg/auth/authorizer/rbac/rbac.go VisitRulesFor',
  judge: (policy, { what, rights, known, ofPeople, ofEveryPod }) => {
    const administrators = administratorBindings(policy);
    const others = bindingsOf(policy)
      .filter((binding) => ofEveryPod || !administrators.has(bindingName(binding)))
      .map((binding) => ({
        binding,
        strangers: (binding.subjects ?? []).filter(
          (subject) =>
            !isController(binding, subject) &&
            !isOthers(subject) &&
            (ofPeople === undefined || isPerson(subject)) &&
            (ofPeople !== 'groups alone' || subject.kind !== 'User') &&
            (!ofEveryPod || (isOfEveryPod(subject) && !isOfDesktops(binding, subject))) &&
            !known.some((pattern) => likens(pattern, subjectName(subject))),
        ),
      }))
      .filter(({ strangers }) => strangers.length > 0)
      .flatMap(({ binding, strangers }) => {
        const given = administrators.has(bindingName(binding)) ? ['do everything'] : givenBy(policy, binding, rights);
        return given.length === 0 ? [] : strangers.map((subject) => ({ binding, subject, given }));
      });
    const demanded = `${what} by nobody but administrators, controllers and who is known`;
    if (others.length === 0)
      return [refusal({ subject: 'roles and bindings', demanded, seen: 'by nobody else', ok: true })];
    return others.map(({ binding, subject, given }) =>
      refusal({
        subject: bindingName(binding),
        demanded,
        seen: `${subjectName(subject)} may ${list(given)}`,
        ok: false,
      }),
    );
  },
};

/** Who may do everything, in the whole cluster. */
export const administratorsKnown: Check<Policy, { readonly known: readonly string[] }> = {
  id: 'guarded-rights/administrators',
  source: 'plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go cluster-admin; kubeadm, kubeadm:cluster-admins',
  nothing: 'nobody may do everything',
  judge: (policy, { known }) =>
    administratorsIn(policy).map(({ binding, subject }) =>
      refusal({
        subject: bindingName(binding),
        demanded: `makes an administrator of ${known.join(', ')} only`,
        seen: `of ${subjectName(subject)}`,
        ok: known.some((pattern) => likens(pattern, subjectName(subject))),
      }),
    ),
};

/** Reader: "Group system:masters" and whoever else may do everything in the whole cluster. */
export const administratorsOf = (policy: Policy): string[] => [
  ...new Set(administratorsIn(policy).map(({ subject }) => subjectName(subject))),
];
