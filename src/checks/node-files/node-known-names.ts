/** Admission plugins and controllers that flags name: their program has them, and none is off that others rely on. */
import { ADMISSION_PLUGINS, CONTROLLERS, FORMER_NAME, PLUGIN_GONE } from '../../kubernetes/component-names.js';
import type { Check } from '../../model/check.js';
import type { Seen } from './node-files.js';
import { inFlags } from './node-flags.js';

const itemsOf = (value: string | undefined): readonly string[] =>
  value === undefined || value === '' ? [] : value.split(',');
const said = (odd: readonly string[], none: string): string => odd.slice(0, 5).join(', ').slice(0, 200) || none;

/** Plugins that guard what certificates say: without them a right on a resource is a right on every signer. */
export const GUARDS: readonly string[] = ['CertificateApproval', 'CertificateSigning', 'CertificateSubjectRestriction'];

/** Admission plugins of these lists that an API server of that minor has not; null: one of a minor that nobody knows. */
export const strangePlugins = (flags: Readonly<Record<string, string>>, minor: number | null): readonly string[] =>
  ['enable-admission-plugins', 'disable-admission-plugins']
    .flatMap((flag) => itemsOf(flags[flag]))
    .filter((name) => {
      const { [name]: gone } = PLUGIN_GONE;
      return !ADMISSION_PLUGINS.has(name) || (gone !== undefined && minor !== null && minor >= gone);
    });

/** Controllers that no controller manager has. */
export const strangeControllers = (controllers: string | undefined): readonly string[] =>
  itemsOf(controllers)
    .map((item) => item.replace(/^-/, ''))
    .filter((name) => name !== '*' && !CONTROLLERS.has(name));

/** The API server does not start with a plugin that it does not have, nor with one that is on and off. */
export const pluginsKnown: Check<readonly Seen[], { readonly minor: number | null }> = {
  id: 'node-known-names/plugins',
  source: 'apiserver pkg/server/options/admission.go Validate; pkg/kubeapiserver/options/plugins.go',
  judge: (all, { minor }) =>
    all.flatMap((seen) => [
      inFlags(seen, 'the API server has the admission plugins that it is told of', (flags) => {
        const odd = strangePlugins(flags, minor);
        return { seen: said(odd, 'it has'), ok: odd.length === 0 };
      }),
      inFlags(seen, 'what guards certificates is on', (flags) => {
        const off = itemsOf(flags['disable-admission-plugins']).filter((name) => GUARDS.includes(name));
        return { seen: off.length === 0 ? 'it is' : `off: ${said(off, '')}`, ok: off.length === 0 };
      }),
    ]),
};

/** The controller manager does not start with a controller that it does not have. */
export const controllersKnown: Check<readonly Seen[]> = {
  id: 'node-known-names/controllers',
  source: 'cmd/kube-controller-manager/names; controller-manager options/generic.go Validate',
  judge: (all) =>
    all.map((seen) =>
      inFlags(seen, 'the controller manager has the controllers that it is told of', ({ controllers }) => {
        const odd = strangeControllers(controllers);
        return { seen: said(odd, 'it has'), ok: odd.length === 0 };
      }),
    ),
};

const RELIED_ON = ['PodSecurity', 'Priority', 'ValidatingAdmissionWebhook', 'MutatingAdmissionWebhook'];
const RELIED_ON_TOO = ['ValidatingAdmissionPolicy', 'StorageObjectInUseProtection', 'ClusterTrustBundleAttest'];

/** What runs in a cluster relies on them, and says nothing where they are off. */
export const nothingOff: Check<readonly Seen[]> = {
  id: 'node-known-names/nothing-off',
  source: 'pkg/kubeapiserver/options/plugins.go DefaultOffAdmissionPlugins; cmd/kube-controller-manager/names',
  judge: (all) =>
    all.map((seen) =>
      inFlags(seen, 'nothing is off that a cluster relies on', (flags) => {
        const plugins = itemsOf(flags['disable-admission-plugins']);
        const controllers = itemsOf(flags.controllers).flatMap((item) =>
          item.startsWith('-') ? [FORMER_NAME[item.slice(1)] ?? item.slice(1)] : [],
        );
        const off = [
          ...plugins.filter((name) => RELIED_ON.includes(name) || RELIED_ON_TOO.includes(name)),
          ...controllers.filter((name) => Object.values(FORMER_NAME).includes(name)),
        ];
        return { seen: off.length === 0 ? 'nothing is' : `off: ${said(off, '')}`, ok: off.length === 0 };
      }),
    ),
};
