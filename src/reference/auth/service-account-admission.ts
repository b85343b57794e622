/**
 * Pods run as a service account: the default one where none is named, with its token mounted. Source: plugin/pkg/admission/serviceaccount/admission.go.
 */

import { goQuote } from '../../apiserver/go/text.js';
import { forbidden } from '../../apiserver/machinery/errors.js';
import type { AdmissionAttributes, AdmissionPlugin, RandomBytes, Store } from '../../apiserver/types.js';
import { type Fields, isRecord, record, records, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { MIRROR_POD, podReferences } from './node-graph.js';

const PODS = { group: '', resource: 'pods' };
const DEFAULT = 'default';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const VOLUME = 'kube-api-access-';
/** Letters of generated names. Source: apimachinery, pkg/util/rand. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** What a mirror pod may not refer to: it must not gain rights by what its node wrote. */
function refuseMirror(pod: KubeObject): string | undefined {
  const references = podReferences(pod);
  if (references.serviceAccount !== '') return 'a mirror pod may not reference service accounts';
  if (references.secrets.length > 0) return 'a mirror pod may not reference secrets';
  return references.serviceAccountTokens
    ? 'a mirror pod may not use ServiceAccountToken volume projections'
    : undefined;
}

const tokenVolume = (name: string): Fields => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
    defaultMode: 420,
  },
});

/** The pod's spec with the token of its account in every container that has nothing of its own at that path. */
function withToken(spec: Fields, random: RandomBytes): Fields {
  const volumes = records(spec.volumes);
  const given = volumes.map((volume) => text(volume.name)).find((name) => name.startsWith(VOLUME));
  const name = given ?? VOLUME + [...random(5)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  let needed = false;
  const mount = (container: Fields): Fields => {
    const mounts = records(container.volumeMounts);
    if (mounts.some((one) => one.mountPath === MOUNT_PATH)) return container;
    needed = true;
    return { ...container, volumeMounts: [...mounts, { name, readOnly: true, mountPath: MOUNT_PATH }] };
  };
  const containers = records(spec.containers).map(mount);
  const initContainers = records(spec.initContainers).map(mount);
  return {
    ...spec,
    containers,
    ...(initContainers.length === 0 ? {} : { initContainers }),
    ...(needed && given === undefined ? { volumes: [...volumes, tokenVolume(name)] } : {}),
  };
}

const boolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

export function serviceAccountAdmission(store: Store, random: RandomBytes): AdmissionPlugin {
  const refuse = ({ name, object }: AdmissionAttributes, why: string): never => {
    throw forbidden(PODS, name || object?.metadata.name || object?.metadata.generateName || 'Unknown', why);
  };
  return {
    name: 'ServiceAccount',
    mutate(attributes) {
      const { operation, group, resource, subresource, namespace, object } = attributes;
      if (operation !== 'CREATE' || group !== '' || resource !== 'pods' || subresource !== '' || object === undefined)
        return undefined;
      if (MIRROR_POD in (object.metadata.annotations ?? {})) {
        const why = refuseMirror(object);
        return why === undefined ? undefined : refuse(attributes, why);
      }
      let spec: Fields = record(object.spec);
      const name = text(spec.serviceAccountName) === '' ? DEFAULT : text(spec.serviceAccountName);
      const account = store.get({ group: '', resource: 'serviceaccounts' }, namespace, name);
      // Upstream waits for the default account, which a controller is about to make; here it is taken as made.
      if (account === undefined && name !== DEFAULT) {
        return refuse(
          attributes,
          `error looking up service account ${namespace}/${name}: serviceaccount ${goQuote(name)} not found`,
        );
      }
      spec = { ...spec, serviceAccountName: name, serviceAccount: name };
      if (boolean(spec.automountServiceAccountToken) ?? boolean(account?.automountServiceAccountToken) ?? true)
        spec = withToken(spec, random);
      const secrets = records(account?.imagePullSecrets).filter(isRecord);
      if (records(spec.imagePullSecrets).length === 0 && secrets.length > 0) {
        spec = { ...spec, imagePullSecrets: secrets.map((secret) => ({ name: text(secret.name) })) };
      }
      return { ...object, spec };
    },
  };
}
