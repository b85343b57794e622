/** How API server and etcd of a machine find each other, by the flags of their manifests. */
import type { Check } from '../../model/check.js';
import { first, type Seen } from './node-files.js';
import { inFlags, shown } from './node-flags.js';
import { hostOf } from './node-names.js';

/** Client and server of etcd speak TLS, with all three files. */
export const etcdFlags: Check<readonly Seen[]> = {
  id: 'node-etcd/client',
  source: '002, API server: external etcd',
  judge: (all) =>
    all.flatMap((seen) => [
      inFlags(seen, '--etcd-servers is given', ({ 'etcd-servers': value }) => ({
        seen: shown('etcd-servers', value),
        ok: value?.split(',').every((url) => /^https?:\/\/./.test(url)) === true,
      })),
      inFlags(seen, 'a client certificate for etcd comes with its key', (flags) => {
        const [certificate = '', key = ''] = [flags['etcd-certfile'], flags['etcd-keyfile']];
        const seenFlags = `--etcd-certfile=${certificate} --etcd-keyfile=${key}`;
        return { seen: seenFlags, ok: (certificate === '') === (key === '') };
      }),
      inFlags(seen, 'etcd over https comes with an authority', (flags) => {
        const isSecure = flags['etcd-servers']?.includes('https:') === true;
        const { 'etcd-cafile': authority = '' } = flags;
        return { seen: shown('etcd-cafile', flags['etcd-cafile']), ok: !isSecure || authority !== '' };
      }),
    ]),
};

/** An etcd that others run lets in what its authority signed, and Go takes for clients: what says nothing is for all. */
export const letClientsIn: Check<readonly Seen[]> = {
  id: 'node-etcd/let-clients-in',
  source: '002, API server: external etcd; crypto/x509 Verify, KeyUsages',
  judge: (all) =>
    all.map((seen) =>
      first(seen, 'its certificate may be shown by clients', ({ facts: { extendedKeyUsage = ['any'] } }) => ({
        seen: extendedKeyUsage.join(', ') || 'it is for nothing',
        ok: ['any', 'clientAuth'].some((usage) => extendedKeyUsage.includes(usage)),
      })),
    ),
};

const LOCAL_ETCD = /^https:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):2379$/;
/** Who listens at all addresses listens at loopback, too. */
const AT_ALL = /^https:\/\/(?:0\.0\.0\.0|\[::\]):2379$/;

/**
 * The API server asks the etcd of its own machine. Where a user has etcd advertise something else than the machine's
 * address kubeadm lets the API server ask that.
 */
export const etcdIsLocal: Check<readonly Seen[], { readonly advertised: string }> = {
  id: 'node-etcd/local',
  source: '002, manifests: common properties; manifests.go getAPIServerCommand',
  judge: (all, { advertised: other }) =>
    all.map((seen) =>
      inFlags(seen, '--etcd-servers is https://127.0.0.1:2379, or that of IPv6', (flags) => {
        const { 'etcd-servers': value = '', 'advertise-address': address = '' } = flags;
        const isLocal = LOCAL_ETCD.test(value);
        const isAsTold = value === other && value.startsWith('https:') && hostOf(other) !== address;
        return { seen: shown('etcd-servers', value), ok: isLocal || isAsTold };
      }),
    ),
};

/** Clients and members reach etcd, and are told of it, by TLS. */
const OVER_TLS = [
  'listen-client-urls',
  'advertise-client-urls',
  'listen-peer-urls',
  'initial-advertise-peer-urls',
] as const;

/** etcd listens on loopback, over TLS, and is one of its cluster. */
export const etcdListens: Check<readonly Seen[]> = {
  id: 'node-etcd/listens',
  source: '002, etcd; phases/etcd/local.go getEtcdCommand',
  judge: (all) =>
    all.flatMap((seen) => [
      inFlags(seen, 'it listens at port 2379 of loopback', ({ 'listen-client-urls': value = '' }) => ({
        seen: shown('listen-client-urls', value),
        ok: value.split(',').some((url) => LOCAL_ETCD.test(url) || AT_ALL.test(url)),
      })),
      ...OVER_TLS.map((flag) =>
        inFlags(seen, `--${flag} is over TLS only`, ({ [flag]: value = '' }) => ({
          seen: shown(flag, value),
          ok: value !== '' && value.split(',').every((url) => url.startsWith('https://')),
        })),
      ),
      inFlags(seen, 'its own name and address stand among the members that it starts with', (flags) => {
        const { name = '', 'initial-advertise-peer-urls': own = '', 'initial-cluster': members = '' } = flags;
        const isOwn = own.split(',').every((url) => members.split(',').includes(`${name}=${url}`));
        const told = `--name=${name} --initial-advertise-peer-urls=${own} --initial-cluster=${members}`;
        return { seen: told, ok: name !== '' && isOwn };
      }),
    ]),
};
