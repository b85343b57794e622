/** Subnets that components of a control plane are told. */
import { isAmong } from '../../kubernetes/no-proxy.js';
import type { Check } from '../../model/check.js';
import type { Seen } from './node-files.js';
import { inFlags, isTrue, shown } from './node-flags.js';

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

const holds = (subnet: string, host: string): boolean => {
  const [network = '', bits = ''] = subnet.split('/');
  return isAmong(host, network, bits);
};
/** Of two subnets that have an address in common one holds the first address that the other names. */
const overlap = (one: string, other: string): boolean =>
  one.includes('/') &&
  other.includes('/') &&
  [
    [one, other],
    [other, one],
  ].some(([subnet = '', named = '']) => holds(subnet, named.replace(/\/.*/, '')));

/** Whether two lists of subnets, with commas between, have an address in common. */
export const shareAddresses = (some: string, others: string): boolean =>
  some.split(',').some((one) => others.split(',').some((other) => overlap(one.trim(), other.trim())));

/** An address of a Pod that is that of a service as well is reached by nobody. */
export const subnetsApart: Check<readonly Seen[], { readonly services: string } | undefined> = {
  id: 'node-subnets/apart',
  source: '002, controller manager; cmd/kubeadm/app/apis/kubeadm/validation ValidateNetworking',
  judge: (all, { services: told } = { services: '' }) =>
    all.map((seen) =>
      inFlags(seen, '--cluster-cidr and --service-cluster-ip-range have no address in common', (flags) => {
        const { 'cluster-cidr': pods = '', 'service-cluster-ip-range': own = '' } = flags;
        // the controller manager need not be told what the API server gives services
        const services = own === '' ? told : own;
        const ok = !shareAddresses(pods, services);
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
