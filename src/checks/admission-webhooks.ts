/**
 * Admission webhooks as joining machines meet them: who is asked before a request of theirs is taken, whether he is
 * there, and to whom bootstrap tokens are sent when they are written.
 * Source: apiserver, pkg/admission/plugin/webhook/predicates/{rules/rules.go,namespace/matcher.go,object/matcher.go};
 * pkg/apis/admissionregistration/v1/defaults.go.
 */
import { isRecord, list, record, records, text, textMap, texts } from '../kubernetes/json.js';
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import { isAmong } from '../kubernetes/no-proxy.js';
import type { KubeObject } from '../kubernetes/objects.js';
import type { Check } from '../model/check.js';
import { refusal } from '../model/finding.js';

/** One webhook of a configuration, as far as it concerns machines that join. */
export interface Webhook {
  /** "ValidatingWebhookConfiguration a, webhook b.example.com" */
  readonly subject: string;
  /** What joining machines do of which it is asked: "create certificatesigningrequests". */
  readonly asked: readonly string[];
  /** What it does not answer is refused (failurePolicy). */
  readonly fails: boolean;
  /** Is it sent the bootstrap tokens that are written? */
  readonly seesTokens: boolean;
  /** null: it is reached by a URL. */
  readonly service: { readonly namespace: string; readonly name: string } | null;
  /** Host of its URL; empty where it is a Service. */
  readonly host: string;
}

/** A webhook, and whether its Service is there. */
export interface ReachedWebhook extends Webhook {
  readonly isThere: boolean;
}

interface Request {
  readonly operation: string;
  readonly group: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

const request = (operation: string, group: string, resource: string, namespaced = false): Request => ({
  operation,
  group,
  resource,
  namespaced,
});
const CERTIFICATES = 'certificates.k8s.io';
/** What is done for a machine that joins, by itself or by the controllers. */
const JOINING = [
  request('CREATE', CERTIFICATES, 'certificatesigningrequests'),
  request('UPDATE', CERTIFICATES, 'certificatesigningrequests/approval'),
  request('UPDATE', CERTIFICATES, 'certificatesigningrequests/status'),
  request('CREATE', '', 'nodes'),
  request('UPDATE', '', 'nodes/status'),
];
const TOKENS = [request('CREATE', '', 'secrets', true), request('UPDATE', '', 'secrets', true)];

const names = (given: unknown, wanted: string): boolean => texts(given).some((one) => one === '*' || one === wanted);

/** A resource, with or without a subresource; a star stands for any, but alone for no subresource. */
function namesResource(given: unknown, wanted: string): boolean {
  const [resource = '', subresource = ''] = wanted.split('/');
  return texts(given).some((one) => {
    const [first = '', second = ''] = one.split('/');
    return (first === '*' || first === resource) && (second === '*' || second === subresource);
  });
}

const isAskedOf = (rules: unknown, { operation, group, resource, namespaced }: Request): boolean =>
  records(rules).some(
    ({ operations, apiGroups, apiVersions, resources, scope }) =>
      names(operations, operation) &&
      names(apiGroups, group) &&
      names(apiVersions, 'v1') &&
      namesResource(resources, resource) &&
      ['', '*', namespaced ? 'Namespaced' : 'Cluster'].includes(text(scope)),
  );

/** Does a label selector pick what has these labels? One that says what nobody knows picks nothing. */
function picks(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels, matchExpressions } = record(selector);
  return (
    Object.entries(textMap(matchLabels)).every(([key, value]) => labels[key] === value) &&
    records(matchExpressions).every(({ key, operator, values }) => {
      const held = Object.hasOwn(labels, text(key)) ? labels[text(key)] : undefined;
      if (operator === 'Exists') return held !== undefined;
      if (operator === 'DoesNotExist') return held === undefined;
      if (operator === 'In') return held !== undefined && texts(values).includes(held);
      return operator === 'NotIn' && (held === undefined || !texts(values).includes(held));
    })
  );
}

/** A kubelet gives its Node this one and others, of which nobody knows; requests and tokens are written without. */
const NODE_LABELS = { 'kubernetes.io/os': 'linux' };

/** Does a selector pick what is written for a machine? Not where it asks for what is not known. */
function picksWritten(selector: unknown, { resource }: Request): boolean {
  if (!resource.startsWith('nodes')) return picks(selector, {});
  const { matchLabels, matchExpressions } = record(selector);
  const keys = [...Object.keys(textMap(matchLabels)), ...records(matchExpressions).map(({ key }) => text(key))];
  return keys.every((key) => Object.hasOwn(NODE_LABELS, key)) && picks(selector, NODE_LABELS);
}

