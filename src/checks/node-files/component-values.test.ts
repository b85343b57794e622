import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endingComponent, isGateOn } from './component-values.js';

const of = (flags: Readonly<Record<string, string>>, minor: number | null = 36): string =>
  endingComponent(flags, minor).join('; ');

describe('values that end a program of a control plane', () => {
  it('are told of logs', () => {
    for (const flush of ['0s', '0', '-1s', '0h0m'])
      assert.equal(of({ 'log-flush-frequency': flush }), `--log-flush-frequency=${flush}`);
    for (const flush of ['5s', '1ms', '1h0m']) assert.equal(of({ 'log-flush-frequency': flush }), '');
    assert.equal(of({ vmodule: 'a=1,b' }), '--vmodule=b');
    assert.equal(of({ vmodule: 'a=x,=1' }), '--vmodule=a=x; --vmodule==1');
    assert.equal(of({ vmodule: 'a=1,b*=10' }), '');
    assert.equal(of({ vmodule: 'a=1x,b=,c==1' }), '--vmodule=a=1x; --vmodule=b=; --vmodule=c==1');
    assert.equal(of({ vmodule: `${'a'.repeat(100)}=x` }), `--vmodule=${'a'.repeat(60)}`);
    const tried = ' without the feature gate LoggingAlphaOptions';
    assert.equal(of({ 'log-json-split-stream': 'true' }), `--log-json-split-stream${tried}`);
    assert.equal(of({ 'log-text-info-buffer-size': '1k' }), `--log-text-info-buffer-size${tried}`);
    assert.equal(of({ 'log-text-split-stream': 'T' }), `--log-text-split-stream${tried}`);
    assert.equal(of({ 'log-json-info-buffer-size': '10' }), `--log-json-info-buffer-size${tried}`);
    assert.equal(of({ 'log-json-split-stream': 'false', 'log-json-info-buffer-size': '0' }), '');
    for (const off of ['F', 'False', '0', '']) assert.equal(of({ 'log-text-split-stream': off }), '', off);
    assert.equal(of({ 'log-text-info-buffer-size': '10' }), `--log-text-info-buffer-size${tried}`);
    assert.equal(of({}), '');
    for (const gates of ['LoggingAlphaOptions=true', 'AllAlpha=true'])
      assert.equal(of({ 'log-json-split-stream': 'true', 'feature-gates': gates }), '');
  });
  it('are told of metrics', () => {
    const shown = (version: string, minor: number | null = 36): string =>
      of({ 'show-hidden-metrics-for-version': version }, minor);
    assert.equal(shown('1.35'), '');
    assert.equal(shown('1.30'), '--show-hidden-metrics-for-version=1.30');
    assert.equal(shown('1.30', null), '');
    for (const odd of ['x', 'v1.30', '1.30.1', '2.1', '1.3000'])
      assert.equal(shown(odd, null), `--show-hidden-metrics-for-version=${odd}`);
    for (const odd of ['1.36', '1.34', '11.35', '1.351']) assert.notEqual(shown(odd), '', odd);
    assert.equal(shown(''), '');
    assert.equal(of({ 'allow-metric-labels': 'a=c' }), '--allow-metric-labels=a=c');
    assert.equal(of({ 'allow-metric-labels': 'm,l=a,b' }), '');
    for (const right of ['"m,l"=a', '_m:1,_l1=a', 'm,l='])
      assert.equal(of({ 'allow-metric-labels': right }), '', right);
    for (const wrong of ['1m,l=a', 'm,1l=a', ',l=a', 'm,=a', 'm,l', 'x m,l=a', 'm-1,l=a', 'm,l-1=a'])
      assert.equal(of({ 'allow-metric-labels': wrong }), `--allow-metric-labels=${wrong}`);
  });
  it('are told of TLS', () => {
    const curves = (list: string): string => of({ 'tls-curve-preferences': list });
    assert.equal(curves('29,23,4588'), '');
    for (const curve of ['23', '24', '25', '29', '4587', '4588', '4589']) assert.equal(curves(curve), '', curve);
    for (const curve of ['22', '30', '4590', 'X25519']) assert.equal(curves(curve), `--tls-curve-preferences=${curve}`);
    assert.equal(curves('23,23'), '--tls-curve-preferences=23');
    assert.equal(curves('1,x'), '--tls-curve-preferences=1; --tls-curve-preferences=x');
    assert.equal(curves(''), '');
  });
});

