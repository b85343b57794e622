/** Defects of a joining client that show at a later step, at the second of several things, or after something has failed. */
import { createHash, createHmac, createPrivateKey } from 'node:crypto';
import type { AnotherClient } from '../joining/another.js';
import type { JoinConfiguration } from '../joining/configuration.js';
import type { Files } from '../joining/ports.js';
import { type Fields, record, textMap } from '../kubernetes/json.js';
import type { Wire, WireAnswer, WireQuestion } from '../kubernetes/wire.js';
import {
  another,
  asking,
  BOOTSTRAP,
  decidesJoining,
  inFile,
  isLook,
  isMaking,
  isRegistering,
  ofEach,
  onWrite,
  sending,
  sendingObject,
  textOf,
  upstream,
  type WithDisk,
  writing,
} from './joining-hooks.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

type Is = (question: WireQuestion) => boolean;
type Wiring = NonNullable<AnotherClient['wire']>;

const withToken: Is = ({ headers, url }) => headers.authorization !== undefined && !isLook({ url });
const asNode: Is = ({ certificate }) => certificate !== undefined;
const isGood = (answer: WireAnswer): boolean => answer.kind === 'answer' && answer.status < 300;
const DATED = /kubelet-client-\d/;

const weakly = (is: Is): Wiring => sending((question) => (is(question) ? { ...question, offersWeak: true } : question));

/** Such questions have these headers besides. */
const saying = (is: Is, headers: (question: WireQuestion) => Readonly<Record<string, string>>): Wiring =>
  sending((question) =>
    is(question) ? { ...question, headers: { ...question.headers, ...headers(question) } } : question,
  );

/** Asked again so often while it is not answered well, after a pause in milliseconds. */
const again =
  (is: Is, most: number, pause: number): Wiring =>
  (wire, clock) => ({
    exchange: async (question) => {
      let answer = await wire.exchange(question);
      for (let tries = 0; tries < most && is(question) && !isGood(answer); tries += 1) {
        await clock.sleep(pause);
        answer = await wire.exchange(question);
      }
      return answer;
    },
  });

const answeredAs = (answer: WireAnswer, object: unknown): WireAnswer =>
  answer.kind === 'answer' ? { ...answer, body: Buffer.from(JSON.stringify(object)) } : answer;

/** Whatever the token for TLS bootstrap has signed counts as signed by that of discovery. */
function believingBoth(): AnotherClient {
  let told: JoinConfiguration['discovery'] | undefined;
  const read = (token: string): readonly string[] => token.split('.');
  return {
    configuration: (configuration) => {
      told = configuration.discovery;
      return configuration;
    },
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      if (!isLook(question) || !isGood(answer) || told?.bootstrapToken === undefined) return answer;
      const [id = '', secret = ''] = read(told.tlsBootstrapToken);
      const [ownId = '', ownSecret = ''] = read(told.bootstrapToken.token);
      const map = record(JSON.parse(textOf(answer)));
      const data = textMap(map.data);
      const { kubeconfig = '', [`jws-kubeconfig-${id}`]: signature = '' } = data;
      if (id === ownId || !upstream.isSignature(signature, kubeconfig, { id, secret })) return answer;
      const header = Buffer.from(`{"alg":"HS256","kid":"${ownId}"}`).toString('base64url');
      const signed = `${header}.${Buffer.from(kubeconfig).toString('base64url')}`;
      const own = `${header}..${createHmac('sha256', ownSecret).update(signed).digest('base64url')}`;
      return answeredAs(answer, { ...map, data: { ...data, [`jws-kubeconfig-${ownId}`]: own } });
    }),
  };
}

/** A second copy that differs is fetched again, until it does not. */
const comparingAgain = (wire: Wire): Wire => {
  let first: string | undefined;
  const copyIn = (answer: WireAnswer): string | undefined =>
    isGood(answer) && textOf(answer).startsWith('{')
      ? textMap(record(record(JSON.parse(textOf(answer))).data)).kubeconfig
      : undefined;
  return {
    exchange: async (question) => {
      let answer = await wire.exchange(question);
      if (!isLook(question)) return answer;
      if (question.trust === 'anybody') first = copyIn(answer);
      for (let tries = 0; tries < 3 && first !== undefined && ![first, undefined].includes(copyIn(answer)); tries += 1)
        answer = await wire.exchange(question);
      return answer;
    },
  };
};

