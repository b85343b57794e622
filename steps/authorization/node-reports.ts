/**
 * What a node says of its Node, of its Pods and of their claims, in every form of a patch, by what the features call it.
 * Source: plugin/pkg/admission/noderestriction/admission.go admitNode, admitPodStatus, admitPVCStatus.
 */
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import { apiVersionOf, resources } from '../../src/kubernetes/resources.js';
import type { Question } from '../../src/targets/types.js';
import { DRY } from '../common/trials.js';
import type { Attempt } from './node-attempts.js';
import { at, change, claims, DEFAULT, node, type Place, podStatus, SEEN } from './node-questions.js';

const ABSENT = 'jp-absent';

/** Of the claim of its own Pod. */
const CLAIMS: Readonly<Record<string, object>> = {
  'report the conditions of its claim': { status: { conditions: [{ type: 'Resizing', status: 'True' }] } },
  'report the capacity of its claim': { status: { capacity: { storage: '1Mi' } } },
  'say of its claim that it is bound': { status: { phase: 'Bound' } },
  'say of its claim how it may be opened': { status: { accessModes: ['ReadWriteMany'] } },
  'annotate its claim through its status': SEEN,
  'give its claim a volume through its status': { spec: { volumeName: ABSENT } },
};

const RESTRICTED = 'node-restriction.kubernetes.io/tier';
const patched = (place: Place, contentType: string, body: unknown, query: object = {}): Question => ({
  method: 'PATCH',
  path: at(place),
  query: { ...DRY, ...query },
  contentType,
  body,
});
const labelled = (name: string) => ({
  apiVersion: apiVersionOf(resources.nodes),
  kind: 'Node',
  metadata: { name, labels: { [RESTRICTED]: 'a' } },
});
const TIER = `label its own Node ${RESTRICTED}`;

export const REPORTS: Readonly<Record<string, Attempt>> = {
  ...Object.fromEntries(
    Object.entries(CLAIMS).map(([what, body]): [string, Attempt] => [
      what,
      ({ own }) => change([claims, DEFAULT, own.claim], body, 'status'),
    ]),
  ),
  'say which device claims were made for its Pod': ({ own }) =>
    podStatus(own, { status: { resourceClaimStatuses: [{ name: 'none', resourceClaimName: ABSENT }] } }),
  'change the effect of a taint of its own Node': ({ own }) =>
    patched(node(own), PATCH_TYPES.json, [{ op: 'replace', path: '/spec/taints/0/effect', value: 'PreferNoSchedule' }]),
  [`${TIER} by a strategic patch`]: ({ own }) =>
    patched(node(own), PATCH_TYPES.strategic, { metadata: { labels: { [RESTRICTED]: 'a' } } }),
  [`${TIER} by a JSON patch`]: ({ own }) =>
    patched(node(own), PATCH_TYPES.json, [
      { op: 'add', path: `/metadata/labels/${RESTRICTED.replace('/', '~1')}`, value: 'a' },
    ]),
  [`${TIER} by applying it`]: ({ own }) =>
    patched(node(own), PATCH_TYPES.apply, JSON.stringify(labelled(own.node)), {
      fieldManager: 'joinproof',
      force: 'true',
    }),
};
