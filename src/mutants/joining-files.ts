import type { AnotherClient } from '../joining/another.js';
import {
  another,
  asking,
  BOOTSTRAP,
  decidesJoining,
  failing,
  inFile,
  isLook,
  ofEach,
  onWrite,
  sending,
  upstream,
  withEachQuestion,
} from './joining-hooks.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

const KUBELET = '/etc/kubernetes/kubelet.conf';
const CA = '/etc/kubernetes/pki/ca.crt';
const CONFIG = '/var/lib/kubelet/config.yaml';

/** Whose bootstrap kubeconfig could not be written asks for no certificate. */
const withNothing = (): AnotherClient =>
  ofEach(() => ({ isUnwritten: false }), {
    wire: (own) =>
      asking(async (question, to) =>
        own.isUnwritten && question.method === 'POST' ? failing({ cause: 'reset' }) : to.exchange(question),
      ),
    files: (own) =>
      onWrite((disk, path, text, mode) => {
        try {
          disk.write(path, text, mode);
        } catch (error) {
          if (path !== BOOTSTRAP) throw error;
          own.isUnwritten = true;
        }
      }),
  });

/** Writes as soon as it asks. */
const writesEarly = (): AnotherClient =>
  withEachQuestion((disk, question) => {
    if (isLook(question)) disk.write(BOOTSTRAP, 'apiVersion: v1\nkind: Config\n', 0o600);
  });

const certificate = (text: string): string =>
  text.replace(
    /certificate-authority-data: \S+/,
    `certificate-authority-data: ${Buffer.from('none').toString('base64')}`,
  );

/** What was there when it was written is not removed. One machine after the other. */
function leaving(): AnotherClient {
  const old = new Set<string>();
  return {
    files: (disk) => {
      old.clear();
      return {
        exists: (path) => disk.exists(path),
        read: (path) => disk.read(path),
        write: (path, text, mode) => {
          if (path === BOOTSTRAP && disk.exists(path)) old.add(path);
          disk.write(path, text, mode);
        },
        link: (path, target) => disk.link(path, target),
        remove: (path) => {
          if (!old.has(path)) disk.remove(path);
        },
      };
    },
  };
}

/** What is there already stays. */
const keeping = (is: RegExp): AnotherClient => ({
  files: onWrite((disk, path, text, mode) => {
    if (!is.test(path) || !disk.exists(path)) disk.write(path, text, mode);
  }),
});

