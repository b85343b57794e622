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
    const tried = ' without the feature gate LoggingAlphaOptions';
    assert.equal(of({ 'log-json-split-stream': 'true' }), `--log-json-split-stream${tried}`);
    assert.equal(of({ 'log-text-info-buffer-size': '1k' }), `--log-text-info-buffer-size${tried}`);
    assert.equal(of({ 'log-json-split-stream': 'false', 'log-json-info-buffer-size': '0' }), '');
    for (const gates of ['LoggingAlphaOptions=true', 'AllAlpha=true'])
      assert.equal(of({ 'log-json-split-stream': 'true', 'feature-gates': gates }), '');
  });
  it('are told of metrics', () => {
    const shown = (version: string, minor: number | null = 36): string =>
      of({ 'show-hidden-metrics-for-version': version }, minor);
    assert.equal(shown('1.35'), '');
    assert.equal(shown('1.30'), '--show-hidden-metrics-for-version=1.30');
    assert.equal(shown('1.30', null), '');
    assert.equal(shown('x', null), '--show-hidden-metrics-for-version=x');
    assert.equal(shown(''), '');
    assert.equal(of({ 'allow-metric-labels': 'a=c' }), '--allow-metric-labels=a=c');
    assert.equal(of({ 'allow-metric-labels': 'm,l=a,b' }), '');
  });
  it('are told of TLS', () => {
    const curves = (list: string): string => of({ 'tls-curve-preferences': list });
    assert.equal(curves('29,23,4588'), '');
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
    assert.equal(of({ 'kube-api-qps': '0' }), '');
    assert.equal(of({ 'kube-api-content-type': 'application/xml' }), '--kube-api-content-type=application/xml');
    for (const type of ['', 'application/json', 'application/vnd.kubernetes.protobuf'])
      assert.equal(of({ 'kube-api-content-type': type }), '');
  });
  it('are told of where it listens', () => {
    for (const bind of ['', '0.0.0.0', '::', '::1', 'fd00::1', '192.0.2.1'])
      assert.equal(of({ 'bind-address': bind }), '');
    assert.equal(of({ 'bind-address': 'a.example' }), '--bind-address=a.example');
  });
  it('are told of the release that it behaves as', () => {
    for (const version of ['1.36', '1.33', 'kube=1.35', 'v1.35.2', 'other=1.2'])
      assert.equal(of({ 'emulated-version': version }), '', version);
    assert.equal(of({ 'emulated-version': '1.37' }), '--emulated-version=1.37');
    assert.equal(of({ 'emulated-version': 'kube=1.32' }), '--emulated-version=kube=1.32');
    assert.equal(of({ 'min-compatibility-version': '1.20' }), '--min-compatibility-version=1.20');
    assert.equal(of({ 'emulated-version': '1.20' }, null), '');
  });
});

describe('a feature gate', () => {
  it('is on by itself before its stage', () => {
    const on = (gates: string): boolean => isGateOn({ 'feature-gates': gates }, 'A', 'AllAlpha');
    assert.deepEqual(['A=true', 'AllAlpha=true', 'A=false,AllAlpha=true', 'B=true', ''].map(on), [
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
