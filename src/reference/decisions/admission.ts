/** Which admission plug-ins run, and in which order. Source: pkg/kubeapiserver/options/plugins.go AllOrderedPlugins. */

/** The plug-ins that the reference has. */
export type AdmissionName =
  | 'NamespaceLifecycle'
  | 'ServiceAccount'
  | 'NodeRestriction'
  | 'TaintNodesByCondition'
  | 'Priority'
  | 'DefaultTolerationSeconds'
  | 'CertificateApproval'
  | 'CertificateSigning'
  | 'CertificateSubjectRestriction';

export const admissionDecisions = {
  /** Plug-ins in the order of running, as kubeadm configures them: the defaults, and NodeRestriction. */
  admissionPlugins: (): readonly AdmissionName[] => [
    'NamespaceLifecycle',
    'ServiceAccount',
    'NodeRestriction',
    'TaintNodesByCondition',
    'Priority',
    'DefaultTolerationSeconds',
    'CertificateApproval',
    'CertificateSigning',
    'CertificateSubjectRestriction',
  ],
};
