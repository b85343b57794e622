/** Defects of a joining client in what it does when its disk refuses something, and when it removes what. */
import type { AnotherClient } from '../joining/another.js';
import type { Files } from '../joining/ports.js';
import { another, BOOTSTRAP, onWrite, withEachQuestion } from './joining-hooks.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

/** What the disk refuses of such files is passed over. */
const passingOver =
  (path: RegExp) =>
  (files: Files): Files =>
    onWrite((disk, at, text, mode) => {
      try {
        disk.write(at, text, mode);
      } catch (error) {
        if (!path.test(at)) throw error;
      }
    })(files);

/** What it says last holds its pair. */
function sayingItsPair(): AnotherClient {
  let pair = '';
  return {
    files: onWrite((disk, path, text, mode) => {
      if (/kubelet-client-\d/.test(path)) pair = text;
      disk.write(path, text, mode);
    }),
    words: (line) => (line.includes('has joined') ? `${line}\n${pair}` : line),
  };
}

export const mutants: readonly Mutant[] = [
  remembering(() =>
    another('join-says-its-pair', 'a join that succeeds says its private key', ['P-102'], sayingItsPair()),
  ),
  another(
    'join-goes-on-without-its-configuration',
    'a config.yaml that cannot be written is passed over',
    ['LIFE-013'],
    {
      files: passingOver(/\/config\.yaml$/),
    },
  ),
  another('join-goes-on-without-kubelet-conf', 'a kubelet.conf that cannot be written is passed over', ['LIFE-011'], {
    files: passingOver(/\/kubelet\.conf$/),
  }),
  another('join-goes-on-without-its-pair', 'a pair that cannot be written is passed over', ['LIFE-011'], {
    files: passingOver(/\/kubelet-client-[^/]*\.pem$/),
  }),
  another('join-goes-on-without-its-flags', 'a kubeadm-flags.env that cannot be written is passed over', ['LIFE-013'], {
    files: passingOver(/\/kubeadm-flags\.env$/),
  }),
  another(
    'join-removes-its-kubeconfig-early',
    'the bootstrap kubeconfig goes as soon as a request is made',
    ['P-439'],
    {
      ...withEachQuestion((disk, { method, url }) => {
        if (method === 'GET' && url.includes('/certificatesigningrequests/')) disk.remove(BOOTSTRAP);
      }),
    },
  ),
];
