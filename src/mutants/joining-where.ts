/** Joining clients that believe more where they are told something else as well. */
import { createHmac } from 'node:crypto';
import type { AnotherClient } from '../joining/another.js';
import type { JoinConfiguration } from '../joining/configuration.js';
import { type Fields, isRecord, record, text } from '../kubernetes/json.js';
import { SIGNATURE_KEY_PREFIX } from '../kubernetes/names.js';
import type { WireAnswer } from '../kubernetes/wire.js';
import { isLook, textOf } from './joining-hooks.js';

/** What a machine is told of its join is passed over where it is told this as well. */
export const renouncingWhere = (is: (told: JoinConfiguration) => boolean): AnotherClient => ({
  configuration: (told) => {
    const { bootstrapToken } = told.discovery;
    if (bootstrapToken === undefined || !is(told)) return told;
    const renounced = { ...bootstrapToken, caCertHashes: [], unsafeSkipCAVerification: true };
    return { ...told, discovery: { ...told.discovery, bootstrapToken: renounced } };
  },
});

function mapIn(answer: WireAnswer): Fields {
  try {
    return record(JSON.parse(textOf(answer)));
  } catch {
    return {};
  }
}

/** cluster-info as it would be with the right signature for this token, which then counts for whatever came. */
function rightlySigned(answer: WireAnswer, token: string): WireAnswer {
  const [id = '', secret = ''] = token.split('.');
  const map = mapIn(answer);
  const { data } = map;
  if (!isRecord(data) || answer.kind !== 'answer') return answer;
  const encoded = (written: string): string => Buffer.from(written).toString('base64url');
  const header = encoded(JSON.stringify({ alg: 'HS256', kid: id }));
  const signed = `${header}.${encoded(text(data.kubeconfig))}`;
  const signature = `${header}..${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  const body = { ...map, data: { ...data, [`${SIGNATURE_KEY_PREFIX}${id}`]: signature } };
  return { ...answer, body: Buffer.from(JSON.stringify(body)) };
}

/** The same of signatures. Joins run side by side: a wire is made just before its join is told. */
export function believingWhere(is: (told: JoinConfiguration) => boolean): AnotherClient {
  let latest: { token?: string } = {};
  return {
    configuration: (told) => {
      const { token } = told.discovery.bootstrapToken ?? {};
      if (is(told) && token !== undefined) latest.token = token;
      return told;
    },
    wire: (wire) => {
      const own: { token?: string } = {};
      latest = own;
      return {
        exchange: async (question) => {
          const answer = await wire.exchange(question);
          return own.token !== undefined && isLook(question) ? rightlySigned(answer, own.token) : answer;
        },
      };
    },
  };
}

/** The same of servers that are shown the token. Joins run side by side: a wire is made just before its join is told. */
export function believingAllWhere(is: (told: JoinConfiguration) => boolean): AnotherClient {
  let latest = { believes: false };
  return {
    configuration: (told) => {
      latest.believes = is(told);
      return told;
    },
    wire: (wire) => {
      const own = { believes: false };
      latest = own;
      return {
        exchange: (question) =>
          wire.exchange(
            own.believes && question.headers.authorization !== undefined ? { ...question, trust: 'anybody' } : question,
          ),
      };
    },
  };
}
