/** What an upload of shared certificates leaves in the cluster and says, by what it was told. */
import type { Check } from '../../model/check.js';
import { demand, type Finding, type Look, refusal } from '../../model/finding.js';
import { CERTS, type CertsSeen, type TimeSeen, type Uploaded } from './uploaded-reader.js';

const UPLOAD = '000, runUploadCerts and UploadCerts; cmd/kubeadm/app/phases/copycerts/copycerts.go';

export type Uploads = readonly Uploaded[];

const endOf = ({ exit, words }: TimeSeen): string =>
  exit === null ? 'it had to be ended' : `it ends with ${exit}${exit === 0 ? '' : `, saying "${words}"`}`;
const listed = (all: readonly string[], none: string): string => all.slice(0, 8).join(', ') || none;

/** One finding for the last time of each. */
const each =
  <P = undefined>(
    demanded: string | ((uploaded: Uploaded, parameters: P) => string),
    look: (time: TimeSeen, uploaded: Uploaded, parameters: P) => Pick<Look, 'seen' | 'ok'>,
    find: (look: Look) => Finding = demand,
  ): Check<Uploads, P>['judge'] =>
  (uploads, parameters) =>
    uploads.flatMap((uploaded) => {
      const time = uploaded.times.at(-1);
      const told = typeof demanded === 'string' ? demanded : demanded(uploaded, parameters);
      return time === undefined
        ? []
        : find({ subject: uploaded.subject, demanded: told, ...look(time, uploaded, parameters) });
    });

/** The same of the Secret; where there is none, it is not so. */
const onCerts = (
  demanded: string,
  look: (certs: CertsSeen, time: TimeSeen, uploaded: Uploaded) => Pick<Look, 'seen' | 'ok'>,
): Check<Uploads>['judge'] =>
  each(demanded, (time, uploaded) =>
    time.certs === undefined
      ? { seen: `there is no Secret ${CERTS}; ${endOf(time)}`, ok: false }
      : look(time.certs, time, uploaded),
  );

/** It ends well, and the Secret is there. */
export const uploads: Check<Uploads> = {
  id: 'uploaded/uploads',
  source: UPLOAD,
  judge: each(`the upload ends with 0, and leaves Secret kube-system/${CERTS}`, (time) => ({
    seen: `${endOf(time)}; ${time.certs === undefined ? 'there is none' : 'it is there'}`,
    ok: time.exit === 0 && time.certs !== undefined,
  })),
};

const madeBy = ({ certs, misnamed, tokens, rights, bound }: TimeSeen): readonly string[] => [
  ...(certs === undefined ? [] : [`Secret ${CERTS}`]),
  ...misnamed.map((name) => `Secret ${name}`),
  ...tokens.map(() => 'a token'),
  ...(rights.length === 0 ? [] : ['a Role']),
  ...(bound.length === 0 ? [] : ['a RoleBinding']),
];

/** Nobody asked for it. */
export const uploadsNothing: Check<Uploads> = {
  id: 'uploaded/nothing',
  source: UPLOAD,
  judge: each(
    'nothing is uploaded, and the phase ends with 0',
    (time) => ({
      seen: `${endOf(time)}; ${listed(madeBy(time), 'nothing')}`,
      ok: time.exit === 0 && madeBy(time).length === 0,
    }),
    refusal,
  ),
};

/** It ends with an error, before anything is made. */
export const uploadFails: Check<Uploads, { readonly clean: boolean }> = {
  id: 'uploaded/fails',
  source: UPLOAD,
  judge: each(
    (_, { clean }) => `the upload ends with an error, and leaves ${clean ? 'nothing, no token either' : 'no Secret'}`,
    (time, _, { clean }) => {
      const left = madeBy(time).filter((one) => clean || one.startsWith('Secret'));
      return {
        seen: `${endOf(time)}; ${listed(left, 'nothing')}`,
        ok: time.exit !== null && time.exit !== 0 && left.length === 0,
      };
    },
    refusal,
  ),
};

/** Each entry that there is a file for is that file, by the key. */
export const uploadedOpens: Check<Uploads> = {
  id: 'uploaded/opens',
  source: `${UPLOAD}; cmd/kubeadm/app/util/crypto`,
  judge: onCerts(
    'each entry is AES-256-GCM by the certificate key, of the file that it is named for',
    ({ entries }, time) => {
      const other = entries.filter(({ name, holds }) => holds !== name && holds !== 'nothing');
      const seen = other.map(({ name, holds }) => `${name} holds ${holds}`);
      const full = entries.filter(({ holds }) => holds !== 'nothing').length;
      return {
        seen: time.key === '' ? 'nobody knows its key' : listed(seen, `${full} entries are`),
        ok: other.length === 0 && full > 0,
      };
    },
  ),
};

