/**
 * What kubeadm init has written down, as it lies in the cluster: documents in ConfigMaps, and objects of its phases.
 * Source: 000, kubelet-config; 002, upload-config, mark-control-plane and addons.
 */
import { createHash } from 'node:crypto';
import { type Fields, isRecord, record, records, text } from '../../kubernetes/json.js';
import type { ConfigMap, KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { documentOf } from '../told/machine-configuration.js';

/** A document, or an object. null: it is not there, or is no mapping. */
export interface Document {
  /** "ConfigMap kube-system/kubelet-config, kubelet" */
  readonly subject: string;
  readonly fields: Fields | null;
}

/** The document under a key of a ConfigMap. */
export function readDocument(subject: string, map: ConfigMap | undefined, key: string): Document {
  const document = documentOf(map, key);
  return { subject: `${subject}, ${key}`, fields: isRecord(document) ? document : null };
}

export const readObject = (subject: string, object: KubeObject | undefined): Document => ({
  subject,
  fields: object === undefined ? null : { ...object },
});

/** Its labels, and as "key:effect" the taints of its role; others come and go with its state. */
export const readMarks = (subject: string, node: KubeObject | undefined): Document => ({
  subject,
  fields:
    node === undefined
      ? null
      : {
          labels: node.metadata.labels ?? {},
          taints: records(record(node.spec).taints)
            .filter(({ key }) => text(key).startsWith('node-role.kubernetes.io/'))
            .map(({ key, effect }) => `${text(key)}:${text(effect)}`)
            .sort(),
        },
});

const ABSENT = '(absent)';

/** "spec > ports > 0 > port"; '(absent)' where there is none. */
export function valueAt(fields: unknown, path: string): string {
  const value = path
    .split(' > ')
    .reduce<unknown>((at, key) => (Array.isArray(at) ? at[Number(key)] : record(at)[key]), fields);
  if (value === undefined) return ABSENT;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What a field is to say: one of these. */
export interface Saying {
  readonly field: string;
  readonly values: readonly string[];
}

export const documentSays: Check<Document, { readonly wanted: readonly Saying[] }> = {
  id: 'init-objects/says',
  source: '000, kubelet-config; 002, upload-config, mark-control-plane and addons',
  judge: ({ subject, fields }, { wanted }) =>
    wanted.map(({ field, values }) => {
      const seen = fields === null ? 'it is not there' : valueAt(fields, field);
      return demand({
        subject,
        demanded: `${field} is ${values.join(' or ') || '(empty)'}`,
        seen: seen === '' ? '(empty)' : seen,
        ok: fields !== null && values.includes(seen),
      });
    }),
};

/** A field, and what stands elsewhere in the cluster for the same. */
export interface Same {
  readonly subject: string;
  readonly field: string;
  readonly value: string;
  /** "the address of the Service kube-dns" */
  readonly other: string;
  readonly otherValue: string;
}

export const documentAgrees: Check<readonly Same[]> = {
  id: 'init-objects/agrees',
  source: '000, kubelet-config; cmd/kubeadm/app/componentconfigs/kubelet.go',
  judge: (all) =>
    all.map(({ subject, field, value, other, otherValue }) =>
      demand({
        subject,
        demanded: `${field} is ${other}`,
        seen: `${value}, and that ${otherValue}`,
        ok: value !== ABSENT && value !== '' && value === otherValue,
      }),
    ),
};

const ANNOTATION = 'kubeadm.kubernetes.io/component-config.hash';

/** A configuration, and what its ConfigMap says of its bytes. */
export interface Hashed {
  readonly subject: string;
  readonly told: string;
  readonly computed: string;
}

/** Over all values in the order of their keys. */
export function readHashed(subject: string, map: ConfigMap): Hashed {
  const data = Object.entries(map.data ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256');
  for (const [, value] of data) hash.update(value);
  return { subject, told: map.metadata.annotations?.[ANNOTATION] ?? '', computed: `sha256:${hash.digest('hex')}` };
}

export const hashHolds: Check<readonly Hashed[]> = {
  id: 'init-objects/hash',
  source: '000, kubelet-config; cmd/kubeadm/app/componentconfigs/checksums.go',
  judge: (all) =>
    all.map(({ subject, told, computed }) =>
      demand({
        subject,
        demanded: `${ANNOTATION} is the hash of its text`,
        seen: told === computed ? told : `${told || 'there is none'}, and the hash is ${computed}`,
        ok: told === computed,
      }),
    ),
};
