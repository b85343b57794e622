/**
 * Sound clusters behind something that answers in their place. What it says is no word of the API server on what was
 * asked: a rule errs on it, and blames nobody. Left out are the rules that are about the very answer.
 */
import { record } from '../kubernetes/json.js';
import { openedByAnotherKind } from '../mutants/policy-kinds.js';
import type { Asked, Gateway, Said } from '../mutants/types.js';
import { PARALYSED, type Paralysed } from './paralysed.js';

const status = (code: number, reason: string, message: string): Said => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
});
const NOT_FOUND = status(404, 'NotFound', 'the server could not find the requested resource');
const BAD_REQUEST = status(400, 'BadRequest', 'bad request');
const page = (code: number): Said => ({ status: code, body: '<!doctype html><title>Blocked</title>' });

const isAdministrator = ({ user }: Asked): boolean => user === 'kubernetes-admin';
const writes = ({ method, path }: Asked): boolean => method !== 'GET' && !path.endsWith('reviews');

/** Says that instead of answers of this status to all but administrators. */
const instead = (of: number, said: Said): Gateway => ({
  after: (asked, answer) => (!isAdministrator(asked) && answer.status === of ? said : undefined),
});
/** Says that to such requests of all but administrators. */
const before = (isSo: (asked: Asked) => boolean, said: Said): Gateway => ({
  before: (asked) => (!isAdministrator(asked) && isSo(asked) ? said : undefined),
});

/** Says that instead of the opinion in a SubjectAccessReview. */
const opinions = (opinion: unknown): Gateway => ({
  after: (_, { status: code, body }) =>
    record(body).kind === 'SubjectAccessReview'
      ? { status: code, body: { ...record(body), status: opinion } }
      : undefined,
});
/** Says that instead of an object that is there, or was made. */
const done = (body: unknown): Gateway => ({
  after: (asked, { status: code, body: object }) => {
    const { kind, items } = record(object);
    const isObject = typeof kind === 'string' && !Array.isArray(items);
    return !isAdministrator(asked) && code < 300 && isObject ? { status: code, body } : undefined;
  },
});

/** Reads of a request until it shows its certificate. */
const READS = 4;
/** Somebody signs who takes his time. */
function cameLate(): Gateway {
  const reads = new Map<string, number>();
  return {
    after({ method, path }, { status: code, body }) {
      if (method !== 'GET' || code !== 200 || !path.includes('/certificatesigningrequests/')) return undefined;
      const { certificate, ...earlier } = record(record(body).status);
      const count = (reads.get(path) ?? 0) + 1;
      if (certificate === undefined || count > READS) return undefined;
      reads.set(path, count);
      return { status: code, body: { ...record(body), status: earlier } };
    },
  };
}

const FORBIDDEN = [
  'AUTH-025',
  'BOOT-008',
  'BOOT-014',
  'CSR-012',
  'INFO-019',
  'LIM-001',
  'LIM-005',
  'LIM-014',
  'LIM-015',
];
const REFUSED = [
  'AUTH-014',
  'AUTH-019',
  'BOOT-011',
  'BOOT-018',
  'LIM-021',
  'P-65',
  'P-66',
  'SEC-013',
  'SEC-017',
  'TOK-002',
];
const UNKNOWN = ['APIAUTH-009', 'APIAUTH-038', 'AUTH-022'];
const OPINIONS = ['AUTH-026', 'CSR-028', 'RBAC-017', 'RBAC-022', 'RBAC-026'];
const WRITTEN = ['BOOT-014', 'CSR-009', 'LIM-001', 'LIM-020', 'NODE-001', 'NODE-002', 'TOK-018'];

const behind = (name: string, rules: readonly string[], gateway: Gateway): Paralysed => ({
  name,
  rules,
  gateway,
  unblamed: true,
});