/** Of keys that nobody was told: each is new, and of 32 bytes. */
export const uploadMakesKeys: Check<Uploads> = {
  id: 'uploaded/makes-keys',
  source: '000, CreateCertificateKey; cmd/kubeadm/app/phases/copycerts/copycerts.go',
  judge: (all) =>
    all.map(({ subject, times }) => {
      const keys = new Set(times.map(({ key }) => key));
      const digits = times.map((time) => time.digits);
      return demand({
        subject,
        demanded: 'each time another key of 64 hexadecimal digits is made, and said',
        seen: `${keys.size} keys in ${times.length} times, of ${digits.join(' and ')} digits`,
        ok: keys.size === times.length && digits.every((count) => count === 64),
      });
    }),
};

export const uploadSaysKey: Check<Uploads> = {
  id: 'uploaded/says-key',
  source: UPLOAD,
  judge: each('the certificate key is said', ({ printed, said }) => ({ seen: `${printed} keys are said`, ok: said })),
};

export const uploadKeepsKey: Check<Uploads> = {
  id: 'uploaded/keeps-key',
  source: UPLOAD,
  judge: each(
    'no certificate key is said',
    ({ printed }) => ({ seen: `${printed} keys are said`, ok: printed === 0 }),
    refusal,
  ),
};

export const uploadedNames: Check<Uploads> = {
  id: 'uploaded/names',
  source: '000, UploadCerts, KubeadmCertsSecret',
  judge: onCerts(`what is shared is in Secret kube-system/${CERTS}, and in no other`, (_, { misnamed }) => ({
    seen: listed(
      misnamed.map((name) => `Secret ${name} as well`),
      'so it is',
    ),
    ok: misnamed.length === 0,
  })),
};

/** Seconds that its token may live. Source: constants.go DefaultCertTokenDuration. */
const LIFE = 2 * 60 * 60;
/** Between its beginning and the token, or by rounding. */
const SLACK = 60;

/** A token of its own for each upload, of two hours. */
export const uploadMakesToken: Check<Uploads> = {
  id: 'uploaded/makes-token',
  source: '000, createShortLivedBootstrapToken; constants.go DefaultCertTokenDuration',
  judge: each('a bootstrap token is made for the upload, and ends within two hours', ({ tokens }) => ({
    seen: listed(
      tokens.map(({ seconds }) => (seconds === null ? 'one that never ends' : `one of ${seconds} s`)),
      'there is none',
    ),
    ok: tokens.length > 0 && tokens.every(({ seconds }) => seconds !== null && seconds > 0 && seconds <= LIFE + SLACK),
  })),
};

export const uploadTokenIsOfNoUse: Check<Uploads> = {
  id: 'uploaded/token-of-no-use',
  source: '000, createShortLivedBootstrapToken',
  judge: each(
    'its token has neither usages nor groups, is refused with 401, and signs nothing',
    ({ tokens }, { login, signs }) => {
      const held = tokens.flatMap(({ usages, groups }) => [...usages, ...groups]);
      return {
        seen: `${login ?? 'no answer'}${signs ? ', a signature' : ''}${held.length === 0 ? '' : `; ${held.join(', ')}`}`,
        ok: login === 401 && !signs && held.length === 0,
      };
    },
    refusal,
  ),
};

export const uploadedIsOwned: Check<Uploads> = {
  id: 'uploaded/is-owned',
  source: '000, getSecretOwnerRef',
  judge: onCerts(
    "the Secret's one owner is the Secret of the upload's token, by name and uid",
    ({ owners, owned }) => ({
      seen: listed(owners, 'it has none'),
      ok: owned,
    }),
  ),
};

export const uploadedIsControlled: Check<Uploads> = {
  id: 'uploaded/is-controlled',
  source: 'cmd/kubeadm/app/phases/copycerts/copycerts.go getSecretOwnerRef; apimachinery, meta/v1 NewControllerRef',
  judge: onCerts("the Secret's owner is named as its controller, and blocks its own deletion", ({ marks }) => ({
    seen: listed(marks, 'it has no owner'),
    ok: marks.length > 0 && marks.every((mark) => mark === 'controller, blocking its deletion'),
  })),
};

