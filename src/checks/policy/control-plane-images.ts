/**
 * Versions of what asks the API server, by the images that run: controllers and schedulers one minor behind at most,
 * proxies three, and none of them ahead.
 * Source: kubernetes.io, version skew policy; cmd/kubeadm/app/images.
 */
import { text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { containersOf } from './host-paths.js';
import { podOf } from './pod-mounts.js';

export interface ImageRun {
  /** "Pod kube-system/kube-scheduler-cp-1" */
  readonly subject: string;
  /** "kube-scheduler" */
  readonly program: string;
  /** "v1.36.0" */
  readonly version: string;
  readonly minor: number;
}

const BEHIND: Readonly<Record<string, number>> = { 'kube-controller-manager': 1, 'kube-scheduler': 1, 'kube-proxy': 3 };
const SERVER = 'kube-apiserver';
const TAGGED = /\/(kube-(?:apiserver|controller-manager|scheduler|proxy)):(v1\.(\d{1,3})\.[\w.-]{1,60})(?:@|$)/;

/** Reader of a Pod or of what makes Pods: programs of Kubernetes whose image says its version. */
export const readImagesRun = (pod: KubeObject, kind: string): readonly ImageRun[] =>
  containersOf(podOf(pod)).flatMap(({ image }) => {
    const [, program = '', version = '', minor = ''] = TAGGED.exec(text(image)) ?? [];
    const { namespace = '', name = '' } = pod.metadata;
    return program === '' ? [] : [{ subject: `${kind} ${namespace}/${name}`, program, version, minor: Number(minor) }];
  });

/** Of a container of the control plane: "registry.example.com/etcd:3.6.0". */
export interface ImageNamed {
  readonly subject: string;
  readonly image: string;
}

/** Reader of a Pod of the control plane. */
export const readImagesNamed = (pod: KubeObject, kind: string): readonly ImageNamed[] =>
  containersOf(podOf(pod)).map(({ image }) => ({
    subject: `${kind} ${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`,
    image: text(image),
  }));

/** Behind the last "/" a tag, which is not that of whatever is newest, or a digest. */
function saysVersion(image: string): boolean {
  const name = image.slice(image.lastIndexOf('/') + 1);
  const [tagged = '', digest] = name.split('@');
  const tag = tagged.split(':')[1] ?? '';
  return digest !== undefined || (tag !== '' && tag !== 'latest');
}

/** Each control plane runs what it was given, and not what somebody has pushed since. */
export const imagesSayVersions: Check<readonly ImageNamed[]> = {
  id: 'control-plane-images/named',
  source: 'kubernetes.io, Images, image names and ImagePullPolicy; cmd/kubeadm/app/images',
  nothing: 'no Pod of kube-system is that of a control plane',
  judge: (images) => {
    const demanded = 'has an image of one version';
    const odd = images
      .filter(({ image }) => !saysVersion(image))
      .map(({ subject, image }) => demand({ subject, demanded, seen: image.slice(0, 120) || 'none', ok: false }));
    if (odd.length > 0 || images.length === 0) return odd;
    return [demand({ subject: 'the control plane', demanded, seen: `each of ${images.length} containers`, ok: true })];
  },
};

/** `minor`: of the API server that was asked; another one may be ahead of it while they are upgraded. */
export const imagesFit: Check<readonly ImageRun[], { readonly minor: number }> = {
  id: 'control-plane-images/fit',
  source: 'kubernetes.io, version skew policy',
  nothing: 'no image of the control plane says its version',
  judge: (images, { minor }) => {
    const newest = Math.max(minor, ...images.filter(({ program }) => program === SERVER).map((one) => one.minor));
    return images
      .filter(({ program }) => program !== SERVER)
      .map(({ subject, program, version, minor: own }) =>
        demand({
          subject,
          demanded: 'is no newer than the API server, and not too old for it',
          seen: `${program} ${version}, and API servers of 1.${newest}`,
          ok: own <= newest && own >= minor - (BEHIND[program] ?? 0),
        }),
      );
  },
};
