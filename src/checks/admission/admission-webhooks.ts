/**
 * Admission webhooks as joining machines meet them: who is asked before a request of theirs is taken, whether he is
 * there, and to whom bootstrap tokens are sent when they are written.
 * Source: apiserver, pkg/admission/plugin/webhook/predicates/{rules/rules.go,namespace/matcher.go,object/matcher.go};
 * pkg/apis/admissionregistration/v1/defaults.go.
 */
import { count, isRecord, record, records, text, texts } from '../../kubernetes/json.js';
import { KUBE_PUBLIC, KUBE_SYSTEM } from '../../kubernetes/names.js';
import { isAmong } from '../../kubernetes/no-proxy.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { refusal } from '../../model/finding.js';
import { decodedPem } from '../certificates/pem.js';
import { certificatesIn, tryCertificate } from '../certificates/x509.js';
import {
  areFor,
  conditionsOf,
  isNamedBy,
  JOINING,
  type Matched,
  type NamespaceLabels,
  requestText,
  scopeOf,
} from './joining-requests.js';
import { isOfSystem } from './system-namespaces.js';

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
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number } | null;
  /** Host of its URL; empty where it is a Service. */
  readonly host: string;
  /** Its caBundle lets the API server believe nobody. */
  readonly blind?: true;
  /** It may change certificate requests and their approvals, which it names. */
  readonly changes?: true;
  /** What it is asked of by name that makes nodes, rights or tokens: "update nodes/status". */
  readonly touches?: readonly string[];
}

/** A webhook, and what its Service lacks; '' where it lacks nothing, or nobody needs it. */
export interface ReachedWebhook extends Webhook {
  readonly lacks: '' | 'service' | 'port' | 'endpoints';
  /** Why nobody says what it lacks. */
  readonly unseen?: string;
}

const MUTATING = 'MutatingWebhookConfiguration';
/** Where a Service is not asked for another port. */
const HTTPS = 443;

/** Whoever writes a bootstrap token. */
const TOKENS: readonly Matched[] = ['CREATE', 'UPDATE'].map((operation) => ({
  operation,
  group: '',
  resource: 'secrets',
  namespace: KUBE_SYSTEM,
}));

/** What makes nodes, rights and tokens of whoever changes it on its way. */
const GUARDED: readonly Matched[] = [
  'CREATE nodes',
  'UPDATE nodes',
  'UPDATE nodes/status',
  `UPDATE configmaps ${KUBE_PUBLIC}`,
  `UPDATE configmaps ${KUBE_SYSTEM}`,
  `CREATE serviceaccounts/token ${KUBE_SYSTEM}`,
].map((one) => {
  const [operation = '', resource = '', namespace = ''] = one.split(' ');
  return { operation, group: '', resource, namespace };
});
const REVIEWS: readonly Matched[] = [
  { operation: 'CREATE', group: 'authentication.k8s.io', resource: 'tokenreviews', namespace: '' },
  { operation: 'CREATE', group: 'authorization.k8s.io', resource: 'subjectaccessreviews', namespace: '' },
  ...['CREATE', 'UPDATE'].map((operation) => ({
    operation,
    group: 'rbac.authorization.k8s.io',
    resource: 'clusterrolebindings',
    namespace: '',
  })),
];

/** Host without brackets, and port; an empty host where the text is no URL. */
function placeOf(url: string): { readonly host: string; readonly port: number } {
  try {
    const { hostname, port } = new URL(url);
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || HTTPS };
  } catch {
    return { host: '', port: HTTPS };
  }
}

/** By its Service, or by the name that the DNS of a cluster gives a Service; null: by a URL of somebody else. */
function serviceOf({ service, url }: Readonly<Record<string, unknown>>): Webhook['service'] {
  if (isRecord(service))
    return { namespace: text(service.namespace), name: text(service.name), port: count(service.port) || HTTPS };
  const { host, port } = placeOf(text(url));
  const [, name, namespace] = /^([a-z\d-]{1,63})\.([a-z\d-]{1,63})\.svc(?:\.cluster\.local\.?)?$/.exec(host) ?? [];
  return name === undefined || namespace === undefined ? null : { namespace, name, port };
}

