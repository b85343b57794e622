/** Defects of a joining client: what it no longer does once something has failed, or could not be read. */
import { isIP } from 'node:net';
import type { WireAnswer, WireQuestion } from '../kubernetes/wire.js';
import { parseCertificate } from '../pki/certificate.js';
import { certificatesOfPem } from '../pki/pem.js';
import {
  another,
  asking,
  type Decided,
  decidesJoining,
  isMaking,
  keepingDisk,
  ofEach,
  sending,
  upstream,
  type WithDisk,
} from './joining-hooks.js';
import type { Mutant } from './types.js';

/** One join, and how many looks at cluster-info have failed in it. */
interface Own {
  failed: number;
}

/** After so many it gives in. */
const PATIENCE = 4;

/** Decides otherwise by what has failed before, in each join by itself. */
const afterFailures = (name: string, defect: string, killedBy: readonly string[], decide: (own: Own) => Decided) =>
  another(name, defect, killedBy, {
    decidesFor: () => {
      const own: Own = { failed: 0 };
      return {
        asksAgain: (status, fetch) => {
          own.failed += 1;
          return upstream.asksAgain(status, fetch);
        },
        waitsForSignature: (info, key) => {
          const waits = upstream.waitsForSignature(info, key);
          if (waits) own.failed += 1;
          return waits;
        },
        ...decide(own),
      };
    },
  });

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----\n?/g;
function isReadable(block: string): boolean {
  try {
    return certificatesOfPem(block).map((der) => parseCertificate(der)).length > 0;
  } catch {
    return false;
  }
}
const readableOf = (pem: string): string => (pem.match(BLOCK) ?? []).filter(isReadable).join('');

/** Something is not shown to whoever has a token. */
const isRefused = ({ method, headers }: WireQuestion, answer: WireAnswer): boolean =>
  method === 'GET' && headers.authorization !== undefined && answer.kind === 'answer' && answer.status >= 400;

/** So often cluster-info is looked at, however long there is. */
const MOST_LOOKS = 20;

