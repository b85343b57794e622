/** Defects of what leads from an object to a node. */
import { record, records, text } from '../kubernetes/json.js';
import { KUBE_PUBLIC } from '../kubernetes/names.js';
import type { KubeObject } from '../kubernetes/objects.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

/** As upstream sees a Pod that has none of these volumes. */
const withoutVolumes =
  (...kinds: readonly string[]) =>
  (pod: KubeObject) => {
    const spec = record(pod.spec);
    const volumes = records(spec.volumes).filter((volume) => kinds.every((kind) => volume[kind] === undefined));
    return upstream.podReferences({ ...pod, spec: { ...spec, volumes } });
  };

const isOf =
  (...parts: readonly string[]) =>
  ({ name }: { readonly name: string }): boolean =>
    parts.some((part) => name.endsWith(part));

const besideClaim = (volume: KubeObject, name: string) => ({
  namespace: text(record(record(volume.spec).claimRef).namespace),
  name,
});

export const mutants: readonly Mutant[] = [
  decides(
    'csi-volumes-open-nothing',
    'the Secret of a CSI volume is closed to the node of its Pod',
    ['P-361', 'P-73'],
    {
      podReferences: withoutVolumes('csi'),
    },
  ),
  decides(
    'old-volumes-open-nothing',
    'Secrets of volumes of old kinds are closed to the node of their Pod',
    ['P-361'],
    {
      podReferences: withoutVolumes('azureFile', 'flexVolume', 'iscsi', 'cephfs', 'rbd'),
    },
  ),
  decides(
    'ephemeral-containers-open-nothing',
    'what an ephemeral container uses is closed to the node of its Pod',
    ['P-361'],
    {
      podReferences: (pod) =>
        upstream.podReferences({ ...pod, spec: { ...record(pod.spec), ephemeralContainers: [] } }),
    },
  ),
  decides(
    'pods-that-are-to-end-open-nothing',
    'what is used by a Pod that is to end is closed to its node',
    ['P-361'],
    {
      podReferences: (pod) =>
        upstream.podReferences(pod.metadata.deletionTimestamp === undefined ? pod : { ...pod, spec: {} }),
    },
  ),
  decides('second-containers-open-nothing', 'of the containers of a Pod only the first is looked at', ['P-361'], {
    podReferences: (pod) => {
      const spec = record(pod.spec);
      return upstream.podReferences({ ...pod, spec: { ...spec, containers: records(spec.containers).slice(0, 1) } });
    },
  }),
  decides('ended-pods-open-nothing', 'what a Pod uses is closed to its node once it has ended', ['P-361'], {
    podReferences: (pod) =>
      upstream.podReferences(record(pod.status).phase === 'Succeeded' ? { ...pod, spec: {} } : pod),
  }),
  remembering(() => {
    const refused = new Set<string>();
    return decides(
      'volumes-that-come-later-are-closed',
      'a node that was refused a volume is refused it for ever',
      ['P-361'],
      {
        nodeOnVolume: (question) => {
          const { resource, name } = question.attributes;
          const asked = `${question.node} ${resource} ${name}`;
          if (refused.has(asked)) return 'was not there';
          const said = upstream.nodeOnVolume(question);
          if (said !== true) refused.add(asked);
          return said;
        },
      },
    );
  }),
  decides('claims-open-nothing', 'claims and their volumes are closed to the node of their Pod', ['P-361'], {
    podReferences: withoutVolumes('persistentVolumeClaim', 'ephemeral'),
  }),
  decides('volumes-open-no-secrets', 'Secrets of volumes are closed to the node that uses them', ['P-361'], {
    volumeSecrets: () => [],
  }),
  decides('volumes-open-secrets-beside-claims', 'Secrets of volumes are looked for beside the claim alone', ['P-361'], {
    volumeSecrets: (volume) => upstream.volumeSecrets(volume).map(({ name }) => besideClaim(volume, name)),
  }),
  decides(
    'volumes-open-secrets-of-everywhere',
    'volumes open the Secret of that name beside the claim, too',
    ['P-361'],
    {
      volumeSecrets: (volume) =>
        upstream.volumeSecrets(volume).flatMap((place) => [place, besideClaim(volume, place.name)]),
    },
  ),
  decides('volumes-open-secrets-of-kube-public', 'volumes open the Secret of that name elsewhere, too', ['P-361'], {
    volumeSecrets: (volume) =>
      upstream.volumeSecrets(volume).flatMap((place) => [place, { ...place, namespace: KUBE_PUBLIC }]),
  }),
  decides('volumes-open-all-secrets', 'a node reads the Secrets that controllers need for its volumes', ['P-361'], {
    volumeSecrets: (volume) => {
      const csi = record(record(volume.spec).csi);
      const names = records([csi.controllerPublishSecretRef]).map(({ name }) => String(name));
      return [...upstream.volumeSecrets(volume), ...names.map((name) => ({ namespace: 'default', name }))];
    },
  }),
  decides('secrets-of-volumes-for-all-nodes', 'every node reads the Secrets that some Pod uses', ['P-361'], {
    nodeOnSecret: (question) =>
      isOf(
        '-csi',
        '-azure',
        '-flex',
        '-iscsi',
        '-cephfs',
        '-rbd',
        '-scaleio',
        '-storageos',
        '-azurefile',
        '-flexvolume',
        '-later',
        '-publish',
        '-stage',
        '-expand',
      )(question.attributes) || upstream.nodeOnSecret(question),
    nodeOnConfigMap: (question) => isOf('-later')(question.attributes) || upstream.nodeOnConfigMap(question),
  }),
  decides('volumes-for-all-nodes', 'every node reads claims, volumes, attachments and device claims', ['P-361'], {
    nodeOnVolume: ({ attributes }) => attributes.verb === 'get' || 'only get',
  }),
  decides('device-claims-of-any-name', 'a node reads a device claim that its Pod does not name', ['P-361'], {
    nodeOnVolume: (question) => isOf('-other')(question.attributes) || upstream.nodeOnVolume(question),
  }),
  decides('volumes-for-no-node', 'no node reads volumes, attachments and device claims', ['P-361'], {
    nodeOnVolume: (question) =>
      question.attributes.resource === 'persistentvolumeclaims' ? upstream.nodeOnVolume(question) : 'not for nodes',
  }),
  decides('mirrors-open-what-they-name', 'what a mirror Pod names is open to its node', ['P-73'], {
    podOpensItsReferences: () => true,
  }),
  decides('rights-of-namespaces-untold', 'who asks for his rights is not told those of a namespace', ['P-360'], {
    namespaceOfListedRules: () => '',
  }),
  decides('rights-of-another-namespace', 'who asks for his rights is told those in default', ['P-360'], {
    namespaceOfListedRules: () => 'default',
  }),
  decides(
    'rights-on-paths-to-get',
    'who asks for his rights is told that he may get every path that he may write',
    ['P-360'],
    {
      listedRules: (rules) =>
        rules.map((rule) => (rule.nonResourceURLs === undefined ? rule : { ...rule, verbs: ['get'] })),
    },
  ),
  decides(
    'rights-of-every-verb',
    'who asks for his rights is told that he may do everything to what he may read',
    ['P-360'],
    {
      listedRules: (rules) => rules.map((rule) => ({ ...rule, verbs: ['*'] })),
    },
  ),
  decides('rights-on-paths-untold', 'who asks for his rights is not told those on paths', ['P-360'], {
    listedRules: (rules) => rules.filter(({ nonResourceURLs }) => nonResourceURLs === undefined),
  }),
];
