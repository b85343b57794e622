/**
 * The scale subresource: a Scale is a view of replicas and selector. Source:
 * pkg/registry/apps/deployment/storage/storage.go ScaleREST, scaleFromDeployment.
 */

import { count, isRecord, record } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { conflict, invalid, MODIFIED, notFound, preconditionFailed } from '../machinery/errors.js';
import { invalidValue, NEGATIVE } from '../machinery/field-errors.js';
import type { Subresource } from '../resource-definition.js';
import type { GroupResource } from '../types.js';
import { spec, status, withFields } from './read.js';
import { labelsText, selectorText, tableOf } from './tables.js';

const selectorLine = (selector: unknown): string =>
  isRecord(selector) && (isRecord(selector.matchLabels) || Array.isArray(selector.matchExpressions))
    ? selectorText(selector)
    : labelsText(selector);

function scaleOf(parent: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = parent.metadata;
  const line = selectorLine(spec(parent).selector);
  const replicas = count(spec(parent).replicas);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
    },
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: count(status(parent).replicas), ...(line === '' ? {} : { selector: line }) },
  };
}

/** GET answers the Scale; PUT of a Scale, or a merge patch of one, writes the replicas and answers the new one. */
export function scaleSubresource(key: string): Subresource {
  const [resource = '', ...group] = key.split('.');
  const groupResource: GroupResource = { group: group.join('.'), resource };
  return {
    kind: 'action',
    name: 'scale',
    verbs: ['get', 'patch', 'update'],
    answersWith: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
    table: tableOf('scales.autoscaling', 0),
    act({ parent, name, body, context }) {
      if (parent === undefined) throw notFound(groupResource, name);
      // Who only reads sends nothing; a Scale without replicas means none.
      if (body.kind === undefined) return { code: 200, object: scaleOf(parent) };
      const replicas = count(record(body.spec).replicas);
      if (replicas < 0) {
        const error = invalidValue('spec.replicas', replicas, NEGATIVE);
        throw invalid({ group: 'autoscaling', kind: 'Scale' }, name, [error]);
      }
      const { uid = parent.metadata.uid, resourceVersion = parent.metadata.resourceVersion } = body.metadata;
      if (uid !== parent.metadata.uid) {
        const why = preconditionFailed('UID', uid ?? '', parent.metadata.uid ?? '');
        throw conflict({ ...groupResource, resource: `${resource}/scale` }, name, why);
      }
      if (resourceVersion !== parent.metadata.resourceVersion) throw conflict(groupResource, name, MODIFIED);
      if (replicas === count(spec(parent).replicas)) return { code: 200, object: scaleOf(parent) };
      const changed = withFields(parent, {
        spec: { ...spec(parent), replicas },
        metadata: { ...parent.metadata, generation: (parent.metadata.generation ?? 0) + 1 },
      });
      return {
        code: 200,
        object: scaleOf(
          context.dryRun ? changed : context.store.update(groupResource, changed, parent.metadata.resourceVersion),
        ),
      };
    },
  };
}
