/** Defects of a joining client that shows its token in another form, or for longer than it needs it. */
import type { AnotherClient } from '../joining/another.js';
import type { Wire, WireQuestion } from '../kubernetes/wire.js';
import { another, BOOTSTRAP, inBodies, isLook, onWrite, sending } from './joining-hooks.js';
import { remembering } from './remembering.js';
import type { Mutant } from './types.js';

const isRequest = ({ url }: WireQuestion): boolean => url.includes('/certificatesigningrequests');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const asBytes = (text: string): string => `[${[...Buffer.from(text)].join(' ')}]`;
const backwards = (text: string): string => [...text].reverse().join('');

/** It knows the token that it was told, and the certificate key. */
function knowing(client: (token: () => string, key: () => string) => AnotherClient): AnotherClient {
  let token = '';
  let key = '';
  return {
    ...client(
      () => token,
      () => key,
    ),
    configuration: (given) => {
      key = given.controlPlane?.certificateKey ?? key;
      token = given.discovery.bootstrapToken?.token ?? given.discovery.tlsBootstrapToken ?? token;
      return given;
    },
  };
}

/** Each line ends with the token in some form. */
const saying = (form: (token: string) => string): AnotherClient =>
  knowing((token) => ({ words: (line) => `${line} ${form(token())}` }));

/** Each line ends with the token of TLS bootstrap where discovery has another. */
const saysTheOther: AnotherClient = {
  words: (line, configuration) => {
    const { bootstrapToken, tlsBootstrapToken } = configuration?.discovery ?? {};
    const isOther = tlsBootstrapToken !== undefined && tlsBootstrapToken !== bootstrapToken?.token;
    return isOther ? `${line} ${tlsBootstrapToken}` : line;
  },
};

/** Beside the bootstrap kubeconfig the token is kept in some form. */
const keeping = (form: (token: string) => string): AnotherClient =>
  knowing((token) => ({
    files: onWrite((disk, path, text, mode) => {
      disk.write(path, text, mode);
      if (path === BOOTSTRAP) disk.write('/var/lib/kubelet/join.state', form(token()), 0o600);
    }),
  }));

/** The token is noted in a file for everybody until the bootstrap kubeconfig goes. */
const notingItsToken = (): AnotherClient => {
  const note = '/var/lib/kubelet/join.tmp';
  return knowing((token) => ({
    files: (disk) => ({
      ...onWrite((files, path, text, mode) => {
        files.write(path, text, mode);
        if (path === BOOTSTRAP) files.write(note, `token=${token()}\n`, 0o644);
      })(disk),
      remove: (path) => {
        if (path === BOOTSTRAP) disk.remove(note);
        disk.remove(path);
      },
    }),
  }));
};

/** Beside what it downloads a control plane keeps the bytes that it has decrypted it with. */
const keepingItsKey = (): AnotherClient =>
  knowing((_, key) => ({
    files: onWrite((disk, path, text, mode) => {
      disk.write(path, text, mode);
      if (path.endsWith('/pki/ca.key') && key() !== '')
        disk.write('/var/lib/kubelet/certs.key', Buffer.from(key(), 'hex').toString('base64'), 0o600);
    }),
  }));

/** Headers of the first look have the token in some form. */
const showing = (form: (token: string) => Readonly<Record<string, string>>): AnotherClient =>
  knowing((token) => ({
    wire: sending((question) =>
      isLook(question) ? { ...question, headers: { ...question.headers, ...form(token()) } } : question,
    ),
  }));

/** After the first question of this kind another one is asked as the token asked before. */
const askingOnce =
  (is: (question: WireQuestion) => boolean, path: string) =>
  (wire: Wire): Wire => {
    let before: WireQuestion | undefined;
    let isDone = false;
    return {
      exchange: async (question) => {
        const answer = await wire.exchange(question);
        if (question.headers.authorization !== undefined && question.method === 'GET') before = question;
        if (isDone || before === undefined || !is(question)) return answer;
        isDone = true;
        await wire.exchange({ ...before, url: before.url.replace(/(:\/\/[^/]+)\/.*/, `$1${path}`) });
        return answer;
      },
    };
  };

/** Looks at requests of whoever has a certificate are made with the token. */
const lookingWithItsToken = (wire: Wire): Wire => {
  let authorization: string | undefined;
  return {
    exchange: (question) => {
      authorization ??= question.headers.authorization;
      const { certificate, ...others } = question;
      const isOurs = certificate !== undefined && question.method === 'GET' && isRequest(question);
      return isOurs && authorization !== undefined
        ? wire.exchange({ ...others, headers: { ...question.headers, authorization } })
        : wire.exchange(question);
    },
  };
};

export const mutants: readonly Mutant[] = [
  ...(
    [
      ['backwards', backwards],
      ['in-hex', hex],
      ['byte-by-byte', asBytes],
      ['in-capitals', (token: string) => token.toUpperCase()],
      ['spelt', (token: string) => [...token].join(' ')],
      ['within-base64', (token: string) => Buffer.from(`a=${token}`).toString('base64')],
    ] as const
  ).map(([how, form]) =>
    remembering(() =>
      another(`join-says-its-token-${how}`, `each line ends with the token ${how}`, ['P-102'], saying(form)),
    ),
  ),
  another('join-says-its-other-token', 'a token that is for TLS bootstrap alone is said', ['P-102'], saysTheOther),
  remembering(() => another('join-keeps-its-token-in-hex', 'the token is kept in hex', ['P-119'], keeping(hex))),
  remembering(() =>
    another(
      'join-notes-its-token',
      'everybody may read the token in a file that is there until the end',
      ['LIFE-019'],
      notingItsToken(),
    ),
  ),
  remembering(() =>
    another(
      'join-keeps-its-certificate-key',
      'the certificate key is kept as the bytes that it stands for',
      ['P-119'],
      keepingItsKey(),
    ),
  ),
  remembering(() =>
    another('join-looks-with-its-token-in-hex', 'the first look shows the token in hex', ['P-310'], {
      ...showing((token) => ({ 'x-request-id': hex(token) })),
    }),
  ),
  remembering(() =>
    another('join-looks-with-name-and-password', 'the first look shows the token as a name and a password', ['P-310'], {
      ...showing((token) => ({
        authorization: `Basic ${Buffer.from(token.replace('.', ':')).toString('base64')}`,
      })),
    }),
  ),
  remembering(() =>
    another('join-looks-with-halves', 'the first look shows the secret in two headers', ['P-310'], {
      ...showing((token) => ({ 'x-first': token.slice(7, 15), 'x-second': token.slice(15) })),
    }),
  ),
  another('join-asks-with-its-token-when-certified', 'kubelet-config is read once more with the token', ['P-511'], {
    wire: askingOnce(
      (question) => question.method === 'GET' && isRequest(question),
      '/api/v1/namespaces/kube-system/configmaps/kubelet-config',
    ),
  }),
  another(
    'join-looks-with-its-token-when-certified',
    'who renews looks at his request with the token',
    ['P-516', 'P-527'],
    {
      wire: lookingWithItsToken,
    },
  ),
  another('join-keeps-its-request', 'a request for a certificate has a finalizer', ['P-114'], {
    wire: inBodies((question) => question.method === 'POST' && isRequest(question))(
      '"metadata":{',
      '"metadata":{"finalizers":["example.com/kept"],',
    ),
  }),
  remembering(() =>
    another('join-calls-its-server-by-its-token', 'the handshake names the token as the server', ['P-310'], {
      ...knowing((token) => ({ wire: sending((question) => ({ ...question, serverName: token() })) })),
    }),
  ),
];
