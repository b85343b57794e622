/**
 * What the kubelet of a joining client asks for to serve with, where its cluster says so.
 * Source: pkg/kubelet/certificate/kubelet.go NewKubeletServerCertificateManager, newGetTemplateFn; client-go,
 * util/certificate/certificate_manager.go DefaultKubeletServingGetUsages.
 */
import { SIGNER_KUBELET_CLIENT, SIGNER_KUBELET_SERVING } from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import {
  type Attempts,
  eachDeed,
  inTime,
  isRequestTaken,
  listed,
  staysFor,
  unlessStarved,
} from './joining-attempts.js';
import { type Attempt, ITS_CERTIFICATE, NODE, REQUESTS, type Seen } from './joining-client-reader.js';

const SERVES = 'server auth';
const MAY = new Set(['digital signature', 'key encipherment', SERVES]);

/** Whatever is asked for that is not the certificate of a client. */
const isServing = ({ what, request }: Seen): boolean =>
  what === REQUESTS && (request?.signer !== SIGNER_KUBELET_CLIENT || request.usages.includes(SERVES));

/** A name of somebody else: of the Service of the API server, of many, of another machine. Source: newGetTemplateFn. */
const isOfOthers = (name: string, node: string): boolean => {
  if (ADDRESS.test(name)) return OF_NOBODY.test(name);
  return !(name === 'localhost' || [node, node.replace(/\..*$/, '')].some((own) => `${name}.`.startsWith(`${own}.`)));
};
const ADDRESS = /^(?:\d+(?:\.\d+){3}|[\da-f]*:[\da-f:.]*)$/i;
/** Any address, and the first one of the Services of the cluster. */
const OF_NOBODY = /^(?:0\.0\.0\.0|::|10\.96\.0\.1)$/;

function oddIn({ request, as }: Seen, node: string): readonly string[] {
  const { subject = '', signer = '', usages = [], names = [] } = request ?? {};
  return [
    ...(as === ITS_CERTIFICATE ? [] : [`with ${as}`]),
    ...(subject === `O=system:nodes, CN=system:node:${node}` ? [] : [`for ${subject}`]),
    ...(signer === SIGNER_KUBELET_SERVING ? [] : [`of the signer ${signer}`]),
    ...(usages.includes(SERVES) ? [] : [`without ${SERVES}`]),
    ...usages.filter((usage) => !MAY.has(usage)).map((usage) => `for ${usage}`),
    ...(names.some((name) => !ADDRESS.test(name)) ? [] : ['for no name']),
    // Since 1.31 a kubelet asks for none before its Node has an address. Source: features AllowDNSOnlyNodeCSR
    ...(names.some((name) => ADDRESS.test(name)) ? [] : ['for no address']),
    ...names.filter((name) => isOfOthers(name, node)),
  ];
}

export const servingAskedFor: Check<Attempts> = {
  id: 'joining-serving/asked-for',
  source: 'pkg/kubelet/certificate/kubelet.go; pkg/apis/certificates/helpers.go ValidateKubeletServingCSR',
  judge: eachDeed((attempt: Attempt) => {
    const { subject, seen, node = NODE } = attempt;
    const asked = seen.filter(isServing);
    const odd = asked.flatMap((one) => oddIn(one, node));
    const finding = demand({
      subject,
      demanded:
        'as its Node it asks kubelet-serving for a certificate for its own names, to serve with and for nothing more',
      seen: asked.length === 0 ? 'it asks for none' : listed(odd) || 'so it does',
      ok: asked.length > 0 && odd.length === 0,
    });
    return asked.length === 0 ? unlessStarved(finding, attempt) : finding;
  }),
};

export const servingRenewed: Check<Attempts> = {
  id: 'joining-serving/renewed',
  source: 'client-go, util/certificate/certificate_manager.go nextRotationDeadline',
  nothing: 'nobody knows how long its certificates live, or it asks for none to serve with',
  judge: (attempts) =>
    attempts.flatMap((attempt) => {
      const { subject, seen, life, milliseconds } = attempt;
      const made = seen.filter((one) => isServing(one) && isRequestTaken(one));
      if (life === undefined || made.length === 0) return [];
      const ends = [...made.slice(1).map(({ first }) => first), milliseconds];
      const isLate = made.some((one, index) => inTime((ends[index] ?? 0) - one.first - life, attempt) === false);
      const stays = staysFor(attempt, life);
      const finding = demand({
        subject,
        demanded: 'while it stays what it serves with is renewed before that ends',
        seen: !stays ? 'it does not stay' : made.length < 2 ? 'it is not' : isLate ? 'it is, too late' : 'it is',
        ok: stays && made.length > 1 && !isLate,
      });
      return [made.length < 2 ? unlessStarved(finding, attempt) : finding];
    }),
};

/** Requests for one machine that wait in half a minute: a kubelet makes one in a quarter of an hour, or is started anew. */
const MOST = 2;

export const servingWaitedFor: Check<Attempts> = {
  id: 'joining-serving/waited-for',
  source: 'client-go, util/certificate/certificate_manager.go certificateWaitTimeout',
  judge: eachDeed((attempt: Attempt) => {
    const { subject, seen, exit } = attempt;
    const times = seen.filter(isServing).reduce((sum, one) => sum + one.times, 0);
    const finding = demand({
      subject,
      demanded: `it stays, and asks for what nobody approves ${MOST} times at most`,
      seen: `it asks ${times} times, and ends with ${exit ?? 'nothing'}`,
      ok: exit === 0 && times <= MOST,
    });
    return times <= MOST ? unlessStarved(finding, attempt) : finding;
  }),
};