/** Nothing but what is valid lets anybody in. Source: client-go, transport/transport.go rootCertPool. */
function isBlind(caBundle: unknown, now: number): boolean {
  if (text(caBundle) === '') return false;
  const valid = certificatesIn(decodedPem(text(caBundle))).some((der) => {
    const found = tryCertificate(der);
    return !('unreadable' in found) && found.notAfter > now;
  });
  return !valid;
}

/** What changes requests for certificates, their approvals and what is issued. */
const REQUESTS: readonly Matched[] = ['', '/approval', '/status'].flatMap((part) =>
  ['CREATE', 'UPDATE'].map((operation) => ({
    operation,
    group: 'certificates.k8s.io',
    resource: `certificatesigningrequests${part}`,
    namespace: '',
  })),
);

/**
 * Rules for whatever there is are those of policy engines, which pick by rules of their own: who names the group alone
 * means what is in it.
 */
const namesRequests = (rules: unknown): boolean =>
  records(rules).some((rule) => {
    const isForAny = texts(rule.apiGroups).includes('*');
    const meant = texts(rule.resources).filter((one) => !isForAny || !one.startsWith('*'));
    return REQUESTS.some((one) => isNamedBy([{ ...rule, resources: meant }], one));
  });

/** Those that say what they are for, and not whatever there is. */
const outright = (rules: unknown): readonly unknown[] =>
  records(rules).filter(
    ({ apiGroups, resources }) =>
      !texts(apiGroups).includes('*') && !texts(resources).some((one) => one === '*' || one.startsWith('*/')),
  );

