/** Files that configure the API server of a node's disk. */

import { isRecord, record, records, text } from '../../kubernetes/json.js';
import { CLUSTER_INFO_PATH } from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { held, type Seen } from './node-files.js';
import { isTrue } from './node-flags.js';
import { containerOf, inPod, mountOf } from './node-pods.js';

const SOURCE = 'apiserver pkg/apis/apiserver/validation; pkg/audit/policy/reader.go; pkg/admission/config.go';
const NOTHING = 'no flag of the API server names such a file in the folders that were read';

/** The API server starts with what they say. `files`: paths of the disk. */
export const configurationsTaken: Check<
  readonly Seen[],
  { readonly files: readonly string[]; readonly below: string }
> = {
  id: 'node-configurations/taken',
  source: SOURCE,
  nothing: NOTHING,
  judge: (all, { files, below }) =>
    all.map((seen) =>
      held(seen, 'configuration', 'its program takes what it says', ({ odd, names }) => {
        const missing = names.filter((path) => path.startsWith(`${below}/`) && !files.includes(path));
        const wrong = [...odd, ...missing.map((path) => `${path}, which is not there`)];
        return { seen: wrong.slice(0, 4).join('; ') || 'it does', ok: wrong.length === 0 };
      }),
    ),
};

/** Sockets that such files name are those of the machine. */
export const socketsMounted: Check<ConfiguredSeen> = {
  id: 'node-configurations/sockets-mounted',
  source: 'Using a KMS provider for data encryption: the socket is mounted; pkg/storage/value/encrypt/envelope/kmsv2',
  nothing: NOTHING,
  judge: ({ api, files }) => {
    const sockets = files.flatMap(({ file }) => (file?.held.kind === 'configuration' ? (file.held.sockets ?? []) : []));
    if (sockets.length === 0) return [];
    return [
      inPod(api, 'the sockets that it asks at are mounted', (manifest) => {
        const missing = sockets.filter((path) => mountOf(manifest, path) === undefined);
        return { seen: missing.slice(0, 4).join(', ') || 'they are', ok: missing.length === 0 };
      }),
    ];
  },
};

/** Where encryption is configured Secrets are encrypted. */
export const secretsEncrypted: Check<readonly Seen[]> = {
  id: 'node-configurations/secrets-encrypted',
  source: 'Encrypting Confidential Data at Rest: the first provider encrypts',
  nothing: NOTHING,
  judge: (all) =>
    all.flatMap(({ path, file }): readonly Finding[] => {
      if (file?.held.kind !== 'configuration' || file.held.flag !== 'encryption-provider-config') return [];
      const { isOpen } = file.held;
      const seen = isOpen ? 'their first provider is identity, or there is none' : 'they are';
      return [demand({ subject: path, demanded: 'Secrets are encrypted by it', seen, ok: !isOpen })];
    }),
};

/** The API server with the files that configure it. */
export interface ConfiguredSeen {
  readonly api: Seen;
  readonly files: readonly Seen[];
}

const said = ({ api, files }: ConfiguredSeen, flag: string) => {
  const path = api.file?.held.kind === 'manifest' ? api.file.held.flags[flag] : undefined;
  const file = files.find((one) => one.path === path)?.file;
  return file?.held.kind === 'configuration' ? file.held : undefined;
};

/** Why a log is not kept below what is mounted there; '' where it is. */
function lostIn(found: ReturnType<typeof mountOf>): string {
  if (found === undefined || isRecord(found.volume.emptyDir)) return 'no folder of the machine';
  return found.mount.readOnly === true ? 'a folder that it may only read' : '';
}

/** Where requests are recorded some are, for longer than a container lives. */
export const auditRecords: Check<ConfiguredSeen> = {
  id: 'node-configurations/audit-records',
  source: 'Auditing: the first rule that matches decides; apiserver pkg/server/options/audit.go ApplyTo',
  nothing: NOTHING,
  judge: (seen): readonly Finding[] => {
    const policy = said(seen, 'audit-policy-file');
    const { api } = seen;
    if (api.file?.held.kind !== 'manifest') return [];
    const { flags } = api.file.held;
    if ((flags['audit-policy-file'] ?? '') === '' && (flags['audit-log-path'] ?? '') !== '')
      return [demand({ subject: api.path, demanded: 'it says what is recorded', seen: 'no policy does', ok: false })];
    if (policy === undefined) return [];
    const path = flags['audit-policy-file'] ?? '';
    const backends = ['audit-log-path', 'audit-webhook-config-file'].filter((flag) => (flags[flag] ?? '') !== '');
    const log = flags['audit-log-path'] ?? '';
    const lost = log.startsWith('/') ? lostIn(mountOf(api.file.held, log)) : '';
    const told = policy.isSilent === true ? 'every rule that is reached is of None' : 'some are';
    return [
      demand({ subject: path, demanded: 'some requests are recorded by it', seen: told, ok: policy.isSilent !== true }),
      demand({
        subject: api.path,
        demanded: 'it says where what the policy records goes',
        seen: backends.map((flag) => `--${flag}`).join(', ') || 'neither --audit-log-path nor a webhook',
        ok: backends.length > 0,
      }),
      demand({
        subject: api.path,
        demanded: 'what is recorded outlives its container',
        seen: lost === '' ? 'it does' : `${log} lies in ${lost}`,
        ok: lost === '',
      }),
    ];
  },
};

