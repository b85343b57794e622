import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import { flagsBy, oddScheduler } from './scheduler-configuration.js';

const fields = (text: string): Fields => parseYaml(text) as Fields;
const odd = (text: string): string => oddScheduler(fields(text)).join('; ');

describe('a file that configures a scheduler', () => {
  it('is taken as kube-scheduler takes it', () => {
    for (const sound of [
      'clientConnection: { kubeconfig: /etc/kubernetes/scheduler.conf, qps: 50.5 }',
      'leaderElection: { leaderElect: true, leaseDuration: 30s, resourceLock: leases }',
      'profiles: [{ schedulerName: default-scheduler }, { schedulerName: batch, plugins: { score: { disabled: [{ name: "*" }] } } }]',
      'profiles: [{ plugins: { bind: { disabled: [{ name: "*" }], enabled: [{ name: Own }] } } }]',
      'profiles: [{ pluginConfig: [{ name: NodeResourcesFit, args: { scoringStrategy: { type: MostAllocated } } }] }]',
      'extenders: [{ urlPrefix: "https://a.example/x", prioritizeVerb: p, weight: 1 }, { urlPrefix: "http://127.0.0.1:1" }]',
      ...['http://localhost:1', 'http://localhost/a', 'http://[::1]:1'].map(
        (url) => `extenders: [{ urlPrefix: "${url}" }]`,
      ),
      'extenders: [{ urlPrefix: "a.example", enableHTTPS: true, tlsConfig: { insecure: false } }]',
      'parallelism: 1\npercentageOfNodesToScore: 100\npodInitialBackoffSeconds: 2\npodMaxBackoffSeconds: 2',
    ])
      assert.equal(odd(sound), '', sound);
  });

  it('is refused, or leaves Pods waiting', () => {
    for (const [text, told] of [
      ['parallelism: 0', 'parallelism 0'],
      ['percentageOfNodesToScore: 101', 'percentageOfNodesToScore is none'],
      ['percentageOfNodesToScore: -1', 'percentageOfNodesToScore is none'],
      ['podInitialBackoffSeconds: 0', 'periods of waiting that are none'],
      ['podInitialBackoffSeconds: 5\npodMaxBackoffSeconds: 4', 'periods of waiting that are none'],
      ['leaderElection: { resourceLock: endpoints }', 'resourceLock is not leases'],
      ['leaderElct: {}', 'leaderElct is no field'],
      ['profiles: [{}, { schedulerName: default-scheduler }]', 'the profile default-scheduler twice'],
      ['profiles: [{ schedulerName: a }]', 'no profile default-scheduler: Pods that name none wait'],
      ['profiles: [{ plugins: { bind: { disabled: [{ name: DefaultBinder }] } } }]', 'nothing is left of bind'],
      ['profiles: [{ plugins: { queueSort: { disabled: [{ name: "*" }] } } }]', 'nothing is left of queueSort'],
      ['extenders: [{}]', 'an extender without urlPrefix'],
      ['extenders: [{ urlPrefix: "https://a", prioritizeVerb: p }]', 'an extender without weight'],
      ['extenders: [{ urlPrefix: "http://a.example" }]', 'an extender that is asked without TLS'],
      ['extenders: [{ urlPrefix: "http://localhost.example" }]', 'an extender that is asked without TLS'],
      ['extenders: [{ urlPrefix: "http://[::2]" }]', 'an extender that is asked without TLS'],
      ['extenders: [{ urlPrefix: "https://a", tlsConfig: { insecure: true } }]', 'an extender that nobody verifies'],
      [
        'extenders: [{ urlPrefix: "https://a", bindVerb: b }, { urlPrefix: "https://b", bindVerb: b }]',
        'several extenders that bind',
      ],
    ] as const)
      assert.equal(odd(text), told, text);
  });

  it('stands for flags: of election what is given as a flag counts, and --kubeconfig does not', () => {
    const file = fields(
      'clientConnection: { kubeconfig: /a.conf }\nleaderElection: { leaderElect: false, leaseDuration: 9s, resourceName: x }',
    );
    assert.deepEqual(flagsBy(file, { config: '/c', kubeconfig: '/b.conf', 'leader-elect-lease-duration': '8s' }), {
      config: '/c',
      kubeconfig: '/a.conf',
      'leader-elect': 'false',
      'leader-elect-lease-duration': '8s',
      'leader-elect-resource-name': 'x',
    });
    assert.deepEqual(flagsBy({}, { kubeconfig: '/b.conf' }), { 'leader-elect': 'true' });
    assert.equal(flagsBy(file, { 'leader-elect': 'true' })['leader-elect'], 'true');
  });
});
