import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import { twinsOf } from '../common/twins.testing.js';
import { anonymousIn, oddAudit, oddAuthentication, recordsNothing } from './api-policies.js';

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
    const several = 'anonymous: { enabled: true, conditions: [{ path: /a }, { path: /b }] }';
    assert.deepEqual(anonymousIn(read(several)), ['/a', '/b']);
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

describe('what an audit policy says of groups and paths', () => {
  const odd = (rule: string, minor: number | null = null): readonly string[] => oddAudit(policy(rule), minor);
  const group = (name: string): string => `{ level: Metadata, resources: [{ group: "${name}" }] }`;
  it('is of names that groups have', () => {
    for (const sound of ['', 'a', 'apps', 'a.example', '1.b-c', 'x'.repeat(253)])
      assert.deepEqual(odd(group(sound)), [], sound);
    for (const other of ['-a', 'a-', 'a.', '.a', 'A', 'a_b', 'a*', 'x'.repeat(254)])
      assert.deepEqual(odd(group(other)), [`the group ${other.slice(0, 40)}`], other);
    // all of them, since 1.36
    for (const minor of [36, 37, null]) assert.deepEqual(odd(group('*'), minor), [], `${minor}`);
    assert.deepEqual(odd(group('*'), 35), ['the group *']);
  });
  it('is told as far as a line goes', () => {
    const long = 'x'.repeat(60);
    assert.deepEqual(odd(`{ level: ${long}, omitStages: [${long}], nonResourceURLs: [${long}] }`), [
      `the level ${long.slice(0, 40)}`,
      `the path ${long.slice(0, 40)} of a rule`,
      `the stage ${long.slice(0, 40)}`,
    ]);
  });
  it('decides on some requests alone where it names whose they are', () => {
    for (const about of ['users', 'userGroups', 'verbs', 'resources', 'namespaces', 'nonResourceURLs']) {
      const [some, all] = ['[{ group: a }]', '[]'].map((list) =>
        policy(`{ level: None, ${about}: ${list} }, { level: Metadata }`),
      );
      assert.deepEqual(
        [some, all].map((one) => recordsNothing(one ?? {})),
        [false, true],
        about,
      );
    }
  });
});

describe('an issuer', () => {
  const told = (issuer: string, more: string = USER): readonly string[] =>
    oddAuthentication(issuers(`issuer: { url: "https://a.example", audiences: [a]${issuer} }, ${more}`));
  it('is asked where it is known, over TLS', () => {
    assert.deepEqual(told(', discoveryURL: "https://b.example"'), []);
    assert.deepEqual(told(', discoveryURL: ""'), []);
    assert.deepEqual(told(', discoveryURL: "http://b.example"'), ['an issuer whose discoveryURL is not of https']);
    assert.deepEqual(told(', discoveryURL: "https://a.example"'), ['an issuer whose discoveryURL is its url']);
    const [certificate, key] = ['CERTIFICATE', 'PUBLIC KEY'].map(
      (label) => `-----BEGIN ${label}-----\\nQUJD\\n-----END ${label}-----\\n`,
    );
    const none = ['an issuer whose certificateAuthority holds no certificate'];
    assert.deepEqual(told(`, certificateAuthority: "${certificate}"`), []);
    assert.deepEqual(told(`, certificateAuthority: "${key}${certificate}"`), []);
    assert.deepEqual(told(', certificateAuthority: ""'), []);
    for (const other of [key, 'no PEM']) assert.deepEqual(told(`, certificateAuthority: "${other}"`), none);
    const user = 'an issuer with a query, a fragment or a user';
    for (const [url, problem] of [
      ['https://a.example/b', []],
      ['https://a.example/@b', []],
      ['https://user@a.example', [user]],
      ['https://a.example#b', [user]],
      ['https://@a.example', [user]],
    ] as const)
      assert.deepEqual(oddAuthentication(issuers(`issuer: { url: "${url}", audiences: [a] }, ${USER}`)), problem, url);
  });
  it('is not that of the tokens of this cluster', () => {
    const one = issuers(`${ISSUER}, ${USER}`);
    assert.deepEqual(oddAuthentication(one, 'https://a.example'), ['the issuer of its own tokens']);
    for (const other of ['https://b.example', '', undefined])
      assert.deepEqual(oddAuthentication(one, other), [], other);
    const nameless = issuers(`issuer: { url: "", audiences: [a] }, ${USER}`);
    for (const none of ['', undefined])
      assert.ok(!oddAuthentication(nameless, none).includes('the issuer of its own tokens'));
  });
  it('proves an address that it names its users by', () => {
    const mappings = (username: string, more = ''): string =>
      `claimMappings: { username: { expression: '${username}' }${more} }`;
    const unproved = ['a username by claims.email, and nothing asks for claims.email_verified'];
    assert.deepEqual(told('', mappings('claims.email')), unproved);
    for (const sound of [
      mappings('claims.sub'),
      mappings('claims.emails'),
      mappings('claims.email_verified ? claims.email : "x"'),
      mappings(
        'claims.email',
        `, extra: [{ key: "a/b", valueExpression: "string(claims.email_verified)" }, { key: "a/c", valueExpression: "claims.c" }]`,
      ),
      `${mappings('claims.email')}, claimValidationRules: [{ expression: claims.a }, { expression: claims.email_verified == true }]`,
    ])
      assert.deepEqual(told('', sound), [], sound);
    // another rule does not ask for it
    assert.deepEqual(
      told('', `${mappings('claims.email')}, claimValidationRules: [{ expression: claims.a == "b" }]`),
      unproved,
    );
  });
  it('has expressions that are some, wherever they stand', () => {
    const none = ['an expression that is none'];
    const username = 'username: { expression: claims.a }';
    for (const [odd, problem] of [
      [`claimMappings: { username: { expression: "claims.a ==" } }`, none],
      [`claimMappings: { ${username}, groups: { expression: "claims.a ==" } }`, none],
      [`claimMappings: { ${username}, uid: { expression: "claims.a ==" } }`, none],
      [`claimMappings: { ${username}, extra: [{ key: "a/b", valueExpression: "claims.a ==" }] }`, none],
      [`claimMappings: { ${username} }, claimValidationRules: [{ expression: "claims.a ==" }]`, none],
      [`claimMappings: { ${username} }, userValidationRules: [{ expression: "user.a ==" }]`, none],
      [`claimMappings: { ${username} }, userValidationRules: [{ expression: "user.a == 1" }]`, []],
    ] as const)
      assert.deepEqual(told('', odd), problem, odd);
  });
  it('gives its tokens no group of the system', () => {
    const groups = (expression: string): readonly string[] =>
      told(
        '',
        `claimMappings: { username: { expression: claims.a }, groups: { expression: ${JSON.stringify(expression)} } }`,
      );
    for (const odd of ['["system:masters"]', "claims.a + ['system:nodes']"])
      assert.deepEqual(groups(odd), ['an issuer whose tokens are of a group of the system'], odd);
    for (const sound of [
      'claims.groups',
      '["a:system:masters"]',
      '["system:masters-of-a"]',
      '["system:authenticated"]',
    ])
      assert.deepEqual(groups(sound), [], sound);
  });
});
