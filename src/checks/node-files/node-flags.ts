/** Flags of the components of a control plane, as the manifests on a node's disk say them. */
import type { Check } from '../../model/check.js';
import type { Finding, Look } from '../../model/finding.js';
import type { Seen } from './node-files.js';
import { canonical, hostOf } from './node-names.js';
import { containerOf, inPod } from './node-pods.js';
import type { ManifestSeen } from './node-seen.js';

const SOURCE = '002, static Pod manifests; cmd/kubeadm/app/phases/controlplane/manifests.go, phases/etcd/local.go';

/** Every value of a flag that may be given more than once, and the last one of others. */
export function valuesOf(manifest: ManifestSeen, flag: string): readonly string[] {
  const last = manifest.flags[flag];
  if (!REPEATABLE.includes(flag)) return last === undefined ? [] : [last];
  const { command, args } = containerOf(manifest);
  const words = [command, args].flatMap((part) => (Array.isArray(part) ? part.map(String) : []));
  return words.flatMap((word, at) => {
    if (word === `--${flag}`) return words[at + 1] ?? [];
    return word.startsWith(`--${flag}=`) ? word.slice(flag.length + 3) : [];
  });
}

/** Source: pkg/kubeapiserver/options/authentication.go. */
const REPEATABLE = ['service-account-key-file', 'service-account-issuer'];

export const inFlags = (
  seen: Seen,
  demanded: string,
  look: (flags: ManifestSeen['flags']) => Pick<Look, 'seen' | 'ok'>,
): Finding => inPod(seen, demanded, ({ flags }) => look(flags));

export const shown = (flag: string, value: string | undefined): string =>
  value === undefined ? 'it is not set' : `--${flag}=${value}`;

export const isTrue = (value: string | undefined): boolean => /^(?:true|1|t|T|TRUE|True)$/.test(value ?? '');
export const isFalse = (value: string): boolean => /^(?:false|0|f|F|FALSE|False)$/.test(value);

/** A flag has a value, or one of several. A switch is on however its truth is written. */
export const flagIs: Check<readonly Seen[], { readonly flag: string; readonly wanted: readonly string[] }> = {
  id: 'node-flags/is',
  source: SOURCE,
  judge: (all, { flag, wanted }) =>
    all.map((seen) =>
      inPod(seen, `--${flag}=${wanted.join(' or ')}`, (manifest) => {
        const values = valuesOf(manifest, flag);
        // one that is not there is an empty one
        const ok = (values.length === 0 ? [''] : values).some((value) =>
          wanted.join() === 'true' ? isTrue(value) : wanted.includes(value),
        );
        return { seen: shown(flag, values.length === 0 ? undefined : values.join(' and ')), ok };
      }),
    ),
};

/** Names that controllers go by since 1.28. Source: cmd/kube-controller-manager/names/controller_names.go. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'bootstrap-signer-controller': 'bootstrapsigner',
  'token-cleaner-controller': 'tokencleaner',
  'certificatesigningrequest-approving-controller': 'csrapproving',
  'certificatesigningrequest-signing-controller': 'csrsigning',
  'node-lifecycle-controller': 'nodelifecycle',
  'root-ca-certificate-publisher-controller': 'root-ca-cert-publisher',
  'serviceaccount-token-controller': 'serviceaccount-token',
};

/** "-name" turns off what "name" turns on. */
const itemOf = (written: string): string => {
  const item = written.trim();
  const name = item.replace(/^-/, '');
  return item.slice(0, item.length - name.length) + (OTHER_NAMES[name] ?? name);
};
const listOf = (value: string | undefined): readonly string[] => value?.split(',').map(itemOf) ?? [];

/** A list has items, and neither "-item" nor the flag that turns off what "enable-" turns on takes them away. */
export const flagListed: Check<readonly Seen[], { readonly flag: string; readonly items: readonly string[] }> = {
  id: 'node-flags/lists',
  source: SOURCE,
  judge: (all, { flag, items }) =>
    all.map((seen) =>
      inFlags(seen, `--${flag} has ${items.join(', ')}`, (flags) => {
        const listed = listOf(flags[flag]);
        const opposite = flag.replace(/^enable-/, 'disable-');
        const off = opposite === flag ? [] : listOf(flags[opposite]);
        const ok = items.every((item) => listed.includes(item) && !listed.includes(`-${item}`) && !off.includes(item));
        const takenAway = off.length === 0 ? '' : ` ${shown(opposite, flags[opposite])}`;
        return { seen: `${shown(flag, flags[flag])}${takenAway}`, ok };
      }),
    ),
};

