/**
 * Roles and bindings. Source: pkg/apis/rbac/validation/validation.go, pkg/apis/rbac/v1/defaults.go, pkg/registry/rbac.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Fields, isRecord, list, record, records, text } from '../../../kubernetes/json.js';
import type { KubeObject } from '../../../kubernetes/objects.js';
import { goQuote } from '../../go/text.js';
import { at, child, invalidEach, invalidValue, notSupported, required } from '../../machinery/field-errors.js';
import { dnsSubdomain, pathSegment } from '../../machinery/name-rules.js';
import type { FieldError } from '../../resource-definition.js';
import type { Behaviour, Behaviours } from '../behaviour.js';
import type { ResourceHooks } from '../hooks.js';
import { validateLabelSelector } from '../label-selector-validation.js';
import { withFields } from '../read.js';

const GROUP = 'rbac.authorization.k8s.io';

function validateRule(rule: Fields, namespaced: boolean, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const has = (name: string): boolean => list(rule[name]).length > 0;
  if (!has('verbs')) errors.push(required(child(field, 'verbs'), 'verbs must contain at least one value'));
  if (has('nonResourceURLs')) {
    const urls = child(field, 'nonResourceURLs');
    if (namespaced)
      errors.push(invalidValue(urls, rule.nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'));
    if (has('apiGroups') || has('resources') || has('resourceNames'))
      errors.push(
        invalidValue(urls, rule.nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs'),
      );
    return errors;
  }
  if (!has('apiGroups'))
    errors.push(required(child(field, 'apiGroups'), 'resource rules must supply at least one api group'));
  if (!has('resources'))
    errors.push(required(child(field, 'resources'), 'resource rules must supply at least one resource'));
  return errors;
}

function validateRole(role: KubeObject, namespaced: boolean): FieldError[] {
  const errors = records(role.rules).flatMap((rule, index) => validateRule(rule, namespaced, at('rules', index)));
  if (!isRecord(role.aggregationRule)) return errors;
  const field = 'aggregationRule.clusterRoleSelectors';
  const selectors = list(role.aggregationRule.clusterRoleSelectors);
  if (selectors.length === 0)
    errors.push(required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil'));
  selectors.forEach((selector, index) => {
    const faults = validateLabelSelector(selector, at(field, index));
    errors.push(...faults);
    // LabelSelectorAsSelector gives nil with its error, and that nil is what is printed
    if (faults.length > 0) errors.push(invalidValue(at(field, index), null, 'invalid label selector.'));
  });
  return errors;
}

const SUBJECT_KINDS = ['ServiceAccount', 'User', 'Group'] as const;

function validateSubject(subject: Fields, namespaced: boolean, field: string, groups: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const name = text(subject.name);
  const group = text(subject.apiGroup);
  if (name === '') errors.push(required(child(field, 'name')));
  switch (subject.kind) {
    case 'ServiceAccount':
      if (name !== '') errors.push(...invalidEach(child(field, 'name'), name, dnsSubdomain(name)));
      if (group !== '') errors.push(notSupported(child(field, 'apiGroup'), group, ['']));
      if (!namespaced && text(subject.namespace) === '') errors.push(required(child(field, 'namespace')));
      return errors;
    case 'User':
    case 'Group':
      if (!groups.includes(group)) errors.push(notSupported(child(field, 'apiGroup'), group, groups));
      return errors;
    default:
      return [...errors, notSupported(child(field, 'kind'), text(subject.kind), SUBJECT_KINDS)];
  }
}

function validateBinding(binding: KubeObject, namespaced: boolean, { subjectGroups }: ResourceHooks): FieldError[] {
  const ref = record(binding.roleRef);
  const kinds = namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'];
  const name = text(ref.name);
  const groups = subjectGroups?.() ?? [GROUP];
  const errors: FieldError[] = [];
  if (text(ref.apiGroup) !== GROUP) errors.push(notSupported('roleRef.apiGroup', text(ref.apiGroup), [GROUP]));
  if (!kinds.includes(text(ref.kind))) errors.push(notSupported('roleRef.kind', text(ref.kind), kinds));
  if (name === '') errors.push(required('roleRef.name'));
  else errors.push(...invalidEach('roleRef.name', name, pathSegment(name)));
  return [
    ...errors,
    ...records(binding.subjects).flatMap((subject, index) =>
      validateSubject(subject, namespaced, at('subjects', index), groups),
    ),
  ];
}

/** Users and groups live in RBAC's group, ServiceAccounts in none; a roleRef without group means RBAC's. */
function bindingDefaults(binding: KubeObject): KubeObject {
  const ref = record(binding.roleRef);
  const subjects = records(binding.subjects).map((subject) =>
    text(subject.apiGroup) === '' && (subject.kind === 'User' || subject.kind === 'Group')
      ? { ...subject, apiGroup: GROUP }
      : subject,
  );
  return withFields(binding, {
    roleRef: text(ref.apiGroup) === '' ? { ...ref, apiGroup: GROUP } : ref,
    subjects: subjects.length === 0 ? undefined : subjects,
  });
}

const ordered = (ref: Fields): Fields => ({ apiGroup: text(ref.apiGroup), kind: text(ref.kind), name: text(ref.name) });

/** How Go prints a struct of internal types in an error: RoleRef has no JSON names of its own there. */
const printedRoleRef = (ref: Fields): Fields => ({
  APIGroup: text(ref.apiGroup),
  Kind: text(ref.kind),
  Name: text(ref.name),
});

/** The same in Go's syntax. */
const roleRefSyntax = (ref: Fields): string => {
  const fields = Object.entries(printedRoleRef(ref)).map(([name, value]) => `${name}:${goQuote(text(value))}`);
  return `rbac.RoleRef{${fields.join(', ')}}`;
};

const roles = (hooks: ResourceHooks, namespaced: boolean): Behaviour => ({
  metadataOnUpdate: 'create-update',
  lookedAtTwiceUntil: 34,
  prepareForCreate: (role, context) => {
    hooks.confirmRoleWrite?.(role, undefined, context);
    return role;
  },
  prepareForUpdate: (role, old, context) => {
    hooks.confirmRoleWrite?.(role, old, context);
    return role;
  },
  validate: (role) => validateRole(role, namespaced),
});

const bindings = (hooks: ResourceHooks, namespaced: boolean): Behaviour => ({
  metadataOnUpdate: 'create-update',
  lookedAtTwiceUntil: 34,
  default: bindingDefaults,
  prepareForCreate: (binding, context) => {
    hooks.confirmBindingWrite?.(binding, undefined, context);
    return binding;
  },
  prepareForUpdate: (binding, old, context) => {
    hooks.confirmBindingWrite?.(binding, old, context);
    return binding;
  },
  validate: (binding) => validateBinding(binding, namespaced, hooks),
  validateChange: (binding, old) => {
    const ref = record(binding.roleRef);
    return hooks.roleRefMayChange?.() || isDeepStrictEqual(ordered(ref), ordered(record(old.roleRef)))
      ? []
      : [invalidValue('roleRef', printedRoleRef(ref), 'cannot change roleRef', roleRefSyntax(ref))];
  },
});

export const rbacBehaviours: Behaviours = {
  [`roles.${GROUP}`]: (hooks) => roles(hooks, true),
  [`clusterroles.${GROUP}`]: (hooks) => roles(hooks, false),
  [`rolebindings.${GROUP}`]: (hooks) => bindings(hooks, true),
  [`clusterrolebindings.${GROUP}`]: (hooks) => bindings(hooks, false),
};
