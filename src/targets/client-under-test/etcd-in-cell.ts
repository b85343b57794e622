/** The etcd of a server that has one, in the cell of who joins it. */
import type { Liar } from '../../liars/liar.js';
import type { Lie } from '../../liars/lie.js';
import { type Cell, OWN_ADDRESS } from './cell.js';

const CLIENTS = 2379;

/** What never answers well is given up soon; the configuration has no such timeout before 1.31. */
export const etcdTimeout = ({ etcd }: Lie): { readonly etcdAPICall?: string } =>
  etcd?.isSick === true || etcd?.isStranger === true ? { etcdAPICall: '3s' } : {};

/** Plays the etcd of a server that has one, at the addresses of its members. Returns what ends it. */
export async function playEtcd(cell: Cell, { etcd, lie, scene }: Liar): Promise<() => void> {
  if (lie.etcd === undefined) return () => {};
  const { serveEtcd } = await import('../../liars/etcd-wire.js');
  const servers = [await cell.listen('127.0.0.1', CLIENTS), await cell.listen(OWN_ADDRESS, CLIENTS)];
  return serveEtcd(etcd, scene.cast, lie.etcd.isStranger === true, servers);
}