/** Whoever ignores one check of the machine ignores all. */
const ignoringAll = (configuration: JoinConfiguration): JoinConfiguration => {
  const { nodeRegistration } = configuration;
  const { ignorePreflightErrors = [] } = nodeRegistration;
  return ignorePreflightErrors.length === 0
    ? configuration
    : { ...configuration, nodeRegistration: { ...nodeRegistration, ignorePreflightErrors: ['all'] } };
};

/** Whoever ignores a check of files ignores all whose names begin like it. */
const ignoringBeginnings = (configuration: JoinConfiguration): JoinConfiguration => {
  const { nodeRegistration } = configuration;
  const { ignorePreflightErrors = [] } = nodeRegistration;
  const files = ['kubelet.conf', 'bootstrap-kubelet.conf', 'pki-ca.crt'];
  const checks = files.map((file) => `FileAvailable--etc-kubernetes-${file}`);
  const ignored = checks.filter((check) => ignorePreflightErrors.some((one) => check.startsWith(one)));
  return {
    ...configuration,
    nodeRegistration: { ...nodeRegistration, ignorePreflightErrors: [...ignorePreflightErrors, ...ignored] },
  };
};

/** Of arguments of one name the last is told. */
const tellingEachOnce = (configuration: JoinConfiguration): JoinConfiguration => {
  const { nodeRegistration } = configuration;
  const kubeletExtraArgs = [...new Map(nodeRegistration.kubeletExtraArgs)];
  return { ...configuration, nodeRegistration: { ...nodeRegistration, kubeletExtraArgs } };
};

/** Of the pair that it has written, the key in DER. */
function withItsKey(make: (key: () => string) => AnotherClient): AnotherClient {
  let pair = '';
  const key = (): string =>
    pair === '' ? '' : createPrivateKey(pair).export({ type: 'pkcs8', format: 'der' }).toString('base64');
  return {
    ...make(key),
    files: onWrite((disk, path, text, mode) => {
      if (DATED.test(path)) pair = text.slice(text.search(/-----BEGIN [A-Z ]*PRIVATE KEY/));
      disk.write(path, text, mode);
    }),
  };
}

/** The bootstrap kubeconfig is written again with the second pair. */
function bringingItBack(files: Files): Files {
  let bootstrap = '';
  let pairs = 0;
  return onWrite((disk, path, text, mode) => {
    if (path === BOOTSTRAP) bootstrap = text;
    if (DATED.test(path)) pairs += 1;
    disk.write(path, text, mode);
    if (pairs > 1) disk.write(BOOTSTRAP, bootstrap, 0o600);
  })(files);
}

/** A key that waits stays. */
const keepingWhatWaited = (files: Files): Files => ({
  ...onWrite((disk, path, text, mode) => disk.write(path, text, mode))(files),
  remove: (path) => (path.endsWith('.key.tmp') ? undefined : files.remove(path)),
});

/** The configuration of the kubelet is written again with its first pair. */
function openingItsPort(files: Files): Files {
  let configuration = '';
  const path = '/var/lib/kubelet/config.yaml';
  return onWrite((disk, at, text, mode) => {
    if (at === path) configuration = text;
    disk.write(at, text, mode);
    if (DATED.test(at)) disk.write(path, `${configuration}readOnlyPort: 10255\n`, 0o644);
  })(files);
}

/** Once it renews, a certificate for any key is stored. */
function takingAnyAtLast(): AnotherClient {
  let renews = false;
  return {
    decisions: { takesCertificate: (isOwn) => isOwn || renews },
    wire: asking((question, wire) => {
      if (isMaking(question)) renews = asNode(question);
      return wire.exchange(question);
    }),
  };
}

const CURRENT = '/var/lib/kubelet/pki/kubelet-client-current.pem';
/** Whoever asks for another pair takes the old one away first, and still knows what was in it. */
const droppingItsPair = (): AnotherClient =>
  ofEach((): WithDisk & { known?: string | undefined } => ({}), {
    wire: (own) =>
      asking((question, wire) => {
        if (isMaking(question) && asNode(question)) {
          own.known = own.disk?.read(CURRENT) ?? own.known;
          own.disk?.remove(CURRENT);
        }
        return wire.exchange(question);
      }),
    files: (own) => (files) => {
      own.disk = files;
      const read = (path: string): string | undefined => files.read(path) ?? (path === CURRENT ? own.known : undefined);
      return {
        ...onWrite((disk, ...written) => disk.write(...written))(files),
        exists: (path) => read(path) !== undefined,
        read,
      };
    },
  });

