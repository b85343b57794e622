import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../kubernetes/json.js';
import { parseYaml } from '../kubernetes/yaml.js';
import { recordedBodies } from './audit-bodies.js';

const of = (rules: string, more = ''): string =>
  recordedBodies(parseYaml(`kind: Policy\nrules: [${rules}]\n${more}`) as Fields).join(' ');
const core = (...resources: readonly string[]): string =>
  `resources: [{ group: "", resources: ["${resources.join('", "')}"] }]`;
const REVIEWS = 'resources: [{ group: authentication.k8s.io, resources: [tokenreviews] }]';
const CLOSED = [
  `{ level: Metadata, ${core('secrets', 'serviceaccounts/token')} }`,
  `{ level: Metadata, ${REVIEWS} }`,
].join(', ');

describe('an audit policy', () => {
  it('records bodies of what bears credentials', () => {
    const everything = 'secrets serviceaccounts/token tokenreviews';
    for (const [rules, told] of [
      ['{ level: RequestResponse }', everything],
      ['{ level: Request }', 'secrets tokenreviews'],
      ['{ level: RequestResponse, verbs: [get, list, watch] }', 'secrets'],
      [`{ level: Metadata, ${core('secrets')} }, { level: RequestResponse }`, 'serviceaccounts/token tokenreviews'],
      ['{ level: RequestResponse, resources: [{ group: "" }] }', 'secrets serviceaccounts/token'],
      [`{ level: RequestResponse, ${core('*')} }`, 'secrets serviceaccounts/token'],
      [`{ level: RequestResponse, ${core('*/token')} }`, 'serviceaccounts/token'],
      [`{ level: RequestResponse, ${core('serviceaccounts/*')} }`, 'serviceaccounts/token'],
      [`{ level: Request, ${REVIEWS} }`, 'tokenreviews'],
      ['{ level: Request, resources: [{ group: "*" }] }', 'secrets tokenreviews'],
      [
        `{ level: Metadata, namespaces: [kube-system], ${core('secrets')} }, { level: Request, ${core('secrets')} }`,
        'secrets',
      ],
      [
        `{ level: Metadata, verbs: [get], ${core('secrets')} }, { level: RequestResponse, ${core('secrets')} }`,
        'secrets',
      ],
      [`{ level: Request, users: [admin] }, ${CLOSED}`, 'secrets tokenreviews'],
      [`{ level: Request, userGroups: [ops] }, ${CLOSED}`, 'secrets tokenreviews'],
      [
        `{ level: Request, resources: [{ group: "", resources: [secrets], resourceNames: [a] }] }, ${CLOSED}`,
        'secrets',
      ],
      [`{ level: Request, namespaces: [a] }, ${CLOSED}`, 'secrets'],
    ] as const)
      assert.equal(of(rules), told, rules);
  });
  it('records no more than who asks for what, and when', () => {
    for (const sound of [
      '{ level: Metadata }',
      '{ level: None }, { level: RequestResponse }',
      `${CLOSED}, { level: RequestResponse }`,
      '{ level: Request, verbs: [get, list, watch, delete] }',
      `{ level: RequestResponse, ${core('pods', 'secrets/x', 'configmaps')} }`,
      '{ level: RequestResponse, resources: [{ group: apps }] }',
      '{ level: RequestResponse, nonResourceURLs: ["*"] }',
      `{ level: RequestResponse, verbs: [delete, deletecollection, watch], ${core('secrets')} }`,
      `{ level: Metadata, userGroups: ["system:authenticated"], ${core('*')} }, { level: Metadata, ${REVIEWS} }, { level: Request }`,
      '{ level: RequestResponse, omitStages: [ResponseComplete] }',
      `{ level: None, users: [admin] }, ${CLOSED}, { level: RequestResponse, users: [admin] }`,
    ])
      assert.equal(of(sound), '', sound);
    assert.equal(of('{ level: RequestResponse }', 'omitStages: [ResponseComplete]'), '');
    assert.equal(of('{ level: RequestResponse }', 'omitStages: [RequestReceived]') === '', false);
  });
});
