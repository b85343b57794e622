/**
 * What the API server's default admission makes of a new Pod: a ServiceAccount and its token, a priority, tolerations. Run in this order, after
 * NamespaceLifecycle. Source: plugin/pkg/admission/{serviceaccount,priority,defaulttolerationseconds}/admission.go.
 */
import type { KubeObject } from '../../kubernetes/objects.js';
import { forbidden } from '../api/errors.js';
import type { AdmissionAttributes, AdmissionPlugin, RandomBytes, Store } from '../types.js';
import { count, type Fields, record, records, spec, text, withFields } from './read.js';

const PODS = { group: '', resource: 'pods' } as const;
const ACCOUNTS = { group: '', resource: 'serviceaccounts' } as const;
const CLASSES = { group: 'scheduling.k8s.io', resource: 'priorityclasses' } as const;
const MIRROR = 'kubernetes.io/config.mirror';
const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const VOLUME_PREFIX = 'kube-api-access-';
/** One hour, and seven seconds by which the server knows tokens that it may extend. */
const TOKEN_SECONDS = 3607;
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** A pod that is being created, nothing else. */
const newPod = ({ operation, group, resource, subresource, object }: AdmissionAttributes): KubeObject | undefined =>
  operation === 'CREATE' && group === '' && resource === 'pods' && subresource === '' ? object : undefined;

const refuse = (pod: KubeObject, why: string): never => {
  throw forbidden(PODS, pod.metadata.name ?? pod.metadata.generateName ?? '', why);
};

const tokenVolume = (name: string): Fields => ({
  name,
  projected: {
    defaultMode: 0o644,
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: TOKEN_SECONDS } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
    ],
  },
});

/** Gives every container that does not mount something there itself the token of the ServiceAccount. */
function mountToken(pod: KubeObject, random: RandomBytes): KubeObject {
  const own = spec(pod);
  const volumes = records(own.volumes);
  const existing = volumes.find((volume) => text(volume.name).startsWith(VOLUME_PREFIX));
  const name = existing === undefined ? `${VOLUME_PREFIX}${[...random(5)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}` : text(existing.name);
  let mounted = false;
  const mount = (container: Fields): Fields => {
    const mounts = records(container.volumeMounts);
    if (mounts.some(({ mountPath }) => mountPath === TOKEN_PATH)) return container;
    mounted = true;
    return { ...container, volumeMounts: [...mounts, { name, readOnly: true, mountPath: TOKEN_PATH }] };
  };
  const containers = records(own.containers).map(mount);
  const initContainers = records(own.initContainers).map(mount);
  return withFields(pod, {
    spec: {
      ...own,
      ...(own.containers === undefined ? {} : { containers }),
      ...(initContainers.length === 0 ? {} : { initContainers }),
      ...(mounted && existing === undefined ? { volumes: [...volumes, tokenVolume(name)] } : {}),
    },
  });
}

function mirrorPod(pod: KubeObject): undefined {
  const own = spec(pod);
  if (text(own.serviceAccountName) !== '') refuse(pod, 'a mirror pod may not reference service accounts');
  const volumes = records(own.volumes);
  if (volumes.some((volume) => volume.secret !== undefined)) refuse(pod, 'a mirror pod may not reference secrets');
  const sources = volumes.flatMap((volume) => records(record(volume.projected).sources));
  if (sources.some((source) => source.serviceAccountToken !== undefined)) refuse(pod, 'a mirror pod may not use ServiceAccountToken volume projections');
  return undefined;
}

const serviceAccount = (store: Store, random: RandomBytes): AdmissionPlugin => ({
  name: 'ServiceAccount',
  mutate(attributes) {
    const pod = newPod(attributes);
    if (pod === undefined) return undefined;
    if (pod.metadata.annotations?.[MIRROR] !== undefined) return mirrorPod(pod);
    const own = spec(pod);
    const name = text(own.serviceAccountName) || text(own.serviceAccount) || 'default';
    const account = store.get(ACCOUNTS, attributes.namespace, name);
    if (account === undefined)
      return refuse(pod, `error looking up service account ${attributes.namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`);
    const secrets = records(account.imagePullSecrets).map((secret) => ({ name: secret.name }));
    const pulls = records(own.imagePullSecrets).length === 0 && secrets.length > 0 ? { imagePullSecrets: secrets } : {};
    const named = withFields(pod, { spec: { ...own, serviceAccountName: name, serviceAccount: name, ...pulls } });
    const automount = own.automountServiceAccountToken ?? account.automountServiceAccountToken;
    return automount === false ? named : mountToken(named, random);
  },
});

const priority = (store: Store): AdmissionPlugin => ({
  name: 'Priority',
  mutate(attributes) {
    const pod = newPod(attributes);
    if (pod === undefined) return undefined;
    const own = spec(pod);
    const wanted = text(own.priorityClassName);
    const found = wanted === '' ? store.list(CLASSES).find((one) => one.globalDefault === true) : store.get(CLASSES, undefined, wanted);
    if (wanted !== '' && found === undefined) return refuse(pod, `no PriorityClass with name ${wanted} was found`);
    const value = count(found?.value);
    if (own.priority !== undefined && own.priority !== value)
      return refuse(
        pod,
        `the integer value of priority (${String(own.priority)}) must not be provided in pod spec; priority admission controller computed ${value} from the given PriorityClass name`,
      );
    const preemptionPolicy = text(found?.preemptionPolicy) || 'PreemptLowerPriority';
    const className = found === undefined ? {} : { priorityClassName: found.metadata.name };
    return withFields(pod, { spec: { ...own, ...className, priority: value, preemptionPolicy } });
  },
});

const NODE_TAINTS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'] as const;

const defaultTolerations: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  mutate(attributes) {
    const pod = newPod(attributes);
    if (pod === undefined) return undefined;
    const own = spec(pod);
    const tolerations = records(own.tolerations);
    const tolerated = (key: string): boolean =>
      tolerations.some((one) => (text(one.key) === '' || one.key === key) && (text(one.effect) === '' || one.effect === 'NoExecute'));
    const added = NODE_TAINTS.filter((key) => !tolerated(key)).map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
    return added.length === 0 ? undefined : withFields(pod, { spec: { ...own, tolerations: [...tolerations, ...added] } });
  },
};

/** In the order of the API server's own list. */
export const podAdmission = (store: Store, random: RandomBytes): readonly AdmissionPlugin[] => [
  serviceAccount(store, random),
  priority(store),
  defaultTolerations,
];
