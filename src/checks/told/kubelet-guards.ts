/**
 * By what kubelets are told to guard what they serve: the versions and suites of TLS, and for how long they hold to what
 * the API server has once said of a token or of a right.
 * Source: pkg/kubelet/apis/config/v1beta1/defaults.go; crypto/tls InsecureCipherSuites.
 */
import { isRecord, record, text, texts } from '../../kubernetes/json.js';
import type { ConfigMap } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { secondsOf } from '../written/flag-values.js';
import { documentOf } from './machine-configuration.js';

export interface KubeletGuards {
  /** "ConfigMap kube-system/kubelet-config" */
  readonly subject: string;
  readonly there: boolean;
  /** What is weak. */
  readonly weak: readonly string[];
}

/** Nobody speaks them any more. Source: RFC 8996. */
const OLD = ['VersionTLS10', 'VersionTLS11'];
const WEAK_SUITE = /RC4|3DES/;
/** Whoever has lost a right has it this long at a kubelet; told are minutes. */
const LONGEST = 3600;

/** Reader. */
export function readKubeletGuards(subject: string, map: ConfigMap | undefined): KubeletGuards {
  const settings = documentOf(map, 'kubelet');
  if (!isRecord(settings)) return { subject, there: false, weak: [] };
  const least = text(settings.tlsMinVersion);
  const { cacheAuthorizedTTL } = record(record(settings.authorization).webhook);
  const { cacheTTL } = record(record(settings.authentication).webhook);
  const held = Object.entries({
    'authentication.webhook.cacheTTL': text(cacheTTL),
    'authorization.webhook.cacheAuthorizedTTL': text(cacheAuthorizedTTL),
  });
  return {
    subject,
    there: true,
    weak: [
      ...(OLD.includes(least) ? [`tlsMinVersion ${least}`] : []),
      ...texts(settings.tlsCipherSuites)
        .filter((suite) => WEAK_SUITE.test(suite))
        .map((suite) => `tlsCipherSuites ${suite}`),
      ...held.flatMap(([name, value]) => ((secondsOf(value) ?? 0) > LONGEST ? [`${name} ${value}`] : [])),
    ],
  };
}

/** Every kubelet that joins is started with it. */
export const kubeletsKeepUp: Check<KubeletGuards> = {
  id: 'kubelet-guards/keep-up',
  source: 'pkg/kubelet/apis/config/v1beta1/defaults.go; RFC 8996',
  nothing: 'no configuration of kubelets can be read',
  judge: ({ subject, there, weak }) =>
    there
      ? [
          demand({
            subject,
            demanded: 'has kubelets speak TLS of today, and ask again within an hour whom they let in',
            seen: weak.join('; ').slice(0, 240) || 'it does',
            ok: weak.length === 0,
          }),
        ]
      : [],
};
