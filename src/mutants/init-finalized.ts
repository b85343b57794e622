/** Inits that leave kubelet.conf with the pair that they made themselves, or with none. */
import { inits, overlooks, passesOver, reads, writesFiles } from './init-hooks.js';
import type { Mutant } from './types.js';

const RULE = 'P-530';
const PAIR = /\/kubelet-client-current\.pem$/;

export const mutants: readonly Mutant[] = [
  overlooks('keeps-its-own-pair', 'kubelet.conf keeps the pair that init made', [RULE], PAIR),
  inits('expects-a-pair', 'kubelet.conf points to a pair that is not there', [RULE], {
    files: (files) => ({
      exists: (path) => PAIR.test(path) || files.exists(path),
      read: (path) => files.read(path),
      write: (...given) => files.write(...given),
    }),
  }),
  reads(
    'expects-pairs-in-one-place',
    'where the kubelet is told to keep its pair is not looked',
    [RULE],
    ({ kubeletExtraArgs }) => ({ kubeletExtraArgs: kubeletExtraArgs.filter(([name]) => name !== 'cert-dir') }),
  ),
  writesFiles('keeps-a-key-beside', 'kubelet.conf names a pair and holds one', [RULE], (write, path, text, ...rest) =>
    write(path, text.replace(/^( *)client-key: .*$/m, '$&\n$1client-key-data: YQ=='), ...rest),
  ),
  writesFiles(
    'makes-a-kubeconfig-anew',
    'kubelet.conf of a kubelet with a pair of its own is one of another cluster',
    [RULE],
    (write, path, text, ...rest) =>
      write(
        path,
        text
          .replace(/^.*certificate-authority-data: .*$/m, '')
          .replace(/server: .*/, 'server: https://192.0.2.99:6443')
          .replaceAll('@kubernetes', '@other'),
        ...rest,
      ),
  ),
  passesOver(
    'finalizes-nothing',
    'nothing said where kubelet.conf cannot point to a pair',
    RULE,
    'could not load',
    'is not a valid kubeconfig',
  ),
];