describe('values by which a program is asked, and asks', () => {
  it('are told of headers', () => {
    const headers = (list: string): string => of({ 'requestheader-uid-headers': list });
    assert.equal(headers('X-Remote-User'), '--requestheader-uid-headers=X-Remote-User');
    assert.equal(headers('X-Remote-User,x-remote-uid'), '');
    assert.equal(headers(''), '');
  });
  it('are told of how often and in what it asks', () => {
    assert.equal(of({ 'kube-api-burst': '0' }), '--kube-api-burst=0');
    assert.equal(of({ 'kube-api-burst': '-1', 'kube-api-qps': '5' }), '--kube-api-burst=-1');
    assert.equal(of({ 'kube-api-burst': '-1', 'kube-api-qps': '-1' }), '');
    assert.equal(of({ 'kube-api-burst': '0', 'kube-api-qps': '0' }), '');
    assert.equal(of({ 'kube-api-burst': '0', 'kube-api-qps': '0.5' }), '--kube-api-burst=0');
    assert.equal(of({ 'kube-api-burst': '1', 'kube-api-qps': '5' }), '');
    assert.equal(of({ 'kube-api-qps': '0' }), '');
    assert.equal(of({ 'kube-api-content-type': 'application/xml' }), '--kube-api-content-type=application/xml');
    for (const type of ['application/jsonx', 'xapplication/json', 'json', 'application/'])
      assert.equal(of({ 'kube-api-content-type': type }), `--kube-api-content-type=${type}`);
    for (const type of ['', ...['json', 'yaml', 'cbor', 'vnd.kubernetes.protobuf'].map((one) => `application/${one}`)])
      assert.equal(of({ 'kube-api-content-type': type }), '');
  });
  it('are told of where it listens', () => {
    for (const bind of ['', '0.0.0.0', '::', '::1', 'fd00::1', '192.0.2.1'])
      assert.equal(of({ 'bind-address': bind }), '');
    for (const bind of ['a.example', '192.0.2.1x', 'x192.0.2.1', 'g:1', 'fd00::x', 'x::1', 'fd00'])
      assert.equal(of({ 'bind-address': bind }), `--bind-address=${bind}`);
  });
  it('are told of the release that it behaves as', () => {
    for (const version of ['1.36', '1.33', 'kube=1.35', 'v1.35.2', 'other=1.2'])
      assert.equal(of({ 'emulated-version': version }), '', version);
    assert.equal(of({ 'emulated-version': '1.37' }), '--emulated-version=1.37');
    assert.equal(of({ 'emulated-version': 'kube=1.32' }), '--emulated-version=kube=1.32');
    assert.equal(of({ 'min-compatibility-version': '1.20' }), '--min-compatibility-version=1.20');
    assert.equal(of({ 'emulated-version': '1.20' }, null), '');
    assert.equal(of({ 'emulated-version': '1.35,kube=1.30' }), '--emulated-version=kube=1.30');
    // what is no version is told by its form
    for (const odd of ['1.20x', 'x1.20', '1.20.x', 'kube=2.1']) assert.equal(of({ 'emulated-version': odd }), '', odd);
  });
});

describe('a feature gate', () => {
  it('is on by itself before its stage', () => {
    const on = (gates: string): boolean => isGateOn({ 'feature-gates': gates }, 'A', 'AllAlpha');
    for (const value of ['true', 'True', 'TRUE', 't', 'T', '1']) assert.equal(on(`B=false, A=${value}`), true, value);
    for (const value of ['false', '0', '10', 'xt', 'truer', '']) assert.equal(on(`A=${value}`), false, value);
    assert.equal(isGateOn({}, 'A', 'AllBeta'), false);
    assert.deepEqual(['A=true', 'AllAlpha=true', 'A=false,AllAlpha=true', 'B=true', ''].map(on), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
