/** A machine on which a client has done nothing, for tests. */
import type { Machine } from './joined-files-reader.js';

export const untouchedMachine: Machine = {
  subject: 'x (y)',
  exit: 0,
  done: [],
  left: [],
  discovered: 0,
  requested: 0,
  server: '',
  ownServer: '',
  kubelet: {},
  told: [],
  socket: '',
  isWorker: true,
  shared: {},
  certified: '',
};