export const mutants: readonly Mutant[] = [
  another('join-asks-on', 'whoever is refused something asks for it twenty times more', ['P-572'], {
    wire: asking(async (question, wire) => {
      let answer = await wire.exchange(question);
      for (let again = 0; again < MOST_LOOKS && isRefused(question, answer); again += 1)
        answer = await wire.exchange(question);
      return answer;
    }),
  }),
  another('join-requests-on', 'whoever may not make a request now makes it again at once', ['P-435'], {
    wire: asking(async (question, wire) => {
      const answer = await wire.exchange(question);
      const isBusy = isMaking(question) && answer.kind === 'answer' && answer.status === 429;
      return isBusy ? wire.exchange(question) : answer;
    }),
  }),
  another('join-looks-counted', 'cluster-info is looked at twenty times at most', ['DISC-007'], {
    decidesFor: () => {
      let looks = 0;
      return {
        asksAgain: () => {
          looks += 1;
          return looks < MOST_LOOKS;
        },
      };
    },
  }),
  decidesJoining('join-pin-once', 'a pin that is given twice is none', ['PIN-007'], {
    demandsPins: (pins, skips) => new Set(pins).size < pins.length || upstream.demandsPins(pins, skips),
  }),
  decidesJoining('join-two-pins-at-most', 'a third pin is passed over', ['PIN-007'], {
    isPinned: (hashes, allowed) => upstream.isPinned(hashes, allowed.slice(0, 2)),
  }),
  decidesJoining('join-two-authorities-at-most', 'a third certificate of a CA bundle is passed over', ['PIN-007'], {
    isPinned: (hashes, allowed) => upstream.isPinned(hashes.slice(0, 2), allowed),
  }),
  afterFailures(
    'join-verifies-the-first-answer-alone',
    'a signature that comes after looks that have failed is not verified',
    ['DISC-013'],
    (own) => ({ verifiesSignature: (skips) => own.failed === 0 && upstream.verifiesSignature(skips) }),
  ),
  afterFailures(
    'join-compares-pins-with-the-first-answer-alone',
    'the CA that comes after looks that have failed is not compared with the pins',
    ['PIN-005'],
    (own) => ({ isPinned: (hashes, allowed) => own.failed > 0 || upstream.isPinned(hashes, allowed) }),
  ),
  afterFailures(
    'join-verifies-no-signature-in-the-end',
    'a signature that comes after several looks that have failed is not verified',
    ['DISC-013'],
    (own) => ({ verifiesSignature: (skips) => own.failed < PATIENCE && upstream.verifiesSignature(skips) }),
  ),
  afterFailures(
    'join-compares-no-pins-in-the-end',
    'the CA that comes after several looks that have failed is not compared with the pins',
    ['PIN-005'],
    (own) => ({ isPinned: (hashes, allowed) => own.failed >= PATIENCE || upstream.isPinned(hashes, allowed) }),
  ),
  another(
    'join-believes-whom-it-has-not-believed-often',
    'a server whose certificate was not trusted several times is believed in the end',
    ['DISC-016', 'FDISC-005'],
    ofEach((): Own => ({ failed: 0 }), {
      files: () => (files) => files,
      wire: (own) =>
        asking(async (question, wire) => {
          const answer = await wire.exchange(question);
          if (answer.kind === 'answer' || answer.failure.cause !== 'untrusted') return answer;
          own.failed += 1;
          return own.failed < PATIENCE ? answer : wire.exchange({ ...question, trust: 'anybody' });
        }),
    }),
  ),
  afterFailures(
    'join-compares-copies-without-failures-alone',
    'after a look that has failed the copies of the kubeconfig are not compared',
    ['DISC-017'],
    (own) => ({ isSameCopy: (first, second) => own.failed > 0 || upstream.isSameCopy(first, second) }),
  ),
  another(
    'join-takes-the-clock-of-its-server',
    'dates are verified by the clock of whoever answers',
    ['DISC-016'],
    ofEach((): { date?: number } => ({}), {
      files: () => (files) => files,
      wire: (own) =>
        asking(async (question, wire) => {
          const answer = await wire.exchange(question);
          if (answer.kind === 'answer') {
            const date = Date.parse(answer.headers.date ?? '');
            if (!Number.isNaN(date)) own.date = date;
            return answer;
          }
          const { failure } = answer;
          const problem = failure.cause === 'untrusted' ? failure.problem : undefined;
          const isOfThen = problem?.kind === 'dates' && own.date !== undefined && own.date < problem.notAfter;
          return isOfThen ? wire.exchange({ ...question, trust: 'anybody' }) : answer;
        }),
    }),
  ),
  another(
    'join-believes-what-lies-there',
    'a CA that lies on the machine from before is believed beside that of the cluster',
    ['DISC-016'],
    ofEach((): WithDisk => ({}), {
      files: keepingDisk,
      wire: (own) =>
        sending((question) => {
          const { trust } = question;
          const before = own.disk?.read('/etc/kubernetes/pki/ca.crt');
          return before === undefined || typeof trust === 'string'
            ? question
            : { ...question, trust: { caPem: `${trust.caPem}${before}` } };
        }),
    }),
  ),
  another(
    'join-passes-over-unreadable-authorities',
    'where a certificate of the CA cannot be read the others are taken, and no pin is looked at',
    ['DISC-015'],
    {
      decidesFor: () => {
        let isReadWhole = true;
        return {
          selectedCluster: (config) => {
            const selected = upstream.selectedCluster(config);
            if ('problem' in selected) return selected;
            const { cluster } = selected;
            return { ...selected, cluster: { ...cluster, caPem: readableOf(cluster.caPem) } };
          },
          comparedCa: (config) => {
            const pem = upstream.comparedCa(config);
            const readable = readableOf(pem);
            isReadWhole = readable === pem;
            return isReadWhole || readable === '' ? pem : readable;
          },
          isPinned: (hashes, allowed) => !isReadWhole || upstream.isPinned(hashes, allowed),
        };
      },
    },
  ),
  another(
    'join-verifies-addresses-alone',
    'where a server is named by DNS its certificate may be for any name',
    ['DISC-016', 'DISC-022'],
    {
      wire: asking(async (question, wire) => {
        const answer = await wire.exchange(question);
        const { failure } = answer.kind === 'failure' ? answer : { failure: undefined };
        const isOfName = failure?.cause === 'untrusted' && failure.problem.kind === 'name';
        return isOfName && isIP(new URL(question.url).hostname) === 0
          ? wire.exchange({ ...question, trust: 'anybody' })
          : answer;
      }),
    },
  ),
];
