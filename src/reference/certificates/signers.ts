/**
 * The four signers of the controller manager. Source: pkg/controller/certificates/signer/signer.go,
 * authority/{authority,policies}.go.
 */

import type { Controller } from '../../apiserver/types.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { type Authority, issue } from '../../pki/authority.js';
import type { RequestFacts } from '../../pki/request.js';
import type { ControllerContext } from '../controllers/controller.js';
import type { Decisions } from '../decisions.js';
import { createRequestLoop } from './request-loop.js';
import { CSRS, parseSpecRequest, type RequestSpec, viewRequest } from './view.js';

export interface SignerOptions {
  /** The CA that signs for a signer (--cluster-signing-cert-file, -key-file); undefined: that signer is not started. */
  authorityFor(signerName: string): Authority | undefined;
  /** Of the version that is played. */
  readonly minor: number;
  /** Milliseconds: --cluster-signing-duration; undefined: the default. */
  readonly longestLifetime?: number | undefined;
}

/** Why a signer's rules refuse a request; undefined: they do not. */
function signerProblem(
  decisions: Decisions,
  signerName: string,
  request: RequestFacts,
  usages: readonly string[],
): string | undefined {
  switch (decisions.signerRules(signerName)) {
    case 'kubelet-serving':
      return decisions.kubeletServingProblem(request, usages);
    case 'kubelet-client':
      return decisions.kubeletClientProblem(request, usages);
    case 'client':
      return decisions.clientUsagesProblem(usages);
    case undefined:
      return undefined;
  }
}

/** What a signer signs with: its CA, and milliseconds that a certificate lives at most (--cluster-signing-duration). */
export interface SigningPolicy {
  readonly authority: Authority;
  readonly longestLifetime: number;
}

/**
 * PEM of the certificate that a signer gives for a request; undefined where it cannot sign (its CA has ended, or the
 * self-signature does not hold), which upstream tries again.
 */
function signRequest(
  context: Pick<ControllerContext, 'decisions' | 'random' | 'clock'>,
  { authority, longestLifetime }: SigningPolicy,
  request: RequestFacts,
  spec: Pick<RequestSpec, 'usages' | 'expirationSeconds'>,
): string | undefined {
  const { decisions, clock } = context;
  const now = clock.now();
  const caNotAfter = authority.facts.notAfter;
  if (!decisions.mayBeSigned(request, caNotAfter, now)) return undefined;
  const lifetime = decisions.grantedLifetime(spec.expirationSeconds, longestLifetime);
  const facts = decisions.certificateNamesAuthority()
    ? authority.facts
    : { ...authority.facts, subjectKeyId: undefined };
  const certificate = issue(
    { ...authority, facts },
    {
      subject: decisions.certificateSubject(request.subject),
      publicKey: request.spki,
      ...decisions.certificateValidity(now, lifetime, caNotAfter),
      ...decisions.certificateUsages(spec.usages),
      altNames: decisions.certificateAltNames(request),
      ca: decisions.certificateIsAuthority(request),
      serial: decisions.certificateSerial(context.random),
      extensions: decisions.certificateExtensions(request),
    },
  );
  return decisions.issuedPem(certificate.pem, authority.certificate.pem);
}

function csrSigner(context: ControllerContext, signerName: string, policy: SigningPolicy, minor: number): Controller {
  const { decisions } = context;
  const client = context.as('certificate-controller');
  const awaits = (object: KubeObject): boolean => {
    const { spec, conditions, certificate } = viewRequest(object);
    return spec.signerName === signerName && decisions.awaitsSigning(conditions, certificate !== '');
  };
  return createRequestLoop({
    name: `certificatesigningrequest-signing-controller ${signerName}`,
    context,
    concerns: awaits,
    handle(object) {
      if (!awaits(object)) return 'done';
      const { spec, conditions } = viewRequest(object);
      const request = parseSpecRequest(spec.request ?? '', decisions.csrSmallRsaIsVerified(minor));
      if ('parseError' in request) return 'retry';
      const problem = signerProblem(decisions, signerName, request, spec.usages);
      if (problem !== undefined) {
        const status = { conditions: [...conditions, decisions.signingFailure(problem)] };
        client.update(CSRS, { ...object, status }, { subresource: 'status' });
        return 'done';
      }
      const pem = signRequest(context, policy, request, spec);
      if (pem === undefined) return 'retry';
      const status = { conditions, certificate: Buffer.from(pem).toString('base64') };
      client.update(CSRS, { ...object, status }, { subresource: 'status' });
      return 'done';
    },
  });
}

/** certificatesigningrequest-signing-controller (csrsigning): one independent loop a signer that has a CA. */
export function csrSigners(context: ControllerContext, { authorityFor, minor, ...options }: SignerOptions): Controller {
  const longestLifetime = options.longestLifetime ?? context.decisions.longestLifetime();
  const loops = context.decisions.builtInSigners().flatMap((signerName) => {
    const authority = authorityFor(signerName);
    return authority === undefined ? [] : [csrSigner(context, signerName, { authority, longestLifetime }, minor)];
  });
  return {
    name: 'certificatesigningrequest-signing-controller',
    start() {
      for (const loop of loops) loop.start();
    },
    stop() {
      for (const loop of loops) loop.stop();
    },
    idle: () => loops.every((loop) => loop.idle()),
  };
}
