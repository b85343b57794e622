import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sentenceOf } from '../../model/finding.js';
import { judged } from '../common/judged.testing.js';
import { componentsWaitedFor, componentsWell } from './joined-components.js';
import type { Attempt, ComponentSeen } from './joining-client-reader.js';
import { attempted } from './joining-seen.testing.js';

const attempt = (more: Partial<Attempt>): Attempt =>
  attempted({ subject: 'x (y)', milliseconds: 9_000, running: 6_000, ...more });
const asked = (component: string, more: Partial<ComponentSeen> = {}): ComponentSeen => ({
  component,
  times: 2,
  first: 1_000,
  last: 1_500,
  isWell: true,
  ...more,
});
const ALL = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((name) => asked(name));
const [SERVER, CONTROLLERS] = ALL as [ComponentSeen, ComponentSeen];

describe('what runs on a control plane that has joined', () => {
  const told = (more: Partial<Attempt>): readonly string[] =>
    judged(componentsWell, [attempt(more)], undefined).map((one) => `${one.result} ${sentenceOf(one)}`);
  const demanded =
    'x (y): API server, controller manager and scheduler of the machine are asked how they are until they are well';

  it('has said that it is well', () => {
    assert.deepEqual(told({ components: ALL }), [`met ${demanded}; seen: they are`]);
    const sick = asked('kube-scheduler', { isWell: false, times: 1 });
    assert.deepEqual(told({ components: [SERVER, CONTROLLERS, sick] }), [
      `unmet ${demanded}; seen: kube-scheduler is not well when it is asked the last of 1 times`,
    ]);
    assert.deepEqual(told({ components: [CONTROLLERS] }), [
      `unmet ${demanded}; seen: kube-apiserver is not asked, kube-scheduler is not asked`,
    ]);
  });

  it('is not judged where nothing runs, or of who has other ways, or had no time', () => {
    assert.deepEqual(told({}), []);
    assert.deepEqual(told({ components: [], speaksKubeadm: false }), []);
    assert.match(told({ components: [], isStarved: true })[0] ?? '', /^unclear /);
  });
});

describe('what never becomes well', () => {
  const sick = (seconds: number): readonly ComponentSeen[] => [
    ...ALL.slice(0, 2),
    asked('kube-scheduler', { isWell: false, last: 1_000 + seconds * 1000 }),
  ];
  const told = (more: Partial<Attempt>): readonly string[] =>
    judged(componentsWaitedFor, [attempt({ exit: 1, ...more })], undefined).map(
      (one) => `${one.result} ${sentenceOf(one)}`,
    );
  const demanded = 'x (y): the client asks again until its time is over, and ends with an error';
  const ends = (exit: number): string => `seen: it ends with ${exit} after 9 s`;

  it('is waited for as long as was told', () => {
    for (const seconds of [4, 6, 11])
      assert.deepEqual(told({ components: sick(seconds) }), [
        `met ${demanded}; ${ends(1)}, and has asked for ${seconds} s`,
      ]);
    for (const seconds of [3, 12])
      assert.deepEqual(told({ components: sick(seconds) }), [
        `unmet ${demanded}; ${ends(1)}, and has asked for ${seconds} s`,
      ]);
  });

  it('ends the join', () => {
    assert.deepEqual(told({ exit: 0, components: sick(6) }), [`unmet ${demanded}; ${ends(0)}`]);
    assert.deepEqual(told({ exit: 0, components: sick(6), isStarved: true }), [`unmet ${demanded}; ${ends(0)}`]);
    assert.deepEqual(told({ components: ALL }), [
      `unmet ${demanded}; ${ends(1)}, and has asked nobody who is not well`,
    ]);
  });

  it('is not judged where nothing runs, or where nobody knows the time', () => {
    assert.deepEqual(told({}), []);
    assert.deepEqual(told({ components: ALL, speaksKubeadm: false }), []);
    const { running: _, ...timeless } = attempt({ exit: 1, components: sick(0) });
    assert.deepEqual(judged(componentsWaitedFor, [timeless], undefined), []);
  });

  it('is unclear where the machine was too busy', () => {
    assert.match(told({ components: sick(1), isStarved: true })[0] ?? '', /^unclear /);
  });
});