interface Around {
  readonly labels: NamespaceLabels;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The webhooks of some configurations. One with conditions is not asked of what they may hold back. */
export const readWebhooks = (configurations: readonly KubeObject[], { labels, now }: Around): readonly Webhook[] =>
  configurations.flatMap((configuration) =>
    records(configuration.webhooks).map((webhook): Webhook => {
      const { name, rules, clientConfig, failurePolicy } = webhook;
      const { service, url, caBundle } = record(clientConfig);
      const asks = (one: Matched): boolean => isNamedBy(rules, one) && areFor(webhook, one, labels);
      const isConditional = records(webhook.matchConditions).length > 0;
      const guarded = configuration.kind === MUTATING ? [...GUARDED, ...REVIEWS, ...TOKENS] : TOKENS;
      const named = outright(rules);
      const touches = guarded.filter((one) => !isConditional && asks(one) && isNamedBy(named, one)).map(requestText);
      return {
        subject: `${configuration.kind ?? 'WebhookConfiguration'} ${configuration.metadata.name ?? ''}, webhook ${text(name)}`,
        asked: [
          ...new Set(
            JOINING.filter((one) => asks(one) && conditionsOf(webhook, scopeOf(one, labels)) === 'true').map(
              requestText,
            ),
          ),
        ],
        fails: text(failurePolicy) !== 'Ignore',
        seesTokens: !isConditional && TOKENS.some(asks),
        service: serviceOf({ service, url }),
        host: isRecord(service) ? '' : placeOf(text(url)).host,
        ...(isBlind(caBundle, now) ? { blind: true } : {}),
        ...(configuration.kind === MUTATING && namesRequests(rules) ? { changes: true } : {}),
        ...(touches.length === 0 ? {} : { touches: [...new Set(touches)] }),
      };
    }),
  );

/** Must it be there for machines to join? */
export const isNeeded = ({ asked, fails, service, blind }: Webhook): boolean =>
  asked.length > 0 && fails && (service !== null || blind === true);

/** Without it every request of its kind is refused: "failed calling webhook". */
export const webhooksThere: Check<readonly ReachedWebhook[]> = {
  id: 'admission-webhooks/there',
  source: 'apiserver, pkg/admission/plugin/webhook/generic/webhook.go; pkg/apis/admissionregistration/v1/defaults.go',
  nothing: 'no webhook has to answer before a machine joins',
  judge: (webhooks) =>
    webhooks.filter(isNeeded).map(({ subject, asked, service, lacks, blind }) => {
      const name = `${service?.namespace ?? ''}/${service?.name ?? ''}`;
      const seen = {
        '': `Service ${name} is there`,
        service: `there is no Service ${name}`,
        port: `Service ${name} has no port ${service?.port ?? HTTPS}`,
        endpoints: `behind Service ${name} nobody is ready`,
      }[lacks];
      return refusal({
        subject,
        demanded: `has the Service that it names, since without an answer to "${asked.join('", "')}" none is done`,
        seen: blind === true ? 'its caBundle holds no certificate that is valid' : seen,
        ok: lacks === '' && blind !== true,
      });
    }),
};

/**
 * Reader: what a Service lacks that a webhook needs; `slices`: its EndpointSlices. One that is but a name, or whose
 * endpoints somebody else looks after, is left alone.
 * Source: apiserver, pkg/util/webhook serviceresolver; kube-aggregator, pkg/apiserver/resolvers.go.
 */
export function lackOf(
  service: KubeObject | undefined,
  port: number,
  slices: readonly KubeObject[],
): ReachedWebhook['lacks'] {
  if (service === undefined) return 'service';
  const { type, ports, selector } = record(service.spec);
  if (type === 'ExternalName') return '';
  if (!records(ports).some((one) => one.port === port)) return 'port';
  if (Object.keys(record(selector)).length === 0) return '';
  const ready = slices.some(({ endpoints }) =>
    records(endpoints).some(({ conditions }) => record(conditions).ready !== false),
  );
  return ready ? '' : 'endpoints';
}

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

/**
 * What is answered to an approval is an approval: who is asked before it is stored may add one.
 * Source: apiserver, pkg/admission/plugin/webhook/mutating/dispatcher.go.
 */
export const requestsUnchanged: Check<readonly Webhook[]> = {
  id: 'admission-webhooks/unchanged',
  source: 'apiserver, pkg/admission/plugin/webhook/mutating; pkg/registry/certificates/certificates/strategy.go',
  judge: (webhooks) => {
    const demanded = 'changes no certificate request, and no approval';
    const told = webhooks.filter(({ changes }) => changes === true);
    if (told.length === 0)
      return [refusal({ subject: 'admission webhooks', demanded, seen: 'none names them', ok: true })];
    return told.map(({ subject, service, host }) => {
      const place = service === null ? host : `Service ${service.namespace}/${service.name}`;
      return refusal({ subject, demanded, seen: `each is changed as ${place} says`, ok: false });
    });
  },
};

/**
 * Who runs a Pod behind such a Service reads the tokens that are written, or makes of a Node what he likes: whoever may
 * change Pods of a namespace of a team.
 */
export const joiningUntouched: Check<readonly Webhook[]> = {
  id: 'admission-webhooks/untouched',
  source: 'apiserver, pkg/admission/plugin/webhook/mutating/dispatcher.go; request/admissionreview.go',
  judge: (webhooks) => {
    const demanded = 'is asked of no Node, token or right by a Service of a team';
    const told = webhooks.flatMap(({ subject, touches = [], service, host }) => {
      const isTeams = service === null ? !isInside(host) : !isOfSystem(service.namespace);
      const place = service === null ? host : `Service ${service.namespace}/${service.name}`;
      const seen = `${place} is asked of: ${touches.join(', ')}`;
      return isTeams && touches.length > 0 && place !== '' ? [refusal({ subject, demanded, seen, ok: false })] : [];
    });
    return told.length > 0 ? told : [refusal({ subject: 'admission webhooks', demanded, seen: 'none is', ok: true })];
  },
};
