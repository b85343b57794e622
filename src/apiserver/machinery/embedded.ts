/**
 * Fields of structs that Go embeds: JSON does not show them, complaints of the decoder do ("Probe.spec.containers.livenessProbe.ProbeHandler.httpGet").
 * Source: k8s.io/api, core/v1/types.go, fields with `json:",inline"`.
 */
/** Fields of a PersistentVolume's spec that are no volume source. */
const NO_SOURCE = [
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
  'volumeAttributesClassName',
];

interface Embedded {
  readonly name: string;
  /** absent: every field but those of `beside` */
  readonly fields?: readonly string[];
  readonly beside?: readonly string[];
}

const REFERENCE: Embedded = { name: 'LocalObjectReference', fields: ['name'] };
const HANDLER: Embedded = { name: 'ProbeHandler', fields: ['exec', 'httpGet', 'tcpSocket', 'grpc'] };

const EMBEDDED: Readonly<Record<string, Embedded>> = {
  'v1.Volume': { name: 'VolumeSource', beside: ['name'] },
  'v1.Probe': HANDLER,
  'v1.PersistentVolumeSpec': {
    name: 'PersistentVolumeSource',
    beside: NO_SOURCE,
  },
  'v1.EphemeralContainer': { name: 'EphemeralContainerCommon', beside: ['targetContainerName'] },
  ...Object.fromEntries(
    [
      'SecretKeySelector',
      'ConfigMapKeySelector',
      'SecretEnvSource',
      'ConfigMapEnvSource',
      'SecretProjection',
      'ConfigMapProjection',
      'ConfigMapVolumeSource',
    ].map((name) => [`v1.${name}`, REFERENCE] as const),
  ),
};

/** A field's place in Go's words: with the struct that it is embedded by, if any. */
export function goField(struct: string | undefined, field: string): string {
  const embedded = struct === undefined ? undefined : EMBEDDED[struct];
  if (embedded === undefined) return field;
  const inside = embedded.fields?.includes(field) ?? embedded.beside?.includes(field) === false;
  return inside ? `${embedded.name}.${field}` : field;
}