export const FOREIGN: readonly Paralysed[] = [
  behind('what is forbidden is not found', [...FORBIDDEN, 'P-67', 'P-90'], instead(403, NOT_FOUND)),
  behind('what is forbidden is told by a page', FORBIDDEN, instead(403, page(403))),
  behind(
    'what is forbidden is told in other JSON',
    FORBIDDEN,
    instead(403, { status: 403, body: { error: 'denied' } }),
  ),
  behind(
    'what is forbidden is an empty object',
    ['LIM-001', 'LIM-004', 'INFO-019'],
    instead(403, { status: 200, body: {} }),
  ),
  behind('what is not found is forbidden', ['NODE-002', 'RBAC-013'], instead(404, status(403, 'Forbidden', 'no'))),
  behind('who is not known is forbidden', REFUSED, instead(401, status(403, 'Forbidden', 'no'))),
  behind('what is forbidden is a bad request', FORBIDDEN, instead(403, BAD_REQUEST)),
  behind('who is not known asks badly', [...REFUSED, ...UNKNOWN], instead(401, BAD_REQUEST)),
  behind(
    'who is not known is forbidden without a word',
    UNKNOWN,
    instead(401, { status: 403, body: { kind: 'Status' } }),
  ),
  behind('who is not known finds nothing', REFUSED, instead(401, NOT_FOUND)),
  behind('who is not known sees a page', REFUSED, instead(401, page(401))),
  behind(
    'dry runs are refused',
    WRITTEN,
    before(({ query }) => query.has('dryRun'), status(400, 'BadRequest', 'dry run is not supported')),
  ),
  behind('nothing is written here', WRITTEN, before(writes, status(405, 'MethodNotAllowed', 'read only'))),
  behind('nobody is told who he is', ['AUTH-004', 'AUTH-005', 'SEC-008', 'TOK-018'], {
    before: ({ path }) => (path.endsWith('/selfsubjectreviews') ? status(405, 'MethodNotAllowed', 'no') : undefined),
  }),
  behind(
    'nobody finds out who he is',
    [
      'APIAUTH-001',
      'APIAUTH-002',
      'APIAUTH-005',
      'AUTH-004',
      'AUTH-005',
      'AUTH-006',
      'AUTH-007',
      'BOOT-011',
      'CSR-024',
      'P-68',
      'ROT-004',
      'SEC-013',
      'TOK-014',
    ],
    { before: ({ path }) => (path.endsWith('/selfsubjectreviews') ? NOT_FOUND : undefined) },
  ),
  behind('tokens of accounts are not in what is answered', ['APIAUTH-022', 'APIAUTH-023', 'APIAUTH-028', 'CSR-011'], {
    after: ({ method, path }, { status: code, body }) =>
      method === 'POST' && path.endsWith('/token') && code === 201
        ? { status: code, body: { ...record(body), status: {} } }
        : undefined,
  }),
  { name: 'policies of another kind open what is shut', rules: ['P-321'], unblamed: true, ...openedByAnotherKind },
  behind('certificates come late', ['CSR-015', 'CSR-019', 'CSR-025', 'ROT-011', 'SRV-005', 'SRV-012'], cameLate()),
  behind('opinions have no status', OPINIONS, opinions({})),
  behind('opinions could not be had', OPINIONS, opinions({ allowed: false, evaluationError: 'the webhook timed out' })),
  behind('objects are answered with a Status', ['BOOT-008', 'INFO-013', 'TOK-018'], done({ kind: 'Status' })),
  behind('objects are answered with nothing', ['AUTH-003', 'INFO-013', 'TOK-018'], done('')),
  behind('lists are tables', ['BOOT-012', 'NODE-001'], {
    after: (asked, { status: code, body }) =>
      !isAdministrator(asked) && Array.isArray(record(body).items)
        ? { status: code, body: { kind: 'Table', rows: [] } }
        : undefined,
  }),
  behind('lists are empty', ['BOOT-012', 'CSR-010', 'INFO-019', 'LIM-004', 'LIM-012', 'NODE-001'], {
    after: (asked, { status: code, body }) =>
      !isAdministrator(asked) && Array.isArray(record(body).items)
        ? { status: code, body: { ...record(body), items: [] } }
        : undefined,
  }),
];

/** All that are played with the rules about refusing, or with such as they touch. */
export const VARIANTS: readonly Paralysed[] = [...PARALYSED, ...FOREIGN];
