/** The data of etcd on a node's disk: whole where it runs, gone where it does not; and whom its flags let in. */
import type { Check } from '../../model/check.js';
import { demand, type Finding, type Look } from '../../model/finding.js';
import type { CertificateFacts } from '../certificates/x509.js';
import type { Seen } from './node-files.js';
import { inFlags } from './node-flags.js';
import { isFor } from './node-names.js';

/** What lies in the folder of data. `wal`: the folder of the log; `log`: its files. */
export interface DataSeen {
  readonly member: Seen;
  readonly db: Seen;
  readonly wal: Seen;
  readonly log: readonly Seen[];
}

/** Why nobody knows; '' where it can be seen. */
const hidden = ({ file }: Seen): string =>
  file?.held.kind === 'unreadable' && file.isEmpty !== true ? file.held.why : '';
const there = (seen: Seen): boolean => seen.file !== null && seen.file.isEmpty !== true;

function part(seen: Seen, demanded: string, isThere: boolean): Finding {
  const why = hidden(seen);
  if (why !== '') return demand({ subject: seen.path, demanded, seen: `nobody knows: ${why}`, ok: undefined });
  const missing = seen.file?.isEmpty === true ? 'it is empty' : 'there is none';
  return demand({ subject: seen.path, demanded, seen: isThere ? 'it does' : missing, ok: isThere });
}

/**
 * A member that has begun has a database and a log: without its log etcd begins anew, with nothing in it, or does not
 * start. `isLogElsewhere`: --wal-dir names another folder.
 */
export const dataWhole: Check<DataSeen, { readonly isLogElsewhere: boolean }> = {
  id: 'node-etcd-data/whole',
  source: 'etcd server/etcdserver/bootstrap.go, server/storage/wal Exist',
  nothing: 'etcd has not begun to keep data there',
  judge: ({ member, db, wal, log }, { isLogElsewhere }) => {
    if (member.file === null || hidden(member) !== '') return [];
    return [
      part(db, 'its database lies there', there(db)),
      ...(isLogElsewhere ? [] : [part(wal, 'its log lies there', log.some(there))]),
    ];
  },
};

/** `runsOtherwise`: of an etcd that no static Pod runs what lies there. */
export const dataGone: Check<DataSeen, { readonly runsOtherwise: readonly string[] }> = {
  id: 'node-etcd-data/gone',
  source: '002, external etcd; cmd/kubeadm/app/cmd/phases/reset RunRemoveETCDMemberPhase',
  nothing: 'an etcd of the machine itself keeps its data there',
  judge: ({ db }, { runsOtherwise }) => {
    if (runsOtherwise.length > 0) return [];
    const isThere = there(db);
    const demanded = 'no data of an etcd is left that runs elsewhere now';
    return [demand({ subject: db.path, demanded, seen: isThere ? 'it is there' : 'it is not', ok: !isThere })];
  },
};

/** etcd, and the certificates that are shown to it. */
export interface LetIn {
  readonly etcd: Seen;
  readonly peer: Seen;
  readonly clients: readonly Seen[];
}

const factsOf = ({ file }: Seen): CertificateFacts | undefined =>
  file?.held.kind === 'certificates' ? file.held.certificates[0]?.facts : undefined;
const isAmong = (hosts: string, { altNames }: CertificateFacts): boolean =>
  hosts.split(',').some((host) => isFor(altNames, host));

/** Who of the machine's own is turned away. */
function turnedAway({ peer, clients }: LetIn, flags: Readonly<Record<string, string>>): readonly string[] {
  const { 'peer-cert-allowed-cn': name = '', 'peer-cert-allowed-hostname': hosts = '' } = flags;
  const { 'client-cert-allowed-hostname': clientHosts = '' } = flags;
  const facts = factsOf(peer);
  const isOut =
    facts !== undefined && ((name !== '' && facts.commonName !== name) || (hosts !== '' && !isAmong(hosts, facts)));
  const others = clients.filter((client) => {
    const own = factsOf(client);
    return own !== undefined && clientHosts !== '' && !isAmong(clientHosts, own);
  });
  return [...(isOut ? [peer] : []), ...others].map(({ path }) => path);
}

/** What its flags ask of certificates beyond their authority, those of the machine have. */
export const letsInItsOwn: Check<LetIn> = {
  id: 'node-etcd-data/lets-in',
  source: 'etcd client/pkg/transport TLSInfo, AllowedCN, AllowedHostname',
  judge: (all) => [
    inFlags(all.etcd, 'it lets in the certificates of its own machine', (flags) => {
      const odd = turnedAway(all, flags);
      return { seen: odd.length === 0 ? 'it does' : `not ${odd.join(', ')}`, ok: odd.length === 0 };
    }),
  ],
};

const GATE = /(?:^|,)\s{0,8}InitialCorruptCheck=([^,]*)/;

/** Nobody has turned off that etcd compares its data with those of the others before it serves them. */
export const comparesData: Check<readonly Seen[]> = {
  id: 'node-etcd-data/compares',
  source: 'cmd/kubeadm/app/phases/etcd/local.go getEtcdCommand; etcd, data corruption',
  judge: (all) =>
    all.map((seen) =>
      inFlags(seen, 'it compares its data before it serves them', (flags): Pick<Look, 'seen' | 'ok'> => {
        const { 'feature-gates': gates = '', 'experimental-initial-corrupt-check': flag } = flags;
        const told = GATE.exec(gates)?.[1] ?? flag;
        return { seen: told ?? 'nothing is said', ok: told === undefined || /^(?:true|1|t)$/i.test(told) };
      }),
    ),
};
