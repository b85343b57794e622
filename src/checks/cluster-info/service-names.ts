/** Whether Pods recognise the API server by its Service: what is presented to who asks by its addresses and names. */
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { certificatesIn, isSignedBy } from '../certificates/x509.js';
import { namesHost } from './address.js';

/** What a handshake shows to who asks by one of them. */
export interface ServiceNamed {
  /** "10.96.0.1", "kubernetes.default.svc" */
  readonly host: string;
  /** The certificate that is presented then, PEM. */
  readonly leaf: string;
}

/** Source: pki_helpers.go GetAPIServerAltNames; the name in the domain of the cluster stands beside them. */
const NAMES = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];

/** Reader: the names of the Service; `domain` of the cluster, '' where nothing says it. */
export const serviceNames = (domain: string): readonly string[] =>
  domain === '' ? NAMES : [...NAMES, `kubernetes.default.svc.${domain}`];

/** Reader: whether an authority that Pods are given has issued something of a chain; both PEM. */
export function vouchedFor(chain: string, authorities: string): boolean {
  const signers = certificatesIn(authorities);
  return certificatesIn(chain).some((one) => signers.some((signer) => isSignedBy(one, signer)));
}

/** `server`: where it was asked. */
export const namesService: Check<readonly ServiceNamed[], { readonly server: string }> = {
  id: 'service-names/named',
  source: 'cmd/kubeadm/app/util/pkiutil/pki_helpers.go GetAPIServerAltNames; client-go rest/config.go InClusterConfig',
  nothing: 'nothing says what the Service of the API server is called',
  judge: (all, { server }) =>
    all.map(({ host, leaf }) => {
      const ok = namesHost(leaf, host);
      const demanded = `names its Service ${host}`;
      return demand({ subject: `the certificate of ${server}`, demanded, seen: ok ? 'it does' : 'it does not', ok });
    }),
};
