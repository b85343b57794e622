import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, describe, it } from 'node:test';
import { parse } from 'yaml';
import type { Target } from '../targets/types.js';
import { heldTo } from './detect.js';
import { readFeatures } from './features.js';
import { featuresFolder } from './package-root.js';
import { PROFILES } from './profile-names.js';
import { excused, givenProfile, holdToRules, isAdvice, packageProfile } from './profiles.js';
import { conforms } from './schemas.js';
import { UsageError } from './usage-error.js';

const folder = mkdtempSync(path.join(tmpdir(), 'joinproof-'));
after(() => rmSync(folder, { recursive: true }));

const fileOf = (text: string): string => {
  const file = path.join(folder, 'own.yaml');
  writeFileSync(file, text);
  return file;
};
const OWN = 'name: own\nabout: ours.\nsource: the handbook\n';

describe('profiles', () => {
  const ids = readFeatures(featuresFolder).rules.map(({ id }) => id);

  it('are the files of their folder, each valid, and name rules that there are', () => {
    const files = readdirSync(path.join(featuresFolder, 'profiles')).map((file) => file.replace(/\.yaml$/, ''));
    assert.deepEqual(files.sort(), [...PROFILES]);
    for (const name of PROFILES) {
      assert.deepEqual(
        conforms('profile', parse(readFileSync(path.join(featuresFolder, 'profiles', `${name}.yaml`), 'utf8'))),
        [],
      );
      const profile = packageProfile(name);
      assert.equal(profile.name, name);
      holdToRules(profile, ids);
    }
  });

  it('advise by default, and demand under strict', () => {
    const rule = { id: 'T-01', chapter: 'policy' };
    for (const name of PROFILES) assert.equal(isAdvice(packageProfile(name), rule), name !== 'strict');
    assert.equal(isAdvice(packageProfile('kubeadm'), { id: 'TOK-001', chapter: 'bootstrap-tokens' }), false);
  });

  it('never excuse tokens without an end, or weak ones', () => {
    for (const name of PROFILES)
      for (const rule of ['T-01', 'T-02']) assert.equal(excused(packageProfile(name), rule), undefined);
  });

  it('excuse the rules that they name, and none that is named alike', () => {
    for (const name of PROFILES) {
      const profile = packageProfile(name);
      const excuses = profile.excuses.flatMap(({ rules }) => rules);
      for (const rule of excuses) {
        assert.match(excused(profile, rule) ?? '', /^the profile \S+ excuses it: \S/, `${name}: ${rule}`);
        for (const other of [`${rule}0`, rule.slice(0, -1), rule.toLowerCase(), `X${rule}`])
          if (!excuses.includes(other)) assert.equal(excused(profile, other), undefined, `${name}: ${other}`);
      }
    }
  });

  it('take what they do not say from the one they extend, and parameters from the user', async () => {
    const given = await givenProfile(
      fileOf(`${OWN}extends: openshift\ndemands: [T-01]\nparameters: { tokenHours: 3 }\n`),
      { pendingMinutes: 5 },
    );
    assert.match(
      excused(given, 'AUTH-001') ?? '',
      /the profile own excuses it: it has no bootstrap tokens.*\(openshift/,
    );
    const { tokenHours, pendingMinutes, approvers } = given.parameters;
    assert.deepEqual([tokenHours, pendingMinutes, approvers.length], [3, 5, 1]);
    assert.deepEqual([isAdvice(given, { id: 'T-01', chapter: 'policy' }), given.controllersMustRun], [false, true]);
  });

  for (const [what, given, why] of [
    ['a name', 'kubeadmin', /There is no profile "kubeadmin"\. Did you mean "kubeadm"\?/],
    ['a file', './absent.yaml', /absent\.yaml cannot be read \(ENOENT\)/],
    ['what is no profile', () => fileOf('rules: []'), /own\.yaml is no profile: it has no about/],
    ['what is no YAML', () => fileOf('a: ['), /is no YAML/],
    ['another base', () => fileOf(`${OWN}extends: kops`), /extends "kops", which is none/],
    ['a range', () => fileOf(`${OWN}parameters: { tokenHours: 99999 }`), /parameters.tokenHours must be <= 8760/],
    ['an empty sign', () => fileOf(`${OWN}signs: [{ version: " " }]`), /signs\[0\].version must match pattern/],
  ] as const)
    it(`are refused in a sentence: ${what}`, async () => {
      await assert.rejects(givenProfile(typeof given === 'string' ? given : given()), (error: Error) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, why);
        return true;
      });
    });

  it('are refused where they name no rule', async () => {
    const profile = await givenProfile(fileOf(`${OWN}demands: [T-99]`));
    assert.throws(() => holdToRules(profile, ids), /The profile "own" names the rule "T-99", which is none/);
  });
});

