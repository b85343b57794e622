import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dnsOfCluster, readClusterDns } from './cluster-dns.js';
import { readCorefile, serverFor } from './corefile.js';

const server = (...lines: readonly string[]): string =>
  `.:53 {\n  errors\n${lines.join('\n')}\n  forward . /etc/resolv.conf\n}\n`;
const KUBERNETES = '  kubernetes cluster.local in-addr.arpa {\n    pods insecure\n  }';
const map = (key: string, value: string) => ({ metadata: { name: 'x' }, data: { [key]: value } });
const CLUSTER = map('ClusterConfiguration', 'networking: {dnsDomain: cluster.local}\n');
const odd = (corefile: string, cluster = CLUSTER): readonly string[] =>
  readClusterDns(
    { dns: map('Corefile', corefile), cluster },
    { hosts: ['192.0.2.1'], services: ['10.96.0.10', 'fd00:1::a'] },
  ).odd;

describe('a Corefile', () => {
  it('is read by its servers', () => {
    const read = readCorefile(
      `(own) {\n log\n}\nimport x\na.example.com, dns://b.example.com.:1053 {\n log # of it\n}\n${server(KUBERNETES)}`,
    );
    assert.equal(read.whole, true);
    assert.deepEqual(
      read.servers.map(({ zones }) => zones),
      [['a.example.com', 'b.example.com'], ['']],
    );
    assert.deepEqual(read.servers[0]?.plugins, [{ name: 'log', args: [], options: [] }]);
    assert.deepEqual(read.servers[1]?.plugins[1], {
      name: 'kubernetes',
      args: ['cluster.local', 'in-addr.arpa'],
      options: [['pods', 'insecure']],
    });
    assert.equal(serverFor(read, 'x.b.example.com')?.zones[0], 'a.example.com');
    assert.equal(serverFor(read, 'ab.example.com')?.zones[0], '');
    assert.equal(readCorefile('. {\n log\n').whole, false);
  });

  it('answers for the cluster', () => {
    assert.deepEqual(odd(server(KUBERNETES)), []);
    assert.deepEqual(odd('.:53 {\n kubernetes {\n }\n}\n'), []);
    assert.deepEqual(odd(`${server(KUBERNETES)}example.com {\n forward . 192.0.2.53\n}\n`), []);
    assert.deepEqual(odd(server('  import /etc/coredns/own')), []);
    assert.deepEqual(odd(server(KUBERNETES.replace('pods', 'endpoint https://192.0.2.1:6443\n    pods'))), []);
    assert.deepEqual(odd(server(KUBERNETES.replace('pods', 'namespaces default own\n    pods'))), []);
    assert.deepEqual(odd('# nothing\n'), []);
  });

  it('asks others for what it does not know', () => {
    const forward = (place: string): string =>
      server(KUBERNETES).replace('forward . /etc/resolv.conf', `forward . ${place}`);
    for (const place of ['192.0.2.53', '10.96.0.100', '10.96.0.10:5353', 'tls://10.96.0.10', '/etc/resolv.conf'])
      assert.deepEqual(odd(forward(place)), [], place);
    for (const place of ['10.96.0.10', 'dns://10.96.0.10', '10.96.0.10:53', '[fd00:1::a]:53', 'fd00:1::a'])
      assert.deepEqual(odd(forward(`192.0.2.53 ${place} {\n max_concurrent 10\n }`)), [
        `forward . ${place}, which is itself`,
      ]);
  });

  it('is told where it does not', () => {
    const where = 'which is asked for cluster.local, has no plugin kubernetes';
    assert.deepEqual(odd(server()), [`the server ., ${where}`]);
    assert.deepEqual(odd(`svc.cluster.local {\n forward . 192.0.2.53\n}\n${server(KUBERNETES)}`), [
      `the server svc.cluster.local, ${where}`,
    ]);
    assert.deepEqual(odd(`example.com {\n ${KUBERNETES}\n}\n`), ['no server of it answers for cluster.local']);
    assert.deepEqual(odd('. {\n log\n'), ['a brace of it is not closed']);
    assert.deepEqual(odd(server(KUBERNETES), map('ClusterConfiguration', 'networking: {dnsDomain: own.local}\n')), [
      'the plugin kubernetes is not for own.local',
    ]);
    assert.deepEqual(odd(server(KUBERNETES.replace('pods', 'endpoint https://192.0.2.9:6443\n    pods'))), [
      'the plugin kubernetes asks 192.0.2.9',
    ]);
    for (const plugin of ['proxy', 'federation'])
      assert.deepEqual(odd(server(KUBERNETES, `  ${plugin} . /etc/resolv.conf`)), [
        `CoreDNS has the plugin ${plugin} no more, and does not start`,
      ]);
    assert.deepEqual(odd(`${server(KUBERNETES)}example.com {\n proxy . 192.0.2.53\n}\n`), [
      'CoreDNS has the plugin proxy no more, and does not start',
    ]);
    for (const option of ['upstream', 'resyncperiod 5m', 'transfer to *'])
      assert.deepEqual(odd(server(KUBERNETES.replace('pods', `${option}\n    pods`))), [
        `the plugin kubernetes takes ${option.split(' ')[0]} no more, and CoreDNS does not start`,
      ]);
    assert.deepEqual(odd(server(KUBERNETES, '  etcd {\n    upstream\n  }')), []);
    assert.deepEqual(odd(server(KUBERNETES.replace('pods', 'namespaces own\n    pods'))), [
      'the plugin kubernetes leaves the namespace default out',
    ]);
    assert.deepEqual(readClusterDns({ dns: map('other', ''), cluster: CLUSTER }, { hosts: [], services: [] }).odd, [
      'there is no Corefile in it',
    ]);
  });

  it('is told where another answer comes first', () => {
    const first = (line: string): number => odd(server(`  ${line}`, KUBERNETES)).length;
    const name = 'kubernetes.default.svc.cluster.local';
    for (const line of [
      `rewrite name ${name} x.example.com`,
      `rewrite stop name exact ${name}. x.example.com`,
      'rewrite name suffix .cluster.local .example.com',
      `rewrite name ${name.toUpperCase()} x.example.com`,
      'rewrite name suffix .Cluster.LOCAL .example.com',
      'rewrite name prefix kubernetes. x.',
      'rewrite name substring .svc. .x.',
      `hosts {\n    192.0.2.9 a ${name}.\n  }`,
      'template IN A cluster.local {\n    answer "x"\n  }',
    ])
      assert.equal(first(line), 1, line);
    for (const line of [
      'rewrite name exact x.example.com x.default.svc.cluster.local',
      'rewrite name suffix .old.local .cluster.local',
      'rewrite name regex (.*) x',
      'rewrite type ANY HINFO',
      'rewrite name',
      'hosts {\n    192.0.2.9 a.example.com\n  }',
      'template IN A {\n    answer "x"\n  }',
      'template IN A cluster.local {\n    match x\n  }',
      'template IN A cluster.local {\n    fallthrough\n  }',
    ])
      assert.equal(first(line), 0, line);
  });

  it('is told word by word', () => {
    const first = (line: string): readonly string[] => odd(server(`  ${line}`, KUBERNETES));
    const name = 'kubernetes.default.svc.cluster.local';
    assert.deepEqual(first(`rewrite continue name ${name} x`), [`rewrite continue name ${name} x`]);
    assert.deepEqual(first(`hosts {\n    192.0.2.8 a\n    192.0.2.9 ${name.toUpperCase()}\n  }`), [
      `hosts 192.0.2.9 ${name}`,
    ]);
    assert.deepEqual(first('template IN A Own.local cluster.local. {\n    answer x\n  }'), [
      'template own.local cluster.local',
    ]);
    for (const line of [
      `rewrite names ${name} x`,
      `rewrite Name ${name} x`,
      `rewrite stops name ${name} x`,
      `rewrite name Exact ${name} x`,
      `rewrite name ${name}x x`,
      `rewrite name x${name} x`,
      'rewrite name exact .svc. x',
      'rewrite name exact "" x',
      'rewrite name suffix kubernetes. x',
      'rewrite name prefix .cluster.local x',
      'rewrite name substring .svd. x',
      'rewrite name regex .svc. x',
      'rewrite answer name kubernetes x',
      `hosts {\n    192.0.2.9 a${name} ${name}a\n  }`,
      'template cluster.local A {\n    answer x\n  }',
      'template IN A . {\n    answer x\n  }',
      'template IN A own.local {\n    answer x\n  }',
      'template IN A cluster.local {\n    answer x\n    match a\n  }',
      'template IN A cluster.local {\n    answer x\n    fallthrough\n  }',
      'templates IN A cluster.local {\n    answer x\n  }',
    ])
      assert.deepEqual(first(line), [], line);
    assert.deepEqual(first('template IN A cluster.local {\n    fallthroughs\n  }'), ['template cluster.local']);
    assert.deepEqual(first('template IN A cluster.local {\n    matches\n  }'), ['template cluster.local']);
  });

  it('asks an API server that is known, and knows its namespace', () => {
    const asks = (endpoint: string): readonly string[] =>
      odd(server(KUBERNETES.replace('pods', `endpoint https://${endpoint}:6443\n    pods`)));
    for (const host of ['127.0.0.1', 'localhost', 'kubernetes.default', 'kubernetes.default.svc', '192.0.2.1'])
      assert.deepEqual(asks(host), [], host);
    for (const host of ['10.127.0.1', 'localhosts', 'my.localhost', 'a.kubernetes.default', '192.0.2.11', 'kubernetes'])
      assert.deepEqual(asks(host), [`the plugin kubernetes asks ${host}`]);
    const named = (names: string): number =>
      odd(server(KUBERNETES.replace('pods', `namespaces ${names}\n    pods`))).length;
    assert.deepEqual(['own default', 'Default', 'defaults', 'own'].map(named), [0, 1, 1, 1]);
    assert.deepEqual(odd(server(KUBERNETES.replace('pods', 'endpoints https://192.0.2.9\n    pods'))), []);
    assert.deepEqual(odd(server(KUBERNETES.replace('kubernetes', 'kubernetess'))).length, 1);
    assert.deepEqual(odd(server(KUBERNETES.replace('cluster.local', 'CLUSTER.local.'))), []);
    assert.deepEqual(odd(server('  imports x')).length, 1);
    const two = `a.local cluster.local {\n log\n}\n`;
    assert.match(odd(two)[0] ?? '', /^the server a\.local cluster\.local, /);
  });

  it('is read where there is one', () => {
    assert.deepEqual(readClusterDns({ dns: undefined, cluster: CLUSTER }, { hosts: [], services: [] }), {
      there: false,
      odd: [],
    });
    assert.deepEqual(
      readClusterDns({ dns: { metadata: { name: 'x' } }, cluster: CLUSTER }, { hosts: [], services: [] }),
      {
        there: true,
        odd: ['there is no Corefile in it'],
      },
    );
    const seen = (all: readonly string[]) => dnsOfCluster.judge({ there: true, odd: all }, undefined)[0]?.seen;
    assert.equal(seen(['a', 'b', 'c', 'd', 'e', 'f']), 'a; b; c; d; e');
    assert.equal(seen(['x'.repeat(300)]), 'x'.repeat(240));
  });

  it('is told once', () => {
    const judged = (corefile: string) =>
      dnsOfCluster.judge(
        readClusterDns({ dns: map('Corefile', corefile), cluster: undefined }, { hosts: [], services: [] }),
        undefined,
      );
    assert.deepEqual(
      judged(server(KUBERNETES)).map(({ result, seen }) => `${result}: ${seen}`),
      ['met: it does'],
    );
    assert.equal(judged(server())[0]?.result, 'unmet');
    assert.deepEqual(
      dnsOfCluster.judge(
        readClusterDns({ dns: undefined, cluster: undefined }, { hosts: [], services: [] }),
        undefined,
      ),
      [],
    );
  });
});