export const uploadedGoes: Check<Uploads> = {
  id: 'uploaded/goes',
  source: '000, UploadCerts, owner reference',
  judge: each('the Secret is collected once its owner is gone', (_, { outlives }) => ({
    seen: outlives === null ? 'it has no owner' : outlives ? 'it is still there' : 'it is gone',
    ok: outlives === false,
  })),
};

const ORDER = ['Secret', 'Secret', 'Role', 'RoleBinding'].join(', ');

export const uploadedInOrder: Check<Uploads> = {
  id: 'uploaded/in-order',
  source: UPLOAD,
  judge: onCerts('token, Secret, Role and RoleBinding are made in this order', ({ owned }, { order }) => ({
    seen: `${order.join(', ')}${owned ? '' : ', the second not after its owner'}`,
    ok: order.join(', ') === ORDER && owned,
  })),
};

export const uploadedIsClosed: Check<Uploads> = {
  id: 'uploaded/is-closed',
  source: `${UPLOAD}; cmd/kubeadm/app/util/crypto, NIST SP 800-38D, 8`,
  judge: onCerts('no entry can be read without the key, and no two begin with the same nonce', ({ entries, alike }) => {
    const readable = entries.filter((one) => one.readable).map(({ name }) => name);
    const full = entries.filter(({ holds }) => holds !== 'nothing').length;
    return {
      seen: `${listed(readable, `none of ${full}`)}; ${alike} nonces come again`,
      ok: readable.length === 0 && alike === 0 && full > 0,
    };
  }),
};

export const uploadedIsWhole: Check<Uploads> = {
  id: 'uploaded/is-whole',
  source: '000, certsToTransfer',
  judge: onCerts(
    'there is one entry for each file that is to be handed on, and no other',
    ({ entries }, _, { files }) => {
      const names = entries.map(({ name }) => name);
      const lacking = files.filter((name) => !names.includes(name)).map((name) => `no ${name}`);
      const more = names.filter((name) => !files.includes(name)).map((name) => `${name} as well`);
      return { seen: listed([...lacking, ...more], `${names.length} entries`), ok: lacking.length + more.length === 0 };
    },
  ),
};

export const uploadedIsEmpty: Check<Uploads> = {
  id: 'uploaded/is-empty',
  source: '000, getDataFromDisk',
  judge: onCerts('a file that is not there has an entry, and that is empty', ({ entries }, _, { absent }) => {
    const held = absent.map((name) => `${name}: ${entries.find((one) => one.name === name)?.holds ?? 'no entry'}`);
    return {
      seen: listed(held, 'no file is missing'),
      ok: held.length > 0 && held.every((one) => one.endsWith(': nothing')),
    };
  }),
};

/** Who reads the Secret, and nothing else. */
export const uploadedIsGranted: Check<Uploads, { readonly group: string }> = {
  id: 'uploaded/is-granted',
  source: '000, createRBAC',
  judge: each(
    (_, { group }) => `a Role grants get of that Secret alone, and its RoleBinding has the group ${group} alone`,
    ({ rights, bound }, _, { group }) => ({
      seen: `${listed(rights, 'no right')}; ${listed(bound, 'nobody')}`,
      ok: rights.join() === `get secrets/${CERTS}` && bound.join() === `Group ${group}`,
    }),
  ),
};

export const uploadLeaksNoKey: Check<Uploads> = {
  id: 'uploaded/leaks-no-key',
  source: '000, master join: the key is passed on the command line',
  judge: each(
    'no object of kube-system holds the certificate key',
    ({ key, leaks }) => ({
      seen: key === '' ? 'nobody knows its key' : listed(leaks, 'none does'),
      ok: key !== '' && leaks.length === 0,
    }),
    refusal,
  ),
};

export const initSaysPins: Check<Uploads> = {
  id: 'uploaded/says-pins',
  source: '002, shared token discovery; cmd/kubeadm/app/cmd/util/join.go',
  judge: each("init's commands for those who join pin the CA of the cluster, and nothing else", (time, { pins }) => ({
    seen: `${endOf(time)}; ${listed([...new Set(time.pins)], 'no pin')}`,
    ok: time.exit === 0 && time.pins.length > 0 && time.pins.every((pin) => pins.includes(pin)),
  })),
};
