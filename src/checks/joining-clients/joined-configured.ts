/** What a machine that joins as a control plane takes from kubeadm-config: its components run as those of the others do. */
import { record, records, text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { leftAt, type Machines, manifestFlags, ofKubeadm } from './joined-files.js';
import type { Machine } from './joined-files-reader.js';

const NOTHING = 'the client starts no control plane';
const manifestOf = (component: string): string => `/etc/kubernetes/manifests/${component}.yaml`;

/** One finding for each machine and row; a component that it does not start has none. */
const eachOf =
  <R extends { readonly component: string }>(
    look: (machine: Machine, row: R) => Pick<Finding, 'demanded' | 'seen'> & { readonly ok: boolean },
  ): Check<Machines, { readonly rows: readonly R[] }>['judge'] =>
  (machines, { rows }) =>
    ofKubeadm((all) =>
      all.flatMap((machine) =>
        rows.flatMap((row) => {
          const path = manifestOf(row.component);
          if (leftAt(machine, path) === undefined) return [];
          return demand({ subject: `${path} of ${machine.subject}`, ...look(machine, row) });
        }),
      ),
    )(machines, undefined);

/** Arguments, with what kubeadm makes of networks, folders and names. */
export const componentsTold: Check<
  Machines,
  { readonly rows: readonly { readonly component: string; readonly flag: string; readonly value: string }[] }
> = {
  id: 'joined-configured/told',
  source: 'cmd/kubeadm/app/phases/controlplane/manifests.go; phases/etcd/local.go getEtcdCommand',
  nothing: NOTHING,
  judge: eachOf((machine, { component, flag, value }) => {
    const found = manifestFlags(machine, component)?.get(flag);
    return { demanded: `says --${flag}=${value}`, seen: found ?? 'it does not say it', ok: found === value };
  }),
};

const podOf = (machine: Machine, component: string) => {
  const held = leftAt(machine, manifestOf(component))?.held;
  return held?.kind === 'settings' ? record(held.settings.spec) : {};
};

/** Where the cluster has its images. */
export const imagesFrom: Check<
  Machines,
  { readonly rows: readonly { readonly component: string; readonly repository: string }[] }
> = {
  id: 'joined-configured/images-from',
  source: 'cmd/kubeadm/app/images/images.go GetKubernetesImage, GetEtcdImage',
  nothing: NOTHING,
  judge: eachOf((machine, { component, repository }) => {
    const images = records(podOf(machine, component).containers).map(({ image }) => text(image));
    return {
      demanded: `its image is of ${repository}`,
      seen: images.join(', ') || 'it has none',
      ok: images.length > 0 && images.every((image) => image.startsWith(`${repository}/`)),
    };
  }),
};

/** Which one it is, where the cluster says that itself. */
export const imagesAre: Check<
  Machines,
  { readonly rows: readonly { readonly component: string; readonly image: string }[] }
> = {
  id: 'joined-configured/images-are',
  source: 'cmd/kubeadm/app/images/images.go GetEtcdImage',
  nothing: NOTHING,
  judge: eachOf((machine, { component, image }) => {
    const images = records(podOf(machine, component).containers).map((one) => text(one.image));
    return {
      demanded: `its image is ${image}`,
      seen: images.join(', ') || 'it has none',
      ok: images.length > 0 && images.every((one) => one === image),
    };
  }),
};

/** Variables that the cluster has for them; the last of a name counts. */
export const variablesSet: Check<
  Machines,
  { readonly rows: readonly { readonly component: string; readonly name: string; readonly value: string }[] }
> = {
  id: 'joined-configured/variables-set',
  source: 'cmd/kubeadm/app/util/env.go MergeKubeadmEnvVars',
  nothing: NOTHING,
  judge: eachOf((machine, { component, name, value }) => {
    const found = records(podOf(machine, component).containers)
      .map(({ env }) => records(env).findLast((one) => one.name === name))
      .map((one) => (one === undefined ? undefined : text(one.value)));
    return {
      demanded: `has the variable ${name} of ${value}`,
      seen: found.map((one) => one ?? 'it has none of that name').join(', ') || 'it has no container',
      ok: found.length > 0 && found.every((one) => one === value),
    };
  }),
};

/** Folders of the machine that the cluster has for them. */
export const foldersSeen: Check<
  Machines,
  { readonly rows: readonly { readonly component: string; readonly folder: string }[] }
> = {
  id: 'joined-configured/folders-seen',
  source: 'cmd/kubeadm/app/phases/controlplane/volumes.go; phases/etcd/local.go GetEtcdPodSpec',
  nothing: NOTHING,
  judge: eachOf((machine, { component, folder }) => {
    const pod = podOf(machine, component);
    const volume = records(pod.volumes).find((one) => text(record(one.hostPath).path) === folder);
    const isMounted = records(pod.containers).some((one) =>
      records(one.volumeMounts).some(({ name, mountPath }) => name === volume?.name && mountPath === folder),
    );
    return {
      demanded: `has the folder ${folder} of its machine`,
      seen: volume === undefined ? 'it is no volume' : isMounted ? 'it has' : 'it is not mounted there',
      ok: volume !== undefined && isMounted,
    };
  }),
};

/** Where the certificates of the cluster lie. */
export const serverNamed: Check<Machines, { readonly path: string; readonly names: readonly string[] }> = {
  id: 'joined-configured/server-named',
  source: 'cmd/kubeadm/app/util/pkiutil/pki_helpers.go GetAPIServerAltNames',
  nothing: NOTHING,
  judge: (machines, { path, names }) =>
    ofKubeadm((all) =>
      all.flatMap((machine) => {
        if (leftAt(machine, manifestOf('kube-apiserver')) === undefined) return [];
        const held = leftAt(machine, path)?.held;
        const own = held?.kind === 'certificates' ? (held.names ?? []) : undefined;
        const lost = names.filter((name) => own?.includes(name) !== true);
        return demand({
          subject: `${path} of ${machine.subject}`,
          demanded: `is a certificate for ${names.join(', ')}`,
          seen: own === undefined ? 'there is none' : lost.length === 0 ? 'it is' : `not for ${lost.join(', ')}`,
          ok: lost.length === 0,
        });
      }),
    )(machines, undefined),
};

/** As long as the cluster says; the day on which they begin may be begun already. */
export const certificatesLive: Check<Machines, { readonly paths: readonly string[]; readonly days: number }> = {
  id: 'joined-configured/certificates-live',
  source: 'cmd/kubeadm/app/apis/kubeadm/v1beta4/types.go, certificateValidityPeriod; util/pkiutil NewSignedCert',
  nothing: NOTHING,
  judge: (machines, { paths, days }) =>
    ofKubeadm((all) =>
      all.flatMap((machine) =>
        paths.flatMap((path) => {
          const held = leftAt(machine, path)?.held;
          if (held?.kind !== 'certificates') return [];
          return demand({
            subject: `${path} of ${machine.subject}`,
            demanded: `lives for ${days} days`,
            seen: held.days === undefined ? 'nobody can read how long it lives' : `for ${held.days}`,
            ok: held.days === days || held.days === days + 1,
          });
        }),
      ),
    )(machines, undefined),
};

/** Keys as the cluster says; those of kubeadm's default are one of several kinds. */
export const keysOfAlgorithm: Check<Machines, { readonly paths: readonly string[]; readonly algorithm: string }> = {
  id: 'joined-configured/keys-of-algorithm',
  source: 'cmd/kubeadm/app/apis/kubeadm/v1beta4/types.go, encryptionAlgorithm; util/pkiutil NewPrivateKey',
  nothing: NOTHING,
  judge: (machines, { paths, algorithm }) =>
    ofKubeadm((all) =>
      all.flatMap((machine) =>
        paths.flatMap((path) => {
          const held = leftAt(machine, path)?.held;
          if (held?.kind !== 'certificates' && held?.kind !== 'kubeconfig') return [];
          const { algorithm: own = 'of another kind' } = held;
          return demand({
            subject: `${path} of ${machine.subject}`,
            demanded: `its key is one of ${algorithm}`,
            seen: own,
            ok: own === algorithm,
          });
        }),
      ),
    )(machines, undefined),
};