/** A log has no credentials that its readers could use. */
export const auditKeepsSecrets: Check<ConfiguredSeen> = {
  id: 'node-configurations/audit-keeps-secrets',
  source: 'Auditing: Secrets, tokens and TokenReviews at the level Metadata; CIS Kubernetes Benchmark 3.2.2',
  nothing: NOTHING,
  judge: (seen) => {
    const policy = said(seen, 'audit-policy-file');
    const path = seen.api.file?.held.kind === 'manifest' ? seen.api.file.held.flags['audit-policy-file'] : undefined;
    if (policy === undefined || path === undefined) return [];
    const bodies = policy.bodies ?? [];
    return [
      demand({
        subject: path,
        demanded: 'no body of what bears credentials is recorded by it',
        seen: bodies.length === 0 ? 'none is' : `bodies of ${bodies.join(', ')} are`,
        ok: bodies.length === 0,
      }),
    ];
  },
};

const isOff = (value: string | undefined): boolean => /^(?:false|f|0)$/i.test(value ?? '');

/** Paths at which whoever brings no credential is let in. */
const openIn = (seen: ConfiguredSeen, flags: Readonly<Record<string, string>>): readonly string[] | 'all' =>
  said(seen, 'authentication-config')?.anonymous ?? (isOff(flags['anonymous-auth']) ? [] : 'all');

/** Who joins by a token knows nobody yet, and reads cluster-info first. */
export const discoveryLetIn: Check<ConfiguredSeen> = {
  id: 'node-configurations/discovery-let-in',
  source: 'kubeadm join, token-based discovery; AuthenticationConfiguration, anonymous',
  nothing: 'the API server accepts no bootstrap tokens',
  judge: (seen) => {
    const { file } = seen.api;
    if (file?.held.kind === 'manifest' && !isTrue(file.held.flags['enable-bootstrap-token-auth'])) return [];
    return [
      inPod(seen.api, 'who joins by a token may read cluster-info without a credential', ({ flags }) => {
        const open = openIn(seen, flags);
        const ok = open === 'all' || open.includes(CLUSTER_INFO_PATH);
        return { seen: ok ? 'he may' : `${open.join(', ') || 'nothing'} may be read so`, ok };
      }),
    ];
  },
};

/**
 * The kubelet asks "/livez" without a credential: an API server that answers it with 401 is started again and again.
 * Met by that of 1.36, with the flag and with a configuration.
 */
export const probesLetIn: Check<ConfiguredSeen> = {
  id: 'node-configurations/probes-let-in',
  source: 'cmd/kubeadm/app/util/staticpod LivenessProbe; pkg/kubelet/prober; AuthenticationConfiguration, anonymous',
  judge: (seen) => [
    inPod(seen.api, 'the probes of the kubelet are let in', (manifest) => {
      const asked = ['livenessProbe', 'startupProbe', 'readinessProbe'].flatMap((name) => {
        const { path, httpHeaders } = record(record(containerOf(manifest)[name]).httpGet);
        const isKnown = records(httpHeaders).some((header) => /^authorization$/i.test(text(header.name)));
        return text(path) === '' || isKnown ? [] : [text(path).replace(/\?.*$/, '')];
      });
      const isToldTwice = manifest.flags['anonymous-auth'] !== undefined;
      if (isToldTwice && said(seen, 'authentication-config')?.anonymous !== undefined)
        return { seen: '--anonymous-auth beside a file that says it ends it', ok: false };
      const open = openIn(seen, manifest.flags);
      const refused = open === 'all' ? [] : [...new Set(asked.filter((path) => !open.includes(path)))];
      return {
        seen: refused.length === 0 ? 'they are' : `${refused.join(', ')} is refused without a credential`,
        ok: refused.length === 0,
      };
    }),
  ],
};
