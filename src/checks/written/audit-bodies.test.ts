import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import { parseYaml } from '../../kubernetes/yaml.js';
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
  it('records them by each verb that bears them', () => {
    for (const [level, verb, resources, told] of [
      ['Request', 'create', core('secrets'), 'secrets'],
      ['Request', 'update', core('secrets'), 'secrets'],
      ['Request', 'patch', core('secrets'), 'secrets'],
      ['Request', 'get', core('secrets'), ''],
      ['Request', 'list', core('secrets'), ''],
      ['RequestResponse', 'create', core('secrets'), 'secrets'],
      ['RequestResponse', 'update', core('secrets'), 'secrets'],
      ['RequestResponse', 'patch', core('secrets'), 'secrets'],
      ['RequestResponse', 'get', core('secrets'), 'secrets'],
      ['RequestResponse', 'list', core('secrets'), 'secrets'],
      ['RequestResponse', 'delete', core('secrets'), ''],
      ['Request', 'create', core('serviceaccounts/token'), ''],
      ['RequestResponse', 'create', core('serviceaccounts/token'), 'serviceaccounts/token'],
      ['RequestResponse', 'get', core('serviceaccounts/token'), ''],
      ['Request', 'create', REVIEWS, 'tokenreviews'],
      ['RequestResponse', 'create', REVIEWS, 'tokenreviews'],
      ['RequestResponse', 'get', REVIEWS, ''],
      ['Metadata', 'create', REVIEWS, ''],
    ] as const)
      assert.equal(of(`{ level: ${level}, verbs: [${verb}], ${resources} }`), told, `${level} ${verb} ${resources}`);
  });
  it('records those of whom and what no rule before is about', () => {
    const secrets = (level: string, more: string): string => `{ level: ${level}, ${core('secrets')}${more} }`;
    const named = (...names: readonly string[]): string =>
      `resources: [{ group: "", resources: [secrets], resourceNames: [${names.join(', ')}] }]`;
    for (const [before, rule] of [
      [secrets('Metadata', ', users: [admin]'), secrets('Request', '')],
      [secrets('Metadata', ', users: [admin]'), secrets('Request', ', users: [admin, root]')],
      [secrets('Metadata', ', users: [root]'), secrets('Request', ', users: [admin, root]')],
      [secrets('Metadata', ', userGroups: [ops]'), secrets('Request', '')],
      [secrets('Metadata', ', userGroups: [ops]'), secrets('Request', ', userGroups: [ops, dev]')],
      [secrets('Metadata', ', userGroups: [ops], users: [admin]'), secrets('Request', ', users: [admin]')],
      [secrets('Metadata', ', namespaces: [kube-system]'), secrets('Request', '')],
      [secrets('Metadata', ', namespaces: [kube-system, default]'), secrets('Request', '')],
      [secrets('Metadata', ', namespaces: [a]'), secrets('Request', ', namespaces: [a, b]')],
      [`{ level: Metadata, ${named('a')} }`, `{ level: Request, verbs: [update], ${named('a', 'b')} }`],
      [`{ level: Metadata, ${named('a')} }`, secrets('Request', '')],
      [secrets('Metadata', ', users: [a, b, c]'), secrets('Request', ', users: [c, b, a, d]')],
      [secrets('Metadata', ', namespaces: [""]'), secrets('Request', '')],
      [
        `${secrets('Metadata', ', users: [a, b, c]')}, ${secrets('Metadata', ', users: [d, e], verbs: [get]')}`,
        secrets('Request', ', users: [c, d]'),
      ],
      [
        `${secrets('Metadata', ', users: [a], namespaces: [x]')}, ${secrets('Metadata', ', users: [b], namespaces: [x, y]')}`,
        secrets('Request', ', users: [a, b], namespaces: [x, y]'),
      ],
    ] as const)
      assert.equal(of(`${before}, ${rule}`), 'secrets', `${before}, ${rule}`);
    for (const [before, rule] of [
      [secrets('Metadata', ', users: [a, b]'), secrets('Request', ', users: [b]')],
      [secrets('Metadata', ', userGroups: [ops, dev]'), secrets('Request', ', userGroups: [dev]')],
      [secrets('Metadata', ', userGroups: ["system:authenticated"]'), secrets('Request', ', users: [a]')],
      [secrets('Metadata', ', namespaces: [a, b, c]'), secrets('Request', ', namespaces: [a, c]')],
      [`{ level: Metadata, ${named('a', 'b')} }`, `{ level: Request, ${named('b')} }`],
      [secrets('Metadata', ', verbs: [create, update, patch]'), secrets('Request', '')],
    ] as const)
      assert.equal(of(`${before}, ${rule}`), '', `${before}, ${rule}`);
  });
  it('records what any of its lists of resources has', () => {
    const several = 'resources: [{ group: apps }, { group: "", resources: [pods, secrets] }]';
    assert.equal(of(`{ level: Request, ${several} }`), 'secrets');
    assert.equal(of(`{ level: Metadata, ${several} }, { level: Request }`), 'tokenreviews');
    assert.equal(of('{ level: RequestResponse, namespaces: [a] }'), 'secrets serviceaccounts/token');
    assert.equal(of('{ level: RequestResponse, namespaces: [""] }'), 'secrets serviceaccounts/token tokenreviews');
  });
  it('is read as far as anybody writes one', () => {
    const pods = `{ level: Metadata, ${core('pods')} }, `;
    assert.equal(of(`${pods.repeat(299)}{ level: Request }`), 'secrets tokenreviews');
    assert.equal(of(`${pods.repeat(300)}{ level: Request }`), '');
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
