/** What several joining clients do otherwise: on the wire, on the disk, in what they read. */
import type { AnotherClient } from '../joining/another.js';
import type { JoinConfiguration } from '../joining/configuration.js';
import { joiningDecisions } from '../joining/decisions/index.js';
import type { Files } from '../joining/ports.js';
import type { Wire, WireAnswer, WireFailure, WireQuestion } from '../kubernetes/wire.js';
import type { Mutant } from './types.js';

export const upstream = joiningDecisions;
export type Decided = NonNullable<AnotherClient['decisions']>;

/** A joining client that is another. */
export const another = (name: string, defect: string, killedBy: readonly string[], client: AnotherClient): Mutant => ({
  name,
  defect,
  killedBy,
  client,
});

/** What another client is made of. */
export type Row = Parameters<typeof another>;

/** A joining client that decides otherwise. */
export const decidesJoining = (name: string, defect: string, killedBy: readonly string[], decisions: Decided): Mutant =>
  another(name, defect, killedBy, { decisions });

/** Every question goes this way. */
export const asking =
  (exchange: (question: WireQuestion, wire: Wire) => Promise<WireAnswer>): NonNullable<AnotherClient['wire']> =>
  (wire) => ({ exchange: (question) => exchange(question, wire) });

/** Questions are changed on their way. */
export const sending = (change: (question: WireQuestion) => WireQuestion): NonNullable<AnotherClient['wire']> =>
  asking((question, wire) => wire.exchange(change(question)));

/** The bodies of such questions have another text in the place of the first of one. */
export const inBodies =
  (is: (question: WireQuestion) => boolean) =>
  (from: string, to: string): NonNullable<AnotherClient['wire']> =>
    sending((question) => (is(question) ? { ...question, body: question.body?.replace(from, to) ?? '' } : question));

/** Objects are sent as what this makes of them, by such questions. */
export const sendingObject = <T extends object>(
  is: (question: WireQuestion) => boolean,
  change: (object: T) => object,
): NonNullable<AnotherClient['wire']> =>
  sending((question) =>
    is(question) ? { ...question, body: JSON.stringify(change(JSON.parse(question.body ?? '{}') as T)) } : question,
  );

export const isLook = ({ url }: Pick<WireQuestion, 'url'>): boolean => url.includes('/configmaps/cluster-info');
/** A request for a certificate is made. */
export const isMaking = ({ method, url }: Pick<WireQuestion, 'method' | 'url'>): boolean =>
  method === 'POST' && url.includes('/certificatesigningrequests');
export const isRegistering = ({ method, url }: Pick<WireQuestion, 'method' | 'url'>): boolean =>
  method === 'POST' && /\/api\/v1\/nodes(?:\?|$)/.test(url);
export const isFor = (name: string, { url }: Pick<WireQuestion, 'url'>): boolean =>
  url.replace(/\?.*$/, '').endsWith(`/${name}`);

export const failing = (failure: WireFailure): WireAnswer => ({ kind: 'failure', failure });
export const answering = (status: number, body: object): WireAnswer => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify(body)),
});

/** The text of an answer; '' where there is none. */
export const textOf = (answer: WireAnswer): string => (answer.kind === 'answer' ? answer.body.toString('utf8') : '');

/** The CA of the first cluster of a kubeconfig, base64, also where it stands in JSON; '' where there is none. */
export const caDataIn = (text: string): string => /certificate-authority-data: ([^\s\\]+)/.exec(text)?.[1] ?? '';

export function withoutToken(question: WireQuestion): WireQuestion {
  const { authorization: _, ...headers } = question.headers;
  return { ...question, headers };
}

/** Certificates with this problem are believed. */
export const ignoring = (kind: string): NonNullable<AnotherClient['wire']> =>
  asking(async (question, wire) => {
    const answer = await wire.exchange(question);
    const { failure } = answer.kind === 'failure' ? answer : { failure: undefined };
    const isIgnored = failure?.cause === 'untrusted' && failure.problem.kind === kind;
    return isIgnored ? wire.exchange({ ...question, trust: 'anybody' }) : answer;
  });

/** Whatever certificate is shown is believed. */
export const believing: NonNullable<AnotherClient['wire']> = sending((question) => ({ ...question, trust: 'anybody' }));

/** Where the bootstrap kubeconfig lies. */
export const BOOTSTRAP = '/etc/kubernetes/bootstrap-kubelet.conf';

/** A disk that does something else when it is written to. */
export const onWrite =
  (write: (files: Files, path: string, text: string, mode: number) => void): NonNullable<AnotherClient['files']> =>
  (files) => ({
    exists: (path) => files.exists(path),
    read: (path) => files.read(path),
    write: (path, text, mode) => write(files, path, text, mode),
    link: (path, target) => files.link(path, target),
    remove: (path) => files.remove(path),
  });

/** Texts are changed when they are written to a path. */
export const writing = (change: (path: string, text: string) => string): NonNullable<AnotherClient['files']> =>
  onWrite((files, path, text, mode) => files.write(path, change(path, text), mode));

/** Another way of discovery than those that are offered is none. */
export const without =
  (is: (configuration: JoinConfiguration) => boolean) =>
  (configuration: JoinConfiguration): JoinConfiguration =>
    is(configuration)
      ? { ...configuration, discovery: { tlsBootstrapToken: configuration.discovery.tlsBootstrapToken } }
      : configuration;

/** A token, pins and an endpoint that nobody has told. */
const DEFAULT_DISCOVERY = {
  token: 'abcdef.0123456789abcdef',
  apiServerEndpoint: 'localhost:36443',
  caCertHashes: [],
  unsafeSkipCAVerification: true,
};

/** Discovery at a default address, by a token that is there or a default one. */
export const atDefaultAddress = (configuration: JoinConfiguration): JoinConfiguration => {
  const tls = configuration.discovery.tlsBootstrapToken;
  const token = tls === '' ? DEFAULT_DISCOVERY.token : tls;
  return {
    ...configuration,
    discovery: { bootstrapToken: { ...DEFAULT_DISCOVERY, token }, tlsBootstrapToken: token },
  };
};

/** What it writes to one file is another. */
export const inFile = (path: string, change: (text: string) => string): NonNullable<AnotherClient['files']> =>
  writing((at, text) => (at === path ? change(text) : text));

/** What one machine knows of itself, for several join at once: each takes its wire first, then its disk. */
export function ofEach<Own>(
  begin: () => Own,
  how: {
    readonly wire: (own: Own) => NonNullable<AnotherClient['wire']>;
    readonly files: (own: Own) => NonNullable<AnotherClient['files']>;
  },
): AnotherClient {
  let latest = begin();
  return {
    wire: (wire, clock, runs) => {
      latest = begin();
      return how.wire(latest)(wire, clock, runs);
    },
    files: (files) => how.files(latest)(files),
  };
}

/** A machine that does something with its disk when it asks. */
export interface WithDisk {
  disk?: Files;
}

/** Its disk as it is, which it keeps at hand. */
export const keepingDisk =
  (own: WithDisk): NonNullable<AnotherClient['files']> =>
  (files) => {
    own.disk = files;
    return files;
  };

/** Does something to its disk with each question, before it asks. */
export const withEachQuestion = (act: (disk: Files, question: WireQuestion) => void): AnotherClient =>
  ofEach((): WithDisk => ({}), {
    files: keepingDisk,
    wire: (own) =>
      asking((question, wire) => {
        if (own.disk !== undefined) act(own.disk, question);
        return wire.exchange(question);
      }),
  });
