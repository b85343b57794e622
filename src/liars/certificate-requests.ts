/** Requests for certificates as a liar takes and signs them, in the ways that kubelets and scripts ask. */
import { base64, isRecord, record, text } from '../kubernetes/json.js';
import { SIGNER_KUBELET_SERVING } from '../kubernetes/names.js';
import { issue } from '../pki/authority.js';
import { generateKey } from '../pki/keys.js';
import { validateCreate } from '../reference/certificates/validation.js';
import { parseSpecRequest } from '../reference/certificates/view.js';
import { upstream } from '../reference/decisions.js';
import { answer, JSON_TYPE, json, refusal } from './answers.js';
import type { Asked, Lie, Reply } from './lie.js';
import type { Scene } from './scene.js';

const HOUR = 3_600_000;
/** So often a request is looked at before it is signed, where that takes time. */
const LOOKS = 3;
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
/** Of these ways to sign a certificate comes in the end. */
const WITH_CERTIFICATE: readonly Lie['signing'][] = [
  undefined,
  'other key',
  'late',
  'approved first',
  'unapproved',
  'failed',
  'denied',
  'cut',
  'gone',
  'by between',
  'among others',
  'other key at last',
  'second denied',
  'second failed',
  'second unapproved',
  'second broken',
];

const PEM = /-----BEGIN CERTIFICATE REQUEST-----[^-]+-----END CERTIFICATE REQUEST-----/;
/** Where a body is protobuf, its texts stand in it as they are. Source: kubelet, certificate/bootstrap digestedName. */
const DIGESTED = /node-csr-[\w-]{43}/;

type Request = Readonly<Record<string, unknown>>;

const VERSION = 'certificates.k8s.io/v1';
const KIND = 'CertificateSigningRequest';

/** Why an API server does not take what is asked in JSON; undefined: it does. Throws where it is no JSON. */
function invalid(body: string): Reply | undefined {
  if (body.startsWith('k8s\0')) return undefined;
  const { apiVersion = VERSION, kind = KIND, metadata, ...rest } = record(JSON.parse(body));
  if (apiVersion !== VERSION || kind !== KIND)
    return refusal(400, 'BadRequest', `no kind "${text(kind)}" of "${text(apiVersion)}" is asked for here`);
  const problems = validateCreate(
    { decisions: upstream, minor: 36 },
    { apiVersion, kind, metadata: record(metadata), ...rest },
  );
  const said = problems.map(({ field, body: why }) => `${field}: ${why}`);
  return said.length === 0 ? undefined : refusal(422, 'Invalid', `the request is invalid: ${said.join(', ')}`);
}

/** What is asked for, in JSON or protobuf. Throws where it is neither. */
function readRequest(body: string): { readonly object: Request; readonly name: string; readonly pem: string } {
  if (body.startsWith('k8s\0')) {
    const name = DIGESTED.exec(body)?.[0] ?? '';
    const pem = PEM.exec(body)?.[0] ?? '';
    return { object: { spec: { request: base64(pem) } }, name, pem };
  }
  const given: unknown = JSON.parse(body);
  const object = isRecord(given) ? given : {};
  const pem = Buffer.from(text(record(object.spec).request), 'base64').toString('utf8');
  return { object, name: text(record(object.metadata).name), pem };
}

/** What tells a watch that begins with what is there that this was all of it. Source: KEP-3157, WatchList. */
const initialEnd = (query: URLSearchParams): readonly object[] =>
  query.get('sendInitialEvents') !== 'true'
    ? []
    : [
        {
          type: 'BOOKMARK',
          object: {
            kind: 'CertificateSigningRequest',
            apiVersion: 'certificates.k8s.io/v1',
            metadata: { resourceVersion: '1', annotations: { 'k8s.io/initial-events-end': 'true' } },
          },
        },
      ];

/** `isSecond`: one was asked for before it. */
function conditionsOf(signing: Lie['signing'], isSecond: boolean): readonly object[] {
  const said = (type: string): object => ({ type, status: 'True', reason: 'X' });
  if (signing === 'never' || signing === 'unapproved' || (signing === 'second unapproved' && isSecond)) return [];
  if (signing === 'among others') return [said('example.com/Seen'), said('Approved'), said('example.com/Logged')];
  if (signing === 'denied' || (signing === 'second denied' && isSecond)) return [said('Denied')];
  return signing === 'failed' || (signing === 'second failed' && isSecond)
    ? [said('Approved'), said('Failed')]
    : [said('Approved')];
}

export class CertificateRequests {
  readonly #lie: Lie;
  readonly #scene: Scene;
  readonly #now: () => number;
  readonly #looks = new Map<object, number>();
  /** When those are signed that take a time. */
  readonly #due = new Map<object, number>();
  readonly #requests = new Map<string, Request>();
  #gone: Request | undefined;
  #isBroken = false;

  constructor(lie: Lie, scene: Scene, now: () => number) {
    this.#lie = lie;
    this.#scene = scene;
    this.#now = now;
  }

  /** undefined: it is not about them. */
  answer({ path, query, method, body }: Asked): Reply | undefined {
    if (path === REQUESTS && method === 'POST') return this.#create(body);
    if (path === REQUESTS && method === 'GET') return this.#several(new URLSearchParams(query));
    const request = path.startsWith(`${REQUESTS}/`) ? this.#requests.get(path.slice(REQUESTS.length + 1)) : undefined;
    return request === undefined || this.#isGone(request) ? undefined : json(200, this.#progress(request));
  }