/** A flag says something. */
export const flagGiven: Check<readonly Seen[], { readonly flag: string }> = {
  id: 'node-flags/given',
  source: SOURCE,
  judge: (all, { flag }) =>
    all.map((seen) =>
      inFlags(seen, `--${flag} is given`, ({ [flag]: value = '' }) => ({
        seen: shown(flag, value || undefined),
        ok: value !== '',
      })),
    ),
};

/** Nodes are let in as nodes, others by RBAC, and nobody for nothing. A file may say it as well: it is not read. */
export const authorizers: Check<readonly Seen[]> = {
  id: 'node-flags/authorizers',
  source: '002, API server; pkg/kubeapiserver/options/authorization.go',
  judge: (all) =>
    all.map((seen) =>
      inFlags(seen, '--authorization-mode has Node and RBAC, and neither AlwaysAllow nor AlwaysDeny', (flags) => {
        const file = flags['authorization-config'];
        if (file !== undefined) return { seen: `the file ${file} says who authorizes`, ok: true };
        const modes = listOf(flags['authorization-mode']);
        const ok =
          ['Node', 'RBAC'].every((mode) => modes.includes(mode)) && !modes.some((mode) => /^Always/.test(mode));
        return { seen: shown('authorization-mode', flags['authorization-mode']), ok };
      }),
    ),
};

/** A list has none of these items, wherever it stands. */
export const flagListsNone: Check<readonly Seen[], { readonly flag: string; readonly items: readonly string[] }> = {
  id: 'node-flags/lists-none',
  source: SOURCE,
  judge: (all, { flag, items }) =>
    all.map((seen) =>
      inFlags(seen, `--${flag} has none of ${items.join(', ')}`, (flags) => ({
        seen: shown(flag, flags[flag]),
        ok: !listOf(flags[flag]).some((item) => items.includes(item)),
      })),
    ),
};

/** Flags are not set; a manifest that shows none at all says nothing. */
export const flagsAbsent: Check<readonly Seen[], { readonly flags: readonly string[] }> = {
  id: 'node-flags/absent',
  source: SOURCE,
  judge: (all, { flags }) =>
    all.flatMap((seen) =>
      flags.map((flag) =>
        inFlags(seen, `--${flag} is not among its flags`, (given) => {
          const isShown = Object.keys(given).length > 0;
          return {
            seen: isShown ? shown(flag, given[flag]) : 'it shows no flags',
            ok: isShown ? given[flag] === undefined : undefined,
          };
        }),
      ),
    ),
};

/** Two components, or both halves of a pair, are told the same, where both are told. */
export const flagsAgree: Check<readonly Seen[], { readonly flag: string }> = {
  id: 'node-flags/agree',
  source: SOURCE,
  judge: ([seen, ...others], { flag }) => {
    if (seen === undefined) return [];
    const theirs = others.flatMap(({ file }) => (file?.held.kind === 'manifest' ? [file.held.flags[flag]] : []));
    const told = theirs.filter((value) => value !== undefined);
    return [
      inFlags(seen, `--${flag} is what others are told, where they are`, ({ [flag]: value }) => ({
        seen: [shown(flag, value), ...told].join(', elsewhere '),
        ok: theirs.length < others.length ? undefined : told.every((other) => other === value),
      })),
    ];
  },
};

const LOOPBACK = /^(?:127\.|0\.0\.0\.0$|::1?$|localhost$)/;

/** An address that other machines reach. */
export const advertised: Check<readonly Seen[]> = {
  id: 'node-flags/advertised',
  source: '002, API server',
  judge: (all) =>
    all.map((seen) =>
      inFlags(seen, '--advertise-address is an address that others reach', ({ 'advertise-address': value }) => ({
        seen: shown('advertise-address', value),
        ok: value !== undefined && /^[0-9a-fA-F.:]+$/.test(value) && !LOOPBACK.test(value),
      })),
    ),
};

