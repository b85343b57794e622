/**
 * What the mutations of a MutatingAdmissionPolicy change of what machines ask for, as far as their text shows it.
 * Source: apiserver, pkg/admission/plugin/policy/mutating/patch.
 */
import { isRecord, record, text } from '../../kubernetes/json.js';
import type { JoiningRequest } from './joining-requests.js';

interface Change {
  /** What is written, in an object or in the path of a patch. */
  readonly written: RegExp;
  readonly what: string;
  /** Part of it alone would be in place: what hangs on a condition is not told. */
  readonly maybe?: true;
}

const SPEC: Change = { written: /\bspec\b/, what: 'the spec of what is asked for' };

/** By what is asked, without its API group. */
const CHANGES: Readonly<Record<string, Change>> = {
  'CREATE certificatesigningrequests': SPEC,
  'UPDATE certificatesigningrequests/approval': { written: /\bconditions\b/, what: 'what is decided' },
  'UPDATE certificatesigningrequests/status': { written: /\bcertificate\b/, what: 'the certificate' },
  // a kubelet may not say so of its own Node, and whatever goes by the role believes it
  'CREATE nodes': {
    written: /\bnode-role\.kubernetes\.io(?:\/|~1)(?:control-plane|master)\b/,
    what: 'the role: each is a control plane',
    maybe: true,
  },
  'UPDATE nodes/status': { written: /\b(?:addresses|daemonEndpoints)\b/, what: 'where the machine is found' },
  'CREATE leases': SPEC,
  'UPDATE leases': SPEC,
  // Pods of a DaemonSet are for one Node each, whose kubelet refuses what it does not fit; Linux alone runs here
  'CREATE pods': {
    written:
      /\b(?:nodeSelector\b(?!\s{0,9}:\s{0,9}\{\s{0,9}["']kubernetes\.io\/os["']\s{0,9}:\s{0,9}["']linux["']\s{0,9}\})|nodeName\b|schedulerName\b)/,
    what: 'where Pods run that every machine needs',
    maybe: true,
  },
  'UPDATE configmaps': { written: /\bdata\b/, what: 'what is published' },
};

/** Fields of an object, by a dot or a bracket; what a patch copies; a text that is looked for among keys. */
const READ =
  /\b(?:object|oldObject)(?:\.[A-Za-z]{1,64}){1,9}|\[["'][^"'\]]{0,300}["']\]|\bfrom\s{0,9}:\s{0,9}["'][^"']{0,300}|["'][^"']{0,300}["']\s{1,9}in\b/g;

/** What is read of an object is not written, nor is what a patch looks for, takes away or copies. */
function writtenBy(expression: string): string {
  const [before = '', ...patches] = expression.split('JSONPatch{');
  const written = patches.map((part) => {
    const [patch = ''] = part.split('}', 1);
    return /\bop\s{0,9}:\s{0,9}["'](?:test|remove)["']/.test(patch) ? part.slice(patch.length) : part;
  });
  return [before, ...written].join().replace(READ, '');
}

/** A choice between two; optional fields are marked after a dot or a bracket. */
const hasChoice = (expression: string): boolean => /[^.[\s]\s{0,9}\?[^.[]/.test(expression);

/** '' where nothing is changed for sure that matters. */
export function changeOf(
  mutations: readonly Readonly<Record<string, unknown>>[],
  { operation, resource }: Pick<JoiningRequest, 'operation' | 'resource'>,
): string {
  const change = CHANGES[`${operation} ${resource}`];
  if (change === undefined) return '';
  const isMade = mutations.some(({ applyConfiguration, jsonPatch }) => {
    const expression = text(record(isRecord(applyConfiguration) ? applyConfiguration : jsonPatch).expression);
    return (change.maybe !== true || !hasChoice(expression)) && change.written.test(writtenBy(expression));
  });
  return isMade ? change.what : '';
}