  /** Some take their time: who watches one of them has to look again. */
  get #isSlow(): boolean {
    const { signing } = this.#lie;
    return signing === 'late' || signing === 'approved first' || this.#takesTime;
  }

  get #takesTime(): boolean {
    const { signsIn, renewsIn } = this.#lie;
    return signsIn !== undefined || renewsIn !== undefined;
  }

  /** A list, or a watch. */
  #several(query: URLSearchParams): Reply {
    const name = /^metadata\.name=(.*)$/.exec(query.get('fieldSelector') ?? '')?.[1];
    const chosen = name === undefined ? [...this.#requests.values()] : [this.#requests.get(name) ?? []].flat();
    const items = chosen.map((request) =>
      this.#isGone(request) ? { ...request, status: {} } : this.#progress(request),
    );
    if (query.get('watch') === null)
      return json(200, {
        kind: 'CertificateSigningRequestList',
        apiVersion: 'certificates.k8s.io/v1',
        metadata: { resourceVersion: '1' },
        items,
      });
    const deleted = items.filter((_, index) => this.#isGone(chosen[index]));
    const events = [
      ...items.map((object) => ({ type: 'ADDED', object })),
      ...initialEnd(query),
      ...deleted.map((object) => ({ type: 'DELETED', object })),
    ];
    const told = answer(200, events.map((event) => `${JSON.stringify(event)}\n`).join(''), JSON_TYPE);
    return this.#isSlow || typeof told === 'string' ? told : { ...told, holds: true };
  }

  /** It was deleted as soon as it was made; who watches it is told. */
  #isGone(request: Request | undefined): boolean {
    return request !== undefined && request === this.#gone;
  }

  /** A request that is looked at: some take their time. */
  #progress(request: Request): Request {
    if (!this.#isSlow) return request;
    const { signing } = this.#lie;
    if (this.#takesTime) return this.#now() < (this.#due.get(request) ?? 0) ? { ...request, status: {} } : request;
    const looks = (this.#looks.get(request) ?? 0) + 1;
    this.#looks.set(request, looks);
    if (looks > LOOKS) return request;
    const conditions = signing === 'late' ? [] : record(request.status).conditions;
    return { ...request, status: { conditions } };
  }

  /** Takes a request, and signs it at once or does what the lie says. */
  #create(body: string): Reply {
    if (this.#lie.signing === 'second broken' && this.#requests.size === 1 && !this.#isBroken) {
      this.#isBroken = true;
      return refusal(500, 'InternalError', 'Internal error occurred: boom');
    }
    try {
      return invalid(body) ?? this.#signed(body);
    } catch {
      return refusal(400, 'BadRequest', 'the body is no CertificateSigningRequest');
    }
  }

  #signed(body: string): Reply {
    const { object, name: given, pem: asked } = readRequest(body);
    if (given !== '' && this.#requests.has(given) && !this.#isGone(this.#requests.get(given)))
      return refusal(409, 'AlreadyExists', `certificatesigningrequests.certificates.k8s.io "${given}" already exists`);
    const name = given || `csr-${String(this.#requests.size + 1).padStart(5, 'x')}`;
    // Whoever has looked at it in JSON has parsed it.
    const facts = parseSpecRequest(base64(asked));
    if ('parseError' in facts) throw new Error(facts.parseError);
    const now = this.#now();
    const { signing, cluster, certificateLife = 8760 * HOUR, isIssuedNow, serving } = this.#lie;
    const isServing = body.includes(SIGNER_KUBELET_SERVING);
    const isLeft = isServing && serving === 'never';
    const isFirst = this.#requests.size === 0;
    const [first = 'ca'] = [cluster?.ca ?? []].flat();
    const issuer = signing === 'by between' ? 'between' : first;
    const isOther = signing === 'other key' || (signing === 'other key at last' && !isFirst);
    const { authorities } = this.#scene.cast;
    const { pem: own } = issue(authorities[issuer], {
      subject: { commonName: facts.commonName, organizations: facts.organizations },
      publicKey: isOther ? generateKey('ECDSA-P256') : facts.spki,
      notBefore: isIssuedNow === true ? now : now - HOUR / 12,
      notAfter: now + certificateLife,
      extendedKeyUsage: [isServing ? 'serverAuth' : 'clientAuth'],
      ...(isServing ? { altNames: facts.altNames } : {}),
    });
    const pem = issuer === 'between' ? own + authorities.between.certificate.pem : own;
    const signed = {
      kind: 'CertificateSigningRequest',
      apiVersion: 'certificates.k8s.io/v1',
      ...object,
      metadata: { ...record(object.metadata), name, uid: `of ${name}`, resourceVersion: '1' },
      status: {
        conditions: isLeft ? [] : conditionsOf(signing, this.#requests.size === 1),
        ...(WITH_CERTIFICATE.includes(signing) && !isLeft ? { certificate: base64(pem) } : {}),
      },
    };
    this.#requests.set(name, signed);
    const { signsIn = 0, renewsIn = signsIn } = this.#lie;
    this.#due.set(signed, now + (isFirst ? signsIn : renewsIn));
    if (signing === 'gone' && isFirst) this.#gone = signed;
    if (signing === 'cut' && isFirst) return 'reset';
    return json(201, this.#isSlow || this.#isGone(signed) ? { ...signed, status: {} } : signed);
  }
}
