/** What nodes of which releases are set up with. */
import type { ReleaseSpan } from './release.js';

/** The socket of the container runtime stands in a file of the node's own. Source: NodeLocalCRISocket, 1.34. */
export const INSTANCE_CONFIG: ReleaseSpan = { since: 34 };
/** kubeadm names the kubelet its pause image. Source: release notes of 1.35. */
export const PAUSE_IMAGE_NAMED: ReleaseSpan = { until: 34 };