/** What a port is: that of kubeadm, or what the kubeconfigs of this machine ask. */
export const portAgrees: Check<readonly Seen[], { readonly server: string }> = {
  id: 'node-flags/port',
  source: '002, API server',
  judge: (all, { server }) =>
    all.map((seen) =>
      inFlags(seen, '--secure-port is the port that the machine itself asks', ({ 'secure-port': value = '6443' }) => {
        if (hostOf(server) === '') return { seen: 'no kubeconfig says it', ok: undefined };
        const port = /:(\d+)\/?$/.exec(server)?.[1] ?? '443';
        return { seen: `--secure-port=${value}, asked at ${port}`, ok: port === value };
      }),
    ),
};

/** Signers that a controller manager may be told one by one. Source: cmd/kube-controller-manager options/csrsigningcontroller.go. */
export const SIGNERS: readonly string[] = [
  'kubelet-serving',
  'kubelet-client',
  'kube-apiserver-client',
  'legacy-unknown',
];

/** The flag that says what signs certificates, or those of all signers where they stand in its place. */
export function signingFlags(flags: Readonly<Record<string, string>>, flag: string): readonly string[] {
  const own = SIGNERS.map((signer) => flag.replace('cluster-signing-', `cluster-signing-${signer}-`));
  return flags[flag] === undefined && own.every((name) => (flags[name] ?? '') !== '') ? own : [flag];
}

/** What a program is told that listens at every address of its machine. */
export const EVERYWHERE: readonly string[] = ['', '0.0.0.0', '::'];

/** Its kubelet and its own programs ask it at the address that it advertises. */
export const listensAtItsAddress: Check<readonly Seen[]> = {
  id: 'node-flags/listens-at-its-address',
  source: 'cmd/kubeadm/app/util/staticpod GetAPIServerProbeAddress; apiserver options/serving.go',
  judge: (all) =>
    all.map((seen) =>
      inFlags(seen, 'it listens at the address that it advertises', (flags) => {
        const { 'bind-address': bind = '', 'advertise-address': address = '' } = flags;
        const ok = EVERYWHERE.includes(bind) || address === '' || canonical(bind) === canonical(address);
        return { seen: bind === '' ? 'it listens everywhere' : `--bind-address=${bind}`, ok };
      }),
    ),
};

/** Loopback, and every address that there is. */
const OF_ITSELF = /^(?:127\.[\d.]+|::1|0\.0\.0\.0|::)$/;

/** `addresses`: by which the machine is known; none where nobody says one. */
export const listensHere: Check<readonly Seen[], { readonly addresses: readonly string[] }> = {
  id: 'node-flags/listens-here',
  source: 'apiserver pkg/server/options/serving.go CreateListener; etcd embed/etcd.go configureMetrics',
  judge: (all, { addresses }) =>
    all.map((seen) =>
      inFlags(seen, 'it listens at addresses of its machine', (flags) => {
        const told = [flags['bind-address'] ?? '', ...listOf(flags['listen-metrics-urls']).map(hostOf)];
        const own = addresses.map(canonical);
        const odd = told.filter(
          (host) => /^[\d.]+$|:/.test(host) && !OF_ITSELF.test(host) && !own.includes(canonical(host)),
        );
        return { seen: odd.join(', ') || 'it does', ok: odd.length === 0 || own.length === 0 };
      }),
    ),
};

/** Where the key of the cluster's CA is elsewhere nobody signs here: both flags are empty, or not there. */
export const signsWhereTheKeyIs: Check<readonly Seen[], { readonly hasKey: boolean }> = {
  id: 'node-flags/signs-where-the-key-is',
  source: '002, certificates, note 2; manifests.go getControllerManagerCommand',
  judge: (all, { hasKey }) =>
    all.flatMap((seen) =>
      ['cluster-signing-cert-file', 'cluster-signing-key-file'].map((flag) =>
        inFlags(seen, `--${flag} is empty where the key of the cluster's CA is not here`, ({ [flag]: value }) => ({
          seen: `${hasKey ? 'the key is here' : 'the key is not here'}: ${shown(flag, value)}`,
          ok: hasKey || (value ?? '') === '',
        })),
      ),
    ),
};
