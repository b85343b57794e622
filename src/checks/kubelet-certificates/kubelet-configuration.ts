/** What kubelets are told to do with their certificates. Source: kubelet.config.k8s.io/v1beta1 KubeletConfiguration. */
import { isRecord } from '../../kubernetes/json.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';

/** The configuration that kubeadm hands to joining kubelets, as far as certificates go. */
export interface KubeletConfiguration {
  /** "ConfigMap kube-system/kubelet-config" */
  readonly subject: string;
  readonly read:
    | { readonly unreadable: string }
    | {
        readonly rotateCertificates?: unknown;
        readonly serverTLSBootstrap?: unknown;
        /** RotateKubeletServerCertificate, or what all beta features are set to. */
        readonly gate?: unknown;
      };
}

/** From the text of the ConfigMap's key "kubelet". */
export function readKubeletConfiguration(subject: string, text: string): KubeletConfiguration {
  let document: unknown;
  try {
    document = parseYaml(text);
  } catch {
    return { subject, read: { unreadable: 'it is no YAML' } };
  }
  if (!isRecord(document)) return { subject, read: { unreadable: 'it is no mapping' } };
  const { rotateCertificates, serverTLSBootstrap, featureGates } = document;
  const gates = isRecord(featureGates) ? featureGates : {};
  // the feature is beta: what is said of all of them goes for it where nothing is said of itself
  const gate = gates.RotateKubeletServerCertificate ?? gates.AllBeta;
  return { subject, read: { rotateCertificates, serverTLSBootstrap, gate } };
}

const unreadable = (subject: string, seen: string): Finding =>
  demand({ subject, demanded: 'its key "kubelet" is a configuration in YAML', seen, ok: false });

export const kubeletRotates: Check<KubeletConfiguration> = {
  id: 'kubelet-configuration/rotates',
  source: '002 and 000, rotateCertificates; pkg/kubelet/apis/config/types.go',
  judge: ({ subject, read }) => {
    if ('unreadable' in read) return [unreadable(subject, read.unreadable)];
    const { rotateCertificates } = read;
    return [
      demand({
        subject,
        demanded: 'rotateCertificates: true',
        seen: `rotateCertificates: ${rotateCertificates ?? 'not set, which is false'}`,
        ok: rotateCertificates === true,
      }),
    ];
  },
};

export const kubeletServingGate: Check<KubeletConfiguration> = {
  id: 'kubelet-configuration/serving-gate',
  source: '004, RotateKubeletServerCertificate and serverTLSBootstrap; pkg/kubelet/kubelet.go NewMainKubelet',
  judge: ({ subject, read }) => {
    if ('unreadable' in read) return [unreadable(subject, read.unreadable)];
    const { serverTLSBootstrap, gate } = read;
    return [
      demand({
        subject,
        demanded: 'the feature gate RotateKubeletServerCertificate is on',
        seen: `serverTLSBootstrap: ${serverTLSBootstrap ?? 'not set'}, gate: ${gate ?? 'not set, which is on'}`,
        ok: gate !== false,
        note: serverTLSBootstrap === true ? undefined : 'kubelets serve with self-signed certificates here',
      }),
    ];
  },
};
