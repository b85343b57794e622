/** What an API server shows to who asks it by a name of its own: pairs of --tls-sni-cert-key. */
import { record, records, text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { type PairSeen, pinIn } from './node-files.js';
import type { Held } from './node-seen.js';

const FLAG = /^--tls[-_]sni[-_]cert[-_]key=/;

/** Each pair that its flags name, however often they do: "cert,key:name,name". */
export function pairsByName(manifest: Held | undefined): readonly { readonly holder: string; readonly key: string }[] {
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
      const [holder = '', key = ''] = pair.replace(/:.*/s, '').split(',');
      return holder.startsWith('/') && key.startsWith('/') ? [{ holder, key }] : [];
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
