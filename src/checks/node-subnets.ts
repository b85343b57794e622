/** Subnets that components of a control plane are told. */
import type { Check } from '../model/check.js';
import type { Seen } from './node-files.js';
import { inFlags, isTrue, shown } from './node-flags.js';
import { ipv4Number } from './node-names.js';

/** "10.96.0.0/12", or two of them with a comma between. */
export const isSubnets = (value: string): boolean => {
  const all = value.split(',');
  const isOne = (subnet: string): boolean =>
    /^\d{1,3}(?:\.\d{1,3}){3}\/(?:\d|[12]\d|3[0-2])$/.test(subnet) ||
    (/^[\da-f:.]+\/(?:\d{1,2}|1[01]\d|12[0-8])$/i.test(subnet) && subnet.includes(':'));
  return all.length <= 2 && all.every(isOne);
};

/** The range is one or two subnets. */
export const subnetsGiven: Check<readonly Seen[], { readonly flag: string }> = {
  id: 'node-subnets/subnets',
  source: '002, API server; pkg/controlplane options validation',
  judge: (all, { flag }) =>
    all.map((seen) =>
      inFlags(seen, `--${flag} is a subnet, or two`, ({ [flag]: value }) => ({
        seen: shown(flag, value),
        ok: value !== undefined && isSubnets(value),
      })),
    ),
};

/** Where Pods get addresses, all of it is said; where not, nothing of it. */
export const podAddresses: Check<readonly Seen[]> = {
  id: 'node-subnets/pod-addresses',
  source: '002, controller manager; manifests.go getControllerManagerCommand',
  judge: (all) =>
    all.map((seen) =>
      inFlags(seen, '--allocate-node-cidrs and --cluster-cidr go together', (flags) => {
        const { 'allocate-node-cidrs': allocates, 'cluster-cidr': range = '' } = flags;
        const names = ['allocate-node-cidrs', 'cluster-cidr'];
        // Who turns it off may still tell the range.
        const ok = range === '' ? !isTrue(allocates) : allocates !== undefined && isSubnets(range);
        return { seen: names.map((name) => shown(name, flags[name])).join(', '), ok };
      }),
    ),
};

/** First and last address of an IPv4 subnet; undefined of another one. */
function rangeOf(subnet: string): readonly [number, number] | undefined {
  const [base = '', length = ''] = subnet.split('/');
  if (base.includes(':') || length === '') return undefined;
  const size = 2 ** (32 - Number(length));
  const start = Math.floor(ipv4Number(base) / size) * size;
  return [start, start + size - 1];
}

function overlap(one: string, other: string): boolean {
  const [own, theirs] = [rangeOf(one), rangeOf(other)];
  return own !== undefined && theirs !== undefined && own[0] <= theirs[1] && theirs[0] <= own[1];
}

/** An address of a Pod that is that of a service as well is reached by nobody. */
export const subnetsApart: Check<readonly Seen[]> = {
  id: 'node-subnets/apart',
  source: '002, controller manager; cmd/kubeadm/app/apis/kubeadm/validation ValidateNetworking',
  judge: (all) =>
    all.map((seen) =>
      inFlags(seen, '--cluster-cidr and --service-cluster-ip-range have no address in common', (flags) => {
        const { 'cluster-cidr': pods = '', 'service-cluster-ip-range': services = '' } = flags;
        const ok = !pods.split(',').some((one) => services.split(',').some((other) => overlap(one, other)));
        return { seen: `${pods || 'none'} and ${services || 'none'}`, ok };
      }),
    ),
};

/** Pods and services get no address that is one of the machine. */
export const machineApart: Check<readonly Seen[], { readonly address: string }> = {
  id: 'node-subnets/machine-apart',
  source: '002, controller manager; kubernetes.io, cluster networking: ranges do not overlap',
  judge: (all, { address }) =>
    address === '' || address.includes(':')
      ? []
      : all.map((seen) =>
          inFlags(seen, `no Pod and no service gets ${address}, which is that of the machine`, (flags) => {
            const told = [flags['cluster-cidr'] ?? '', flags['service-cluster-ip-range'] ?? ''].flatMap((list) =>
              list.split(','),
            );
            const odd = told.filter((subnet) => overlap(subnet, `${address}/32`));
            return { seen: odd.join(', ') || 'none does', ok: odd.length === 0 };
          }),
        ),
};
