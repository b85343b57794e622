/**
 * What an API server refuses before it looks at what is asked: forms that it neither sends nor reads.
 * Source: apiserver, pkg/endpoints/handlers/negotiation; emicklei/go-restful, route.go matchesAccept, matchesContentType.
 */
import { refusal } from './answers.js';
import type { Reply } from './lie.js';

const FORMS = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];
const PATCHES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const WRITES: Readonly<Record<string, readonly string[]>> = { POST: FORMS, PUT: FORMS, PATCH: PATCHES };

/** Media types of a header, without their parameters. */
const typesIn = (header: string): readonly string[] =>
  header.split(',').map((part) => (part.split(';')[0] ?? '').trim().toLowerCase());

/** A request as far as its form goes. */
export interface Formed {
  readonly method: string;
  readonly path: string;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

/** undefined: it can be read, and answered. Who says nothing of a form takes any, and writes JSON. */
export function formRefused({ method, path, headers }: Formed): Reply | undefined {
  if (!/^\/apis?\//.test(path)) return undefined;
  const { accept = '', 'content-type': written = '' } = headers;
  const known = [...FORMS, '*/*'];
  if (accept !== '' && !typesIn(accept).some((type) => known.includes(type)))
    return refusal(406, 'NotAcceptable', `only the following media types are accepted: ${FORMS.join(', ')}`);
  const read = WRITES[method];
  if (read === undefined || written === '' || typesIn(written).some((type) => read.includes(type))) return undefined;
  return refusal(415, 'UnsupportedMediaType', 'the body of the request was in an unknown format');
}
