/**
 * ServiceAccount: pods run as a service account, the default one where none is named, with its token mounted.
 * Source: plugin/pkg/admission/serviceaccount/admission.go.
 */

import type { AdmissionPlugin } from '../../apiserver/access.js';
import { goQuote } from '../../apiserver/go/text.js';
import { notAdmitted } from '../../apiserver/machinery/errors.js';
import type { RandomBytes, Store } from '../../apiserver/types.js';
import { type Fields, record, records, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';

const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const VOLUME = 'kube-api-access-';
/** Letters of generated names. Source: apimachinery, pkg/util/rand. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** The pod's spec with the token of its account in every container that has nothing of its own at that path. */
function withToken(spec: Fields, sources: readonly Fields[], random: RandomBytes): Fields {
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
  const volume = { name, projected: { sources, defaultMode: 420 } };
  return {
    ...spec,
    containers,
    ...(initContainers.length === 0 ? {} : { initContainers }),
    ...(needed && given === undefined ? { volumes: [...volumes, volume] } : {}),
  };
}

export interface ServiceAccountOptions {
  readonly store: Store;
  readonly random: RandomBytes;
  readonly decisions: Decisions;
}

export function serviceAccountAdmission({ store, random, decisions }: ServiceAccountOptions): AdmissionPlugin {
  /** The pod as its account's, or why it may not be. */
  const withAccount = (pod: KubeObject, namespace: string): KubeObject | string => {
    const given = record(pod.spec);
    const fallback = decisions.defaultServiceAccount();
    const name = text(given.serviceAccountName) === '' ? fallback : text(given.serviceAccountName);
    const account = store.get({ group: '', resource: 'serviceaccounts' }, namespace, name);
    // Upstream waits for the default account, which a controller is about to make; here it is taken as made.
    if (account === undefined && name !== fallback)
      return `error looking up service account ${namespace}/${name}: serviceaccount ${goQuote(name)} not found`;
    const named = { ...given, serviceAccountName: name, serviceAccount: name };
    const spec = decisions.mountsToken(named, account)
      ? withToken(named, decisions.tokenVolumeSources(), random)
      : named;
    const secrets = records(account?.imagePullSecrets).map((secret) => ({ name: text(secret.name) }));
    const taken = records(record(spec).imagePullSecrets).length === 0 && secrets.length > 0;
    return { ...pod, spec: taken ? { ...spec, imagePullSecrets: secrets } : spec };
  };

  return {
    name: 'ServiceAccount',
    mutate(attributes) {
      const { operation, group, resource, subresource, namespace, object } = attributes;
      if (operation !== 'CREATE' || group !== '' || resource !== 'pods' || subresource !== '' || object === undefined)
        return undefined;
      const answer = decisions.isMirrorPod(object.metadata.annotations ?? {})
        ? decisions.mirrorPodProblem(decisions.podReferences(object))
        : withAccount(object, namespace);
      if (typeof answer === 'string') throw notAdmitted(attributes, answer);
      return answer;
    },
  };
}
