import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../kubernetes/json.js';
import { parseYaml } from '../kubernetes/yaml.js';
import { anonymousIn, oddAudit, oddAuthentication, recordsNothing } from './api-policies.js';
import { twinsOf } from './twins.testing.js';

const read = (content: string): Fields => parseYaml(content) as Fields;
const policy = (rules: string, more = ''): Fields => read(`kind: Policy\nrules: [${rules}]\n${more}`);
const issuers = (...all: readonly string[]): Fields => read(`jwt: [${all.map((one) => `{ ${one} }`).join(', ')}]`);
const ISSUER = 'issuer: { url: "https://a.example", audiences: [a] }';
const USER = 'claimMappings: { username: { claim: sub, prefix: "" } }';

describe('an audit policy', () => {
  it('is refused for rules that are none', () => {
    for (const sound of [
      '{ level: Metadata }',
      '{ level: None, nonResourceURLs: ["/healthz*", "*"] }, { level: Request, omitStages: [Panic] }',
      '{ level: Metadata, resources: [{ group: "", resources: [pods], resourceNames: [a] }, { group: apps }] }',
    ])
      assert.deepEqual(oddAudit(policy(sound)), [], sound);
    for (const [odd, told] of [
      ['', 'it has no rules'],
      ['{ level: All }', 'the level All'],
      ['{ level: None, omitStages: [End] }', 'the stage End'],
      ['{ level: None, nonResourceURLs: [a] }', 'the path a of a rule'],
      ['{ level: None, nonResourceURLs: ["/a*b"] }', 'the path /a*b of a rule'],
      ['{ level: None, nonResourceURLs: [/a], resources: [{ group: "" }] }', 'a rule of resources and of paths'],
      ['{ level: None, nonResourceURLs: [/a], namespaces: [b] }', 'a rule of resources and of paths'],
      ['{ level: None, resources: [{ group: apps/v1 }] }', 'the group apps/v1'],
      ['{ level: None, resources: [{ group: "", resourceNames: [a] }] }', 'names of no resource'],
    ] as const)
      assert.deepEqual(oddAudit(policy(odd)), [told], odd);
    assert.deepEqual(oddAudit(policy('{ level: None }', 'omitStages: [x]')), ['the stage x']);
  });
  it('records nothing where no rule is reached that does', () => {
    const all = 'omitStages: [RequestReceived, ResponseStarted, ResponseComplete, Panic]';
    for (const silent of [
      policy('{ level: None }, { level: Metadata }'),
      policy('{ level: None, verbs: [get] }'),
      policy('{ level: None, verbs: [] }, { level: Metadata }'),
      policy('{ level: Metadata }', all),
      policy(`{ level: Metadata, ${all} }`),
    ])
      assert.equal(recordsNothing(silent), true, JSON.stringify(silent));
    for (const sound of [
      policy('{ level: Metadata }, { level: None }'),
      policy('{ level: None, users: [a] }, { level: Metadata, verbs: [create] }'),
      policy('{ level: Metadata }', 'omitStages: [RequestReceived]'),
    ])
      assert.equal(recordsNothing(sound), false, JSON.stringify(sound));
  });
});

describe('an AuthenticationConfiguration', () => {
  it('is refused for issuers that are none', () => {
    assert.deepEqual(oddAuthentication(issuers(`${ISSUER}, ${USER}`)), []);
    const several = 'issuer: { url: "https://a.example", audiences: [a, b], audienceMatchPolicy: MatchAny }';
    assert.deepEqual(oddAuthentication(issuers(`${several}, claimMappings: { username: { expression: a } }`)), []);
    for (const [odd, told] of [
      [`${ISSUER.replace('https', 'http')}, ${USER}`, 'an issuer that is not of https'],
      [`${ISSUER.replace('.example', '.example?b=c')}, ${USER}`, 'an issuer with a query, a fragment or a user'],
      [`${ISSUER.replace('[a]', '[]')}, ${USER}`, 'an issuer without audiences'],
      [`${ISSUER.replace('[a]', '[a, b]')}, ${USER}`, 'several audiences, and no MatchAny'],
      [
        `${ISSUER.replace('}', ', discoveryURL: "https://a.example" }')}, ${USER}`,
        'an issuer whose discoveryURL is its url',
      ],
      [ISSUER, 'an issuer that says no username'],
      [`${ISSUER}, ${USER.replace(', prefix: ""', '')}`, 'a username by a claim without a prefix'],
      [`${ISSUER}, ${USER.replace('prefix', 'expression: a, prefix')}`, 'a username by a claim and by an expression'],
      [`${ISSUER}, ${USER.replace('} }', '}, groups: { claim: g } }')}`, 'a group by a claim without a prefix'],
    ] as const)
      assert.deepEqual(oddAuthentication(issuers(odd)), [told], odd);
    assert.deepEqual(oddAuthentication(issuers(`${ISSUER}, ${USER}`, `${ISSUER}, ${USER}`)), ['an issuer twice']);
    assert.deepEqual(oddAuthentication(read('anonymus: {}')), ['anonymus is no field']);
    const off = 'conditions of anonymous requests that are off';
    assert.deepEqual(oddAuthentication(read('anonymous: { enabled: false, conditions: [{ path: /a }] }')), [off]);
    assert.deepEqual(oddAuthentication(read('anonymous: { enabled: true, conditions: [{ path: /a }] }')), []);
  });
  it('says what comes without a credential', () => {
    assert.equal(anonymousIn({}), undefined);
    assert.equal(anonymousIn(read('anonymous: { enabled: true }')), 'all');
    assert.deepEqual(anonymousIn(read('anonymous: { enabled: false }')), []);
    assert.deepEqual(anonymousIn(read('anonymous: { enabled: true, conditions: [{ path: /a }] }')), ['/a']);
  });
});

describe('names of policies', () => {
  it('are read as they are written, the second as well as the first', () => {
    for (const twin of twinsOf('Metadata'))
      assert.deepEqual(oddAudit(policy(`{ level: None }, { level: "${twin}" }`)), [`the level ${twin}`]);
    for (const twin of twinsOf('Panic'))
      assert.deepEqual(oddAudit(policy(`{ level: None, omitStages: [Panic, "${twin}"] }`)), [`the stage ${twin}`]);
    for (const twin of twinsOf('None')) assert.equal(recordsNothing(policy(`{ level: "${twin}" }`)), false, twin);
    const stages = ['RequestReceived', 'ResponseStarted', 'ResponseComplete', 'Panic'];
    for (const stage of stages)
      for (const twin of twinsOf(stage)) {
        const omitted = stages.map((one) => `"${one === stage ? twin : one}"`).join();
        assert.equal(recordsNothing(policy('{ level: Metadata }', `omitStages: [${omitted}]`)), false, twin);
      }
    assert.equal(recordsNothing(policy('{ level: None, users: [a] }, { level: Request, users: [b] }')), false);
  });
});
