/**
 * Deletes certificate requests that have had their time, once an hour. Source:
 * pkg/controller/certificates/cleaner/cleaner.go.
 */

import { ApiError, type Controller } from '../../apiserver/types.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { PkiError } from '../../pki/asn1-go.js';
import { parseCertificates } from '../../pki/certificate.js';
import { nextPem } from '../../pki/pem.js';
import type { ControllerContext } from '../controllers/controller.js';
import { CSRS, instant, viewRequest } from './view.js';

/**
 * End of the first certificate in status.certificate (base64 of PEM), in milliseconds; undefined where it cannot be
 * read. The block's type is not looked at.
 */
function endOf(certificate: string): number | undefined {
  const block = nextPem(Buffer.from(certificate, 'base64').toString('latin1'))?.block;
  if (block === undefined) return undefined;
  try {
    return parseCertificates(block.bytes)[0]?.notAfter;
  } catch (error) {
    if (error instanceof PkiError) return undefined;
    throw error;
  }
}

/** certificatesigningrequest-cleaner-controller (csrcleaner). `minor`: of the version that is played. */
export function csrCleaner(context: ControllerContext, { minor }: { readonly minor: number }): Controller {
  const { store, clock, decisions } = context;
  const client = context.as('certificate-controller');
  let cancel: (() => void) | undefined;

  const isSwept = (object: KubeObject): boolean => {
    const { conditions, created, certificate } = viewRequest(object);
    const state = {
      conditions: conditions.map(({ type, lastUpdateTime }) => ({ type, lastUpdate: instant(lastUpdateTime) })),
      created,
      hasCertificate: certificate !== '',
      certificateNotAfter: certificate === '' ? undefined : endOf(certificate),
    };
    return decisions.csrIsSwept(state, clock.now(), minor);
  };
  const sweep = (): void => {
    for (const object of store.list(CSRS)) {
      if (!isSwept(object)) continue;
      try {
        client.delete(CSRS, undefined, object.metadata.name ?? '');
      } catch (error) {
        // The next sweep tries again.
        if (!(error instanceof ApiError)) throw error;
      }
    }
  };
  const arm = (at: number): void => {
    cancel = clock.at(at, () => {
      sweep();
      arm(at + decisions.csrSweepInterval());
    });
  };

  return {
    name: 'certificatesigningrequest-cleaner-controller',
    start() {
      // Upstream looks at once, before its cache holds anything: the first look that sees a request comes one interval
      // later.
      if (cancel === undefined) arm(clock.now() + decisions.csrSweepInterval());
    },
    stop() {
      cancel?.();
      cancel = undefined;
    },
    idle: () => true,
  };
}