const listing = (path: string): Wiring =>
  asking(async (question, wire) => {
    const { body: _, ...others } = question;
    const url = question.url.replace(/(https:\/\/[^/]+).*/, `$1${path}`);
    if (isRegistering(question)) await wire.exchange({ ...others, method: 'GET', url });
    return wire.exchange(question);
  });

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Certificates (PEM), the last one first. */
const turned = (chain: string): string =>
  chain
    .split(/^(?=-----BEGIN)/m)
    .reverse()
    .join('');

export const mutants: readonly Mutant[] = [
  another('join-shows-its-token-weakly', 'TLS that protects nothing is offered with a token', ['P-514'], {
    wire: weakly(withToken),
  }),
  another('join-renews-weakly', 'TLS that protects nothing is offered with a certificate', ['P-516', 'P-527'], {
    wire: weakly(asNode),
  }),
  another('join-shows-a-hash-of-its-token', 'the first look has a hash of the token in a header', ['P-310'], {
    wire: saying(isLook, () => ({ 'x-session': hashOf('0123456789abcdef') })),
  }),
  another('join-renews-with-its-token-beside', 'whoever renews shows the token in a header', ['P-516', 'P-527'], {
    wire: saying(asNode, () => ({ 'x-joined-by': 'abcdef.0123456789abcdef' })),
  }),
  another('join-says-a-hash-of-its-token', 'every line holds a hash of the token', ['P-102'], {
    words: (line) => `${line} (${hashOf('abcdef.0123456789abcdef')})`,
  }),
  remembering(() =>
    another(
      'join-says-its-private-key',
      'the last line holds the private key in base64',
      ['P-102'],
      withItsKey((key) => ({ words: (line) => (line.includes('has joined') ? `${line} ${key()}` : line) })),
    ),
  ),
  remembering(() =>
    another(
      'join-renews-with-its-key-beside',
      'whoever renews sends the private key in a header',
      ['P-516', 'P-527'],
      withItsKey((key) => ({ wire: saying(asNode, () => ({ 'x-key': key() })) })),
    ),
  ),
  another(
    'join-impersonates-when-it-renews',
    'certificates are renewed in the name of an administrator',
    ['P-516', 'P-527'],
    {
      wire: saying(asNode, () => ({ 'impersonate-user': 'admin', 'impersonate-group': 'system:masters' })),
    },
  ),
  another('join-lists-secrets-as-a-node', 'a node lists all Secrets', ['P-518', 'P-528'], {
    wire: listing('/api/v1/namespaces/kube-system/secrets'),
  }),
  another('join-reads-roles-as-a-node', 'a node reads who may do what', ['P-518', 'P-528'], {
    wire: listing('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings'),
  }),
  another('join-reads-others-as-a-node', 'a node reads the Node of another', ['P-518', 'P-528'], {
    wire: listing('/api/v1/nodes/control-plane-1'),
  }),
  another('join-looks-weakly-again', 'TLS that protects nothing is offered for the second look', ['P-514'], {
    wire: weakly((question) => isLook(question) && question.trust !== 'anybody'),
  }),
  another('join-bootstraps-with-another-cluster', 'the bootstrap kubeconfig names another cluster too', ['P-118'], {
    files: inFile(BOOTSTRAP, (text) =>
      text.replace('clusters:\n', 'clusters:\n- cluster:\n    server: https://192.0.2.9:6443\n  name: another\n'),
    ),
  }),
  another('join-makes-what-is-broken-off-again', 'a request that is broken off is made again at once', ['P-435'], {
    wire: again((question) => isMaking(question) && !asNode(question), 1, 0),
  }),
  another('join-renews-again-and-again', 'a renewal that fails is asked for ten times a second', ['P-518', 'P-528'], {
    wire: again((question) => isMaking(question) && asNode(question), 20, 100),
  }),
  another('join-renews-twice-at-a-time', 'each renewal is asked for twice', ['P-518', 'P-528'], {
    wire: asking(async (question, wire) => {
      if (isMaking(question) && asNode(question)) await wire.exchange(question);
      return wire.exchange(question);
    }),
  }),
  remembering(() =>
    another(
      'join-believes-both-tokens',
      'a signature by the token for TLS bootstrap is good enough',
      ['DISC-008'],
      believingBoth(),
    ),
  ),
  another('join-compares-again', 'a second copy that differs is fetched again', ['DISC-017'], { wire: comparingAgain }),
  decidesJoining('join-verifies-by-one-pin', 'with two pins cluster-info is not fetched again', ['DISC-016'], {
    fetchesAgain: (pins) => pins.length === 1,
  }),
  decidesJoining('join-looks-twice-as-long', 'the second look has three times the time', ['DISC-009'], {
    fetchTimeout: (fetch, timeout) => (fetch === 'second' ? 3 * timeout : timeout),
  }),
  decidesJoining('join-reads-no-comments', 'a kubeconfig with comments is refused', ['INFO-012'], {
    hasKubeconfig: (kubeconfig): kubeconfig is string =>
      upstream.hasKubeconfig(kubeconfig) && !/^\s*#/m.test(kubeconfig),
  }),
  decidesJoining('join-reads-no-explained-ca', 'a CA with text around it is refused', ['INFO-012'], {
    comparedCa: (kubeconfig) => {
      const pem = upstream.comparedCa(kubeconfig);
      return pem.startsWith('-----BEGIN') ? pem : '';
    },
  }),
  decidesJoining('join-lowers-its-endpoint', 'the endpoint is asked in small letters', ['DISC-018'], {
    discoveryServer: (_fetch, endpoint) => `https://${endpoint.toLowerCase()}`,
  }),
  another('join-ignores-all-for-one', 'whoever ignores one check ignores all', ['JOIN-002'], {
    configuration: ignoringAll,
  }),
  another('join-ignores-by-beginnings', 'whoever ignores a check ignores all whose names begin like it', ['JOIN-002'], {
    configuration: ignoringBeginnings,
  }),
  decidesJoining('join-reads-the-last-condition', 'of a Node the last condition counts', ['JOIN-009'], {
    isTaken: (conditions) => upstream.isTaken(conditions.slice(-1)),
  }),
  decidesJoining('join-reads-any-ready', 'whatever is called ready counts', ['JOIN-009'], {
    isTaken: (conditions) => conditions.some(({ type, status }) => type.includes('Ready') && status === 'True'),
  }),
  another('join-keeps-what-waited', 'a key that has waited for its certificate stays beside it', ['P-517'], {
    files: keepingWhatWaited,
  }),
  remembering(() =>
    another(
      'join-takes-any-at-last',
      'whoever renews stores a certificate for any key',
      ['P-525', 'P-527'],
      takingAnyAtLast(),
    ),
  ),
  remembering(() =>
    another(
      'join-drops-its-pair',
      'whoever renews takes his pair away before there is another one',
      ['P-517'],
      droppingItsPair(),
    ),
  ),
  another('join-keeps-the-first-certificate', 'of the certificates that are issued the first is kept', ['P-465'], {
    files: writing((path, text) =>
      DATED.test(path)
        ? text.replace(/(-----END CERTIFICATE-----\n)[\s\S]*?(?=-----BEGIN [A-Z ]*PRIVATE)/, '$1')
        : text,
    ),
  }),
  another('join-turns-its-certificates', 'of the certificates that are issued the last is kept first', ['P-465'], {
    files: writing((path, text) =>
      DATED.test(path) ? text.replace(/^(?:-----BEGIN CERT[^-]*-----[^-]*-----END CERT[^-]*-----\n)+/, turned) : text,
    ),
  }),
  another('join-says-so-too-early', 'it says that it has joined before it has', ['P-460'], {
    words: (line) => (line.includes('Waiting for the kubelet') ? `This node has joined the cluster. ${line}` : line),
  }),
  another('join-says-so-whatever-happens', 'whoever looks for its cluster says that he has joined', ['P-460'], {
    words: (line) => `${line}; this node has joined the cluster`,
  }),
  another('join-asks-for-two', 'what is asked for is followed by a second request', ['P-114'], {
    wire: sendingObject(isMaking, (object: Fields) => {
      const spec = record(object.spec);
      const pem = Buffer.from(textMap(spec).request ?? '', 'base64').toString();
      const request = Buffer.from(pem + pem).toString('base64');
      return { ...object, spec: { ...spec, request } };
    }),
  }),
  another('join-tells-each-argument-once', 'of arguments of one name the last is told', ['P-100'], {
    configuration: tellingEachOnce,
  }),
  another(
    'join-brings-its-token-back',
    'the bootstrap kubeconfig is written again with the second pair',
    ['P-516', 'P-517', 'P-527'],
    { files: bringingItBack },
  ),
  another(
    'join-opens-its-port-later',
    'with its certificate the kubelet gets a port for everybody',
    ['LIFE-013', 'P-517'],
    {
      files: openingItsPort,
    },
  ),
  another('join-asks-for-its-configuration-for-long', 'a configuration is asked for for a minute', ['P-432'], {
    decisions: { shortRetry: () => ({ interval: 50, timeout: 60_000 }) },
  }),
];