/** Without brackets and port; empty where the text is no URL. */
function hostOf(url: string): string {
  try {
    return new URL(url).hostname.replace(/^\[|\]$/g, '');
  } catch {
    return '';
  }
}

/**
 * The webhooks of some configurations. What conditions in CEL let through is not known here, so that a webhook with
 * conditions is asked of nothing. `kubeSystem`: the labels of that namespace.
 */
export const readWebhooks = (
  configurations: readonly KubeObject[],
  kubeSystem: Readonly<Record<string, string>>,
): readonly Webhook[] =>
  configurations.flatMap((configuration) =>
    records(configuration.webhooks).map((webhook): Webhook => {
      const { name, rules, clientConfig, failurePolicy, namespaceSelector, objectSelector, matchConditions } = webhook;
      const { service, url } = record(clientConfig);
      const asks = (one: Request): boolean =>
        list(matchConditions).length === 0 &&
        isAskedOf(rules, one) &&
        picksWritten(objectSelector, one) &&
        (!one.namespaced || picks(namespaceSelector, kubeSystem));
      return {
        subject: `${configuration.kind ?? 'WebhookConfiguration'} ${configuration.metadata.name ?? ''}, webhook ${text(name)}`,
        asked: JOINING.filter(asks).map(({ operation, resource }) => `${operation.toLowerCase()} ${resource}`),
        fails: text(failurePolicy) !== 'Ignore',
        seesTokens: TOKENS.some(asks),
        service: isRecord(service) ? { namespace: text(service.namespace), name: text(service.name) } : null,
        host: isRecord(service) ? '' : hostOf(text(url)),
      };
    }),
  );

/** Must it be there for machines to join? */
export const isNeeded = ({ asked, fails, service }: Webhook): boolean => asked.length > 0 && fails && service !== null;

/** Without it every request of its kind is refused: "failed calling webhook". */
export const webhooksThere: Check<readonly ReachedWebhook[]> = {
  id: 'admission-webhooks/there',
  source: 'apiserver, pkg/admission/plugin/webhook/generic/webhook.go; pkg/apis/admissionregistration/v1/defaults.go',
  nothing: 'no webhook has to answer before a machine joins',
  judge: (webhooks) =>
    webhooks.filter(isNeeded).map(({ subject, asked, service, isThere }) => {
      const name = `${service?.namespace ?? ''}/${service?.name ?? ''}`;
      return refusal({
        subject,
        demanded: `has the Service that it names, since without an answer to "${asked.join('", "')}" none is done`,
        seen: isThere ? `Service ${name} is there` : `there is no Service ${name}`,
        ok: isThere,
      });
    }),
};

/** Networks that no network beyond carries. Source: RFC 1918, 3927, 4193, 4291, 6598. */
const OWN_NETWORKS: readonly (readonly [network: string, bits: string])[] = [
  ['10.0.0.0', '8'],
  ['100.64.0.0', '10'],
  ['127.0.0.0', '8'],
  ['169.254.0.0', '16'],
  ['172.16.0.0', '12'],
  ['192.168.0.0', '16'],
  ['::1', '128'],
  ['fc00::', '7'],
  ['fe80::', '10'],
];

/** Ends of names that no name server beyond a cluster's own knows. */
const OWN_NAMES = ['.svc', '.local', '.internal', '.localhost'];

/** The machine of the API server itself, or what may well be the cluster's own network. */
function isInside(given: string): boolean {
  const host = given.endsWith('.') ? given.slice(0, -1) : given;
  if (OWN_NETWORKS.some(([network, bits]) => isAmong(host, network, bits))) return true;
  return (!host.includes('.') && !host.includes(':')) || OWN_NAMES.some((end) => host.endsWith(end));
}

/** Whoever gets a token can join with it. */
export const tokensKeptInside: Check<readonly Webhook[]> = {
  id: 'admission-webhooks/tokens',
  source: 'apiserver, pkg/admission/plugin/webhook/request/admissionreview.go: the object is sent whole',
  judge: (webhooks) => {
    const demanded = `is sent no Secret of ${KUBE_SYSTEM} over a network beyond the cluster's own`;
    const told = webhooks.filter(({ seesTokens, host }) => seesTokens && host !== '' && !isInside(host));
    if (told.length === 0)
      return [refusal({ subject: 'admission webhooks', demanded, seen: 'none is sent any', ok: true })];
    return told.map(({ subject, host }) =>
      refusal({ subject, demanded, seen: `each bootstrap token that is written goes to ${host}`, ok: false }),
    );
  },
};