export const mutants: readonly Mutant[] = [
  another(
    'join-keeps-what-it-bootstraps-with',
    'a bootstrap kubeconfig that is there is kept',
    ['P-554'],
    keeping(/bootstrap-kubelet\.conf$/),
  ),
  another('join-bootstraps-with-an-old-token', 'the token of a bootstrap kubeconfig that is there is kept', ['P-554'], {
    files: onWrite((disk, path, text, mode) => {
      const [old] = (path === BOOTSTRAP && /token: [a-z0-9.]+/.exec(disk.read(path) ?? '')) || [];
      disk.write(path, old === undefined ? text : text.replace(/token: \S+/, old), mode);
    }),
  }),
  another('join-leaves-what-was-there', 'a bootstrap kubeconfig that was there before is left', ['P-554'], leaving()),
  another('join-keeps-manifests', 'manifests that are there are kept', ['P-554'], keeping(/\/manifests\//)),
  another('join-stays-at-the-endpoint', 'the endpoint is asked on, whatever server cluster-info names', ['LIFE-002'], {
    wire: sending((question) => ({ ...question, url: question.url.replace('//localhost:', '//127.0.0.1:') })),
  }),
  another(
    'join-writes-early',
    'the bootstrap kubeconfig is written before discovery is over',
    ['DISC-020', 'JOIN-004', 'LIFE-018'],
    writesEarly(),
  ),
  decidesJoining(
    'join-bootstrap-elsewhere',
    'the bootstrap kubeconfig lies where the kubelet keeps its own files',
    [
      'JOIN-004',
      'JOIN-007',
      'LIFE-001',
      'LIFE-002',
      'LIFE-003',
      'LIFE-004',
      'LIFE-005',
      'LIFE-006',
      'LIFE-007',
      'LIFE-008',
    ],
    {
      bootstrapFile: () => '/var/lib/kubelet/bootstrap-kubeconfig',
    },
  ),
  decidesJoining('join-server-of-endpoint', 'the server is that of the command line', ['DISC-018', 'LIFE-002'], {
    joinServer: (discovered, endpoint) => (endpoint === undefined ? discovered : `https://${endpoint}`),
  }),
  another('join-bootstrap-other-server', 'the bootstrap kubeconfig names an address of its own', ['LIFE-002'], {
    files: inFile(BOOTSTRAP, (text) => text.replace(/server: \S+/, 'server: https://192.0.2.9:6443')),
  }),
  another('join-bootstrap-other-ca', 'the bootstrap kubeconfig has the CA of another connection', ['LIFE-002'], {
    files: inFile(BOOTSTRAP, certificate),
  }),
  another(
    'join-bootstrap-other-token',
    'the bootstrap kubeconfig has a token of its own',
    ['LIFE-002', 'LIFE-004', 'P-122'],
    {
      files: inFile(BOOTSTRAP, (text) => text.replace(/token: \S+/, 'token: fedcba.0123456789abcdef')),
    },
  ),
  decidesJoining('join-bootstrap-other-cluster-name', 'the cluster is named after the machine', ['LIFE-003'], {
    bootstrapNames: () => ({ ...upstream.bootstrapNames(), cluster: 'worker-9' }),
  }),
  decidesJoining('join-bootstrap-other-user-name', 'the user is named "kubelet-bootstrap"', ['LIFE-003'], {
    bootstrapNames: () => ({ ...upstream.bootstrapNames(), user: 'kubelet-bootstrap' }),
  }),
  another('join-bootstrap-two-clusters', 'the bootstrap kubeconfig has a second cluster', ['LIFE-002', 'LIFE-003'], {
    files: inFile(BOOTSTRAP, (text) =>
      text.replace('clusters:\n', 'clusters:\n- cluster:\n    server: https://192.0.2.9:6443\n  name: kubernetes\n'),
    ),
  }),
  decidesJoining('join-token-of-file-first', 'the token of the configuration is not used', ['LIFE-004'], {
    joinToken: () => undefined,
  }),
  another('join-discovery-token-throughout', 'the discovery token is used for TLS bootstrap', ['LIFE-004'], {
    configuration: (configuration) => {
      const { bootstrapToken, tlsBootstrapToken } = configuration.discovery;
      const token = bootstrapToken?.token ?? tlsBootstrapToken;
      return { ...configuration, discovery: { ...configuration.discovery, tlsBootstrapToken: token } };
    },
  }),
  remembering(() => {
    let late: readonly [string, string, number] | undefined;
    return another(
      'join-kubelet-starts-first',
      'the kubelet is started before the bootstrap kubeconfig is written',
      ['LIFE-005'],
      {
        files: onWrite((disk, path, text, mode) => {
          if (path === BOOTSTRAP) {
            late = [path, text, mode];
            return;
          }
          if (path === KUBELET && late !== undefined) disk.write(...late);
          disk.write(path, text, mode);
        }),
      },
    );
  }),
  another('join-write-errors-swallowed', 'a file that cannot be written is passed over', ['LIFE-006', 'LIFE-012'], {
    files: onWrite((disk, path, text, mode) => {
      try {
        disk.write(path, text, mode);
      } catch {
        // that is the defect
      }
    }),
  }),
  another(
    'join-bootstraps-with-nothing',
    'a kubelet is started without a bootstrap kubeconfig',
    ['LIFE-006'],
    withNothing(),
  ),
  remembering(() => {
    let isBad = false;
    return another(
      'join-write-errors-told-late',
      'a file that cannot be written ends the join in its end',
      ['LIFE-006'],
      {
        files: onWrite((disk, path, text, mode) => {
          if (isBad && path.includes('/kubelet-client')) return;
          try {
            disk.write(path, text, mode);
          } catch {
            isBad = true;
          }
        }),
        ends: (exit) => {
          const code = isBad ? 1 : exit;
          isBad = false;
          return code;
        },
      },
    );
  }),
  decidesJoining(
    'join-bootstrap-stays',
    'the bootstrap kubeconfig is never removed',
    ['JOIN-007', 'LIFE-007', 'LIFE-008', 'P-517'],
    { removesBootstrapFile: () => false },
  ),
  decidesJoining(
    'join-bootstrap-stays-after-failure',
    'the bootstrap kubeconfig is removed after success alone',
    ['LIFE-008'],
    {
      removesBootstrapFile: (ended) => ended === 'bootstrapped',
    },
  ),
  decidesJoining(
    'join-kubelet-conf-elsewhere',
    'the kubeconfig of the kubelet lies with its other files',
    ['BOOT-009', 'CSR-008', 'JOIN-003', 'JOIN-007', 'LIFE-009', 'LIFE-010', 'LIFE-011'],
    {
      kubeletFile: () => '/var/lib/kubelet/kubeconfig',
    },
  ),
  another(
    'join-token-in-kubelet-conf',
    'kubelet.conf holds the token',
    ['BOOT-009', 'CSR-008', 'LIFE-010', 'LIFE-011', 'P-461', 'P-517'],
    {
      files: inFile(KUBELET, (text) =>
        text.replace(/( +)client-certificate: .*\n +client-key: .*\n/, '$1token: abcdef.0123456789abcdef\n'),
      ),
    },
  ),
  another(
    'join-kubelet-believes-everybody',
    'kubelet.conf skips the verification of its server',
    ['P-311', 'P-517', 'P-527'],
    {
      files: inFile(KUBELET, (text) =>
        text.replace(/certificate-authority(-data)?: .*/, 'insecure-skip-tls-verify: true'),
      ),
    },
  ),
  another('join-kubelet-believes-the-host', 'kubelet.conf has no CA', ['P-311'], {
    files: inFile(KUBELET, (text) => text.replace(/ +certificate-authority(-data)?: .*\n/, '')),
  }),
  another('join-kubelet-without-tls', 'kubelet.conf asks without TLS', ['P-311'], {
    files: inFile(KUBELET, (text) => text.replace('server: https:', 'server: http:')),
  }),
  another('harmless-kubelet-names-its-ca', 'kubelet.conf names ca.crt by a relative path', [], {
    files: inFile(KUBELET, (text) =>
      text.replace(/certificate-authority(-data)?: .*/, 'certificate-authority: pki/ca.crt'),
    ),
  }),
  another('join-ends-before-certificate', 'the join ends when the kubelet is started', ['LIFE-007', 'LIFE-009'], {
    until: 'kubelet-start',
  }),
  another(
    'join-ca-other',
    'ca.crt holds the certificate of another connection',
    ['CERTKEY-024', 'DISC-003', 'FDISC-005', 'JOIN-007', 'LIFE-012'],
    {
      files: inFile(CA, (text) => text.replace(/^.*\n.*\n/, '-----BEGIN CERTIFICATE-----\nAAAA\n')),
    },
  ),
  another('join-ca-first-only', 'of several CAs the first is saved', ['LIFE-012'], {
    files: inFile(CA, (text) => text.replace(/(-----END CERTIFICATE-----\n).*/s, '$1')),
  }),
  decidesJoining('join-ca-unsaved', 'ca.crt is not written', ['DISC-003', 'FDISC-005', 'JOIN-007', 'LIFE-012'], {
    writesCa: () => false,
  }),
  another('join-kubelet-defaults', 'config.yaml holds defaults', ['LIFE-013'], {
    files: inFile(CONFIG, () => 'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n'),
  }),
  another('join-kubelet-serves-by-itself', 'serverTLSBootstrap does not reach config.yaml', ['LIFE-013'], {
    files: inFile(CONFIG, (text) => text.replace(/^serverTLSBootstrap: true\n/m, '')),
  }),
  another('join-kubelet-zero-is-none', 'a number that is zero does not reach config.yaml', ['LIFE-013'], {
    files: inFile(CONFIG, (text) => text.replace(/^\w+: 0\n/gm, '')),
  }),
  another('join-kubelet-numbers', 'quoted numbers come to config.yaml as numbers', ['LIFE-013'], {
    files: inFile(CONFIG, (text) => text.replace(/: "(\d+)"$/gm, ': $1')),
  }),
  decidesJoining('join-runs-a-plug-in', 'a plug-in is run that nobody has asked for', ['INFO-012'], {
    restartCommands: () => ['enable plug-in', 'daemon-reload', 'restart kubelet'],
  }),
  decidesJoining('join-kubelet-not-reloaded', 'the kubelet is restarted without a reload', ['LIFE-014', 'LIFE-016'], {
    restartCommands: () => ['restart kubelet'],
  }),
  decidesJoining(
    'join-kubelet-started-only',
    'the kubelet is started, and one that runs keeps its settings',
    ['LIFE-014', 'LIFE-016'],
    {
      restartCommands: () => ['daemon-reload', 'start kubelet'],
    },
  ),
  decidesJoining(
    'join-needs-services',
    'without a service manager that knows the kubelet the join fails',
    ['LIFE-015', 'LIFE-016'],
    {
      goesOnWithoutService: () => false,
    },
  ),
  decidesJoining(
    'join-unknown-service-left',
    'a kubelet that the service manager does not know is not restarted',
    ['LIFE-016'],
    {
      restartsUnknownService: () => false,
    },
  ),
  decidesJoining('join-restart-fails-join', 'a restart that fails ends the join', ['LIFE-016', 'LIFE-017'], {
    goesOnWithoutRestart: () => false,
  }),
  decidesJoining(
    'join-kubeconfig-for-all',
    'kubeconfigs are readable by everybody',
    ['LIFE-019', 'P-525', 'P-527', 'P-539'],
    {
      fileMode: (what) => (what === 'kubeconfig' ? 0o644 : upstream.fileMode(what)),
    },
  ),
  another('join-closes-later', 'kubeconfigs are written for everybody, and closed then', ['LIFE-019'], {
    files: onWrite((files, path, text, mode) => {
      if (path === BOOTSTRAP) files.write(path, text, 0o644);
      files.write(path, text, mode);
    }),
  }),
  another('join-files-for-all', 'whatever is written is readable by everybody', ['LIFE-019', 'P-525', 'P-527'], {
    files: onWrite((files, path, text, mode) => files.write(path, text, mode | 0o044)),
  }),
  decidesJoining('join-keys-for-group', 'keys are readable by their group', ['LIFE-019'], {
    fileMode: (what) => (what === 'private key' || what === 'kubelet pair' ? 0o640 : upstream.fileMode(what)),
  }),
];