describe('the profile that a target shows', () => {
  interface Shown {
    readonly gitVersion?: string;
    readonly kubeadm?: boolean;
    readonly image?: string;
    readonly kubelet?: string;
    readonly annotation?: string;
  }
  const dumpOf = ({
    gitVersion = 'v1.36.1',
    kubeadm = false,
    image = 'Debian',
    kubelet = 'v1.36.1',
    annotation,
  }: Shown) =>
    ({
      kind: 'cluster',
      name: 'a cluster',
      facts: {
        server: '',
        version: { gitVersion, minor: 36 },
        holds: new Set(kubeadm ? ['kubeadm'] : []),
        signs: kubeadm ? ['ConfigMap kube-system/kubeadm-config'] : [],
        now: () => 0,
      },
      abilities: {
        objects: {
          get: async () => undefined,
          list: async () => [
            {
              metadata: { name: 'a', annotations: annotation === undefined ? {} : { [annotation]: 'x' } },
              status: { nodeInfo: { osImage: image, kubeletVersion: kubelet } },
            },
          ],
        },
      },
      why: () => 'nothing shows kubeadm',
      close: async () => {},
    }) as unknown as Target;
  for (const [what, shown, name, chosen, sign] of [
    ['kubeadm', { kubeadm: true }, 'kubeadm', 'default', /kubeadm-config/],
    ['nothing', {}, 'plain', 'detected', /nothing shows kubeadm/],
    ['k3s', { gitVersion: 'v1.33.1+k3s1' }, 'k3s', 'detected', /version is v1.33.1\+k3s1/],
    ['RKE2', { gitVersion: 'v1.33.1+rke2r1' }, 'rke2', 'detected', /rke2r1/],
    ['k0s', { gitVersion: 'v1.33.1+k0s' }, 'k0s', 'detected', /k0s/],
    ['EKS', { gitVersion: 'v1.33.1-eks-7f9249a' }, 'eks', 'detected', /-eks-/],
    ['k3s by a kubelet', { kubelet: 'v1.33.1+k3s1' }, 'k3s', 'detected', /a kubelet is of v1.33.1\+k3s1/],
    ['GKE', { gitVersion: 'v1.33.1-gke.1744000' }, 'gke', 'detected', /-gke\./],
    ['Talos', { image: 'Talos (v1.10.1)' }, 'talos', 'detected', /a Node runs Talos/],
    ['Cluster API', { kubeadm: true, annotation: 'cluster.x-k8s.io/machine' }, 'cluster-api', 'detected', /x-k8s/],
    [
      'OpenShift',
      { annotation: 'machineconfiguration.openshift.io/currentConfig' },
      'openshift',
      'detected',
      /carries the annotation machineconfiguration/,
    ],
    ['two at once', { gitVersion: 'v1.33.1+k3s1', image: 'Talos (v1)', kubeadm: true }, 'kubeadm', 'default', /config/],
  ] as const)
    it(`is told with its signs: ${what}`, async () => {
      const held = await heldTo(dumpOf(shown), undefined);
      assert.deepEqual([held.profile.name, held.chosen], [name, chosen]);
      assert.match(held.signs.join(), sign);
    });

  it('is asked of some Nodes of a server, and of no server what only others show', async () => {
    const node = { status: { nodeInfo: { osImage: 'Talos (v1.10.1)' } } };
    const serverOf = (answers: (path: string, limit: unknown) => object): Target => {
      const known = dumpOf({});
      const ask = async ({ path, query }: { readonly path: string; readonly query?: { readonly limit?: string } }) => ({
        status: 200,
        body: answers(path, query?.limit),
      });
      const requests = { as: ({ kind }: { readonly kind: string }) => (kind === 'admin' ? { ask } : undefined) };
      return { ...known, abilities: { ...known.abilities, requests } } as unknown as Target;
    };
    const asked: unknown[] = [];
    const seen = await heldTo(
      serverOf((path, limit) => {
        asked.push(`${path}?limit=${limit}`);
        return { items: path === '/api/v1/nodes' ? [{}, node] : [] };
      }),
      undefined,
    );
    assert.deepEqual(
      [seen.profile.name, seen.signs, asked],
      ['talos', ['a Node runs Talos (v1.10.1)'], ['/api/v1/nodes?limit=5']],
    );
    const failing = serverOf(() => {
      throw new Error('it does not answer');
    });
    assert.equal((await heldTo(failing, undefined)).chosen, 'detected');
  });

  it('is that of clusters without kubeadm only where its objects could show kubeadm', async () => {
    const { abilities, ...known } = dumpOf({});
    const of = (more: object) =>
      heldTo({ ...known, kind: 'cluster', abilities: { ...abilities, ...more } } as unknown as Target, undefined);
    const seen = await of({});
    const unseen = await of({ objects: undefined });
    assert.deepEqual([seen.profile.name, seen.chosen], ['plain', 'detected']);
    assert.deepEqual([unseen.profile.name, unseen.chosen], ['kubeadm', 'default']);
  });

  it('is the given one, whatever it shows', async () => {
    const held = await heldTo(dumpOf({ gitVersion: 'v1.33.1+k3s1' }), packageProfile('strict'));
    assert.deepEqual([held.profile.name, held.chosen, held.signs], ['strict', 'given', []]);
  });
});
