/** How a joining client goes about its connections: what it tells of whom it asks, and what it asks over which. */
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import { type Attempts, eachDeed, listed, unlessStarved } from './joining-attempts.js';
import type { Attempt, Seen } from './joining-client-reader.js';

const isAsked = ({ answered }: Seen): boolean => answered !== null;

/** Of a server that is asked by a name, which may be one of several at its address. */
export const clientNamesItsServer: Check<Attempts> = {
  id: 'joining-wire/names-its-server',
  source: 'RFC 6066, 3; RFC 9325, 3.7; Go crypto/tls, Config.ServerName, net/http Transport',
  judge: eachDeed((attempt: Attempt) => {
    const { subject, seen } = attempt;
    const asked = seen.filter(isAsked);
    const unnamed = asked.filter((one) => one.unnamed === true).map(({ what }) => what);
    const finding = demand({
      subject,
      demanded: 'a server that is asked by a name is told that name in the handshake',
      seen: asked.length === 0 ? 'it asks nobody' : listed(unnamed) || 'it is',
      ok: asked.length > 0 && unnamed.length === 0,
    });
    return asked.length === 0 ? unlessStarved(finding, attempt) : finding;
  }),
};

/** Before servers that speak no TLS which protects anything, from the beginning on or later. */
export const clientAsksNothingUnprotected: Check<Attempts> = {
  id: 'joining-wire/asks-nothing-unprotected',
  source: 'RFC 8996; RFC 9325, 3.1.1 and 4.1; Go crypto/tls, Config.MinVersion, CipherSuites',
  judge: eachDeed(({ subject, seen }: Attempt) => {
    const asked = seen.filter((one) => isAsked(one) && one.isUnprotected === true).map(({ what }) => what);
    return refusal({
      subject,
      demanded: 'nothing is asked over a connection that protects nothing',
      seen: listed(asked) || 'so it is',
      ok: asked.length === 0,
    });
  }),
};

/** Before servers that can be reached: whoever joins needs nobody else. */
export const clientAsksNobodyElse: Check<Attempts> = {
  id: 'joining-wire/asks-nobody-else',
  source: 'cmd/kubeadm/app/discovery; cmd/kubeadm/app/cmd/phases/join; pkg/kubelet/certificate/bootstrap',
  nothing: 'nobody watched whom the client asks besides',
  judge: (attempts) =>
    attempts.flatMap(({ subject, astray }) =>
      astray === undefined
        ? []
        : refusal({
            subject,
            demanded: 'the client asks nobody but the server that it was told, and its own machine',
            seen: listed(astray) || 'so it is',
            ok: astray.length === 0,
          }),
    ),
};
