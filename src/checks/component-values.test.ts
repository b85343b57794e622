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
