/** What an API server shows to who asks it by a name of its own: pairs of --tls-sni-cert-key. */
import { record, records, text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { type PairSeen, pinIn } from './node-files.js';
import type { Held } from './node-seen.js';

const FLAG = /^--tls[-_]sni[-_]cert[-_]key=/;

interface NamedPair {
  readonly holder: string;
  readonly key: string;
  /** That it is shown for; none: for those of the certificate. */
  readonly names: readonly string[];
}

/** Each pair that its flags name, however often they do: "cert,key:name,name". */
export function pairsByName(manifest: Held | undefined): readonly NamedPair[] {
  if (manifest?.kind !== 'manifest') return [];
  const containers = records(record(manifest.pod.spec).containers);
  const words = containers.flatMap(({ command, args }) =>
    [command, args].flatMap((one) => (Array.isArray(one) ? one : [])),
  );
  return words
    .map(text)
    .filter((word) => FLAG.test(word))
    .flatMap((word) => word.replace(FLAG, '').split(';'))
    .flatMap((pair) => {
      const [files = '', ...said] = pair.split(':');
      const [holder = '', key = ''] = files.split(',');
      const names = said.join(':').split(',').filter(Boolean);
      return holder.startsWith('/') && key.startsWith('/') ? [{ holder, key, names }] : [];
    });
}

/** `authorities`: digests of those that no client of the API server believes. */
export const shownByName: Check<readonly PairSeen[], { readonly authorities: readonly string[] }> = {
  id: 'shown-by-name/of-servers',
  source: 'apiserver pkg/server/options/serving.go, SNICertKeys; crypto/tls X509KeyPair',
  nothing: 'the API server shows one certificate, whatever it is asked by, or what it shows lies elsewhere',
  judge: (all, { authorities }) =>
    all.flatMap(({ holder, key }): readonly Finding[] => {
      const shown = holder.file?.held.kind === 'certificates' ? holder.file.held.certificates[0] : undefined;
      if (shown === undefined) return [];
      const { extendedKeyUsage: usages = ['any'] } = shown.facts;
      const isServers = usages.some((one) => one === 'any' || one === 'serverAuth');
      const isOthers = shown.signedBy.some((digest) => authorities.includes(digest));
      const problem = isOthers ? 'it is of an authority that its clients do not know' : usages.join(', ');
      const ok = isServers && !isOthers;
      const own = demand({ subject: holder.path, demanded: "it is a server's", seen: ok ? 'it is' : problem, ok });
      const pin = pinIn(key);
      if (pin === undefined) return [own];
      const fits = pin === shown.facts.pin;
      const demanded = `it is the private key of ${holder.path}`;
      return [own, demand({ subject: key.path, demanded, seen: fits ? 'it is' : 'it is another one', ok: fits })];
    }),
};

/** What Pods and clients within the cluster ask by. Source: pkg/controlplane, apiServerServiceName; DNS for Services. */
const WITHIN = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'] as const;
const isShownFor = (name: string, pattern: string): boolean => {
  const [asked, shown] = [name.toLowerCase(), pattern.toLowerCase()];
  return asked === shown || (shown.startsWith('*.') && asked.includes('.') && asked.endsWith(shown.slice(1)));
};

/** Whoever asks by a name within the cluster has the cluster's authority, and no other. `own`: its digests. */
export const believedByName: Check<
  readonly (PairSeen & { readonly names: readonly string[] })[],
  { readonly own: readonly string[] }
> = {
  id: 'shown-by-name/believed',
  source: 'apiserver pkg/server/dynamiccertificates, GetConfigForClient: a name of --tls-sni-cert-key comes first',
  nothing: 'the API server shows nothing of its own to who asks by a name within the cluster',
  judge: (all, { own }) =>
    all.flatMap(({ holder, names }): readonly Finding[] => {
      if (holder.file?.held.kind !== 'certificates') return [];
      // of a chain nobody knows here who has signed its last
      const [shown, ...chain] = holder.file.held.certificates;
      if (shown === undefined || chain.length > 0 || own.length === 0) return [];
      const shownFor = names.length > 0 ? names : shown.facts.altNames.dns;
      const asked = WITHIN.filter((name) => shownFor.some((pattern) => isShownFor(name, pattern)));
      if (asked.length === 0) return [];
      const ok = shown.signedBy.some((digest) => own.includes(digest));
      const seen = ok ? 'it has' : `another has, and it is shown to who asks by ${asked.join(', ')}`;
      return [demand({ subject: holder.path, demanded: 'the authority of the cluster has signed it', seen, ok })];
    }),
};
