/** The kubelet of a machine that joins: whom it asks once it is a node, where its key lies, and what is there when. */
import { CURRENT_PAIR } from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import {
  BOOTSTRAP,
  besideKubeconfig,
  CA,
  each,
  fileOf,
  indexOf,
  KUBELET,
  keyOf,
  kubeconfigOf,
  leftAt,
  type Machines,
  OWN_WAYS,
  ofKubeadm,
  onDone,
} from './joined-files.js';
import type { Done, FileSeen, Held, Machine } from './joined-files-reader.js';

const plain = (server: string): string => server.toLowerCase().replace(/\/$/, '');

/** Of the cluster, or of a control plane the one beside it. */
export const kubeletAsksTheCluster: Check<Machines> = {
  id: 'joined-kubelet/asks-the-cluster',
  source: 'pkg/kubelet/certificate/bootstrap/bootstrap.go writeKubeconfigFromBootstrapping; 002, TLS bootstrap',
  judge: each((machine) => {
    const config = kubeconfigOf(leftAt(machine, KUBELET));
    const servers = [machine.server, machine.ownServer].filter((server) => server !== '').map(plain);
    return demand({
      subject: machine.subject,
      demanded: 'the server of kubelet.conf is the validated one, or of a control plane its own',
      seen: config === undefined ? 'there is none' : config.server || 'no server',
      ok: config !== undefined && servers.includes(plain(config.server)),
    });
  }),
};

/** What decides whom it shows its certificate: a proxy, a name that is verified instead, another user. */
export const kubeletSaysNothingBesides: Check<Machines> = {
  id: 'joined-kubelet/says-nothing-besides',
  source: 'pkg/kubelet/certificate/bootstrap/bootstrap.go writeKubeconfigFromBootstrapping',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const config = kubeconfigOf(leftAt(machine, KUBELET));
      const besides = config?.besides.filter((one) => one !== 'certificate-authority') ?? [];
      return demand({
        subject: machine.subject,
        demanded: 'kubelet.conf says a server, its CA and one credential, and nothing else',
        seen: config === undefined ? 'there is none' : besides.join(', ') || 'so it does',
        ok: config !== undefined && besides.length === 0,
      });
    }),
  ),
};

/** A kubelet that serves makes a key for that as well. */
const SERVES = /^\/var\/lib\/kubelet\/pki\/kubelet(?:-server[^/]*)?\.(?:key|crt|pem)$/;
/** As kubelets keep them: with the date when they were issued, and by a link to the last one. */
const DATED = /\/kubelet-client-(?:current|\d{4}(?:-\d\d){5})\.pem$/;

/** Where the pair is that kubelet.conf names; '' where there is none. */
const pairNamedBy = (config: ReturnType<typeof kubeconfigOf>): string =>
  config === undefined ? '' : besideKubeconfig(fileOf(config.certificate));

/** Where kubelets keep certificates and keys, and nothing else. */
const OF_KUBELETS = '/var/lib/kubelet/pki/';

/** Of a control plane, in its folder of certificates and in its kubeconfigs. */
const OF_CONTROL_PLANES =
  /^\/etc\/kubernetes\/(?:pki\/(?:ca|sa|front-proxy-ca|front-proxy-client|apiserver|apiserver-kubelet-client|apiserver-etcd-client|etcd\/(?:ca|server|peer|healthcheck-client))\.key|(?:admin|controller-manager|scheduler)\.conf)$/;

/** Files that hold a key, and are none of those that a machine has. */
function strayIn({ left, isWorker }: Machine, config: ReturnType<typeof kubeconfigOf>): readonly string[] {
  const named = (config === undefined ? [] : [config.certificate, config.key])
    .map(fileOf)
    .filter((file) => file !== '')
    .map(besideKubeconfig);
  const isKnown = ({ path }: FileSeen): boolean =>
    path === KUBELET ||
    named.includes(path) ||
    SERVES.test(path) ||
    DATED.test(path) ||
    (!isWorker && OF_CONTROL_PLANES.test(path));
  // A key need not be one that can be read: what lies beside those of kubelets is one in another form.
  const isOne = ({ path, held }: FileSeen): boolean => keyOf(held) !== '' || path.startsWith(OF_KUBELETS);
  return left.filter((file) => isOne(file) && !isKnown(file)).map(({ path }) => path);
}

export const keysKept: Check<Machines> = {
  id: 'joined-kubelet/keys-kept',
  source: 'client-go, util/certificate/certificate_store.go; pkg/kubelet/certificate/bootstrap/bootstrap.go',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      const stray = strayIn(machine, kubeconfigOf(leftAt(machine, KUBELET)));
      return refusal({
        subject: machine.subject,
        demanded: machine.isWorker
          ? 'the machine has no key but that of its kubelet, and has that where kubelet.conf names it'
          : 'the machine has no key but those of its kubelet and of a control plane, and has them where they belong',
        seen: stray.slice(0, 5).join(', ') || 'so it has',
        ok: stray.length === 0,
      });
    }),
  ),
};

/** By it the kubelet knows its clients. */
export const caBeforeKubelet: Check<Machines> = {
  id: 'joined-kubelet/ca-first',
  source: 'cmd/kubeadm/app/cmd/phases/join/kubelet.go runKubeletStartJoinPhase',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each(
      onDone('ca.crt is written before the kubelet is started', (done, machine) => {
        const started = indexOf(machine, (one) => one.what === 'ran' && /^(?:re)?start /.test(one.path));
        const isThen = (one: Done): boolean => (one.what === 'wrote' ? one.file.path : one.path) === CA;
        const last = done.slice(0, started < 0 ? undefined : started).findLast(isThen);
        const isLater = done.some((one) => one.what === 'wrote' && one.file.path === CA);
        const ok = last?.what === 'wrote';
        return { seen: ok ? 'it is' : isLater ? 'it is not there then' : 'it is not written', ok };
      }),
    ),
  ),
};

/** A kubelet that is started again before its certificate is there bootstraps again. */
export const bootstrapStays: Check<Machines> = {
  id: 'joined-kubelet/bootstrap-stays',
  source: 'cmd/kubeadm/app/cmd/phases/join/kubelet.go runKubeletWaitBootstrapPhase; cmd/kubelet/app/server.go',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each(
      onDone('the bootstrap kubeconfig stays until there is a certificate', (done, { requested }) => {
        const gone = done.findLast((one) => one.what === 'removed' && one.path === BOOTSTRAP);
        const pair = done.find((one) => one.what === 'wrote' && DATED.test(one.file.path));
        const since = Math.max(requested, (pair?.after ?? 0) - 1);
        const isEarly = gone !== undefined && (requested < 0 || gone.after <= since);
        const seen = gone === undefined ? 'it stays' : isEarly ? 'it is removed before that' : 'it does';
        return { seen, ok: gone !== undefined && !isEarly };
      }),
    ),
  ),
};

/** Whatever becomes of it later. */
export const noneBelievesAll: Check<Machines> = {
  id: 'joined-kubelet/none-believes-all',
  source: 'cmd/kubeadm/app/util/kubeconfig/kubeconfig.go CreateBasic; 001, ignoring TLS errors',
  judge: (machines) =>
    machines.map((machine) => {
      const { subject, done, left } = machine;
      const demanded = 'no kubeconfig is written that believes whatever certificate is shown';
      const written = (done ?? []).flatMap((one) => (one.what === 'wrote' ? [one.file] : []));
      const blind = [...written, ...left].filter(({ held }) => held.kind === 'kubeconfig' && held.isBlind === true);
      const paths = [...new Set(blind.map(({ path }) => path))];
      return refusal({ subject, demanded, seen: paths.slice(0, 5).join(', ') || 'none is', ok: paths.length === 0 });
    }),
};

const FOLDERS = /^\/(?:etc\/kubernetes|var\/lib\/(?:kubelet|etcd))\//;

export const nothingElsewhere: Check<Machines> = {
  id: 'joined-kubelet/nothing-elsewhere',
  source: 'cmd/kubeadm/app/constants/constants.go; cmd/kubeadm/app/cmd/phases/reset/cleanupnode.go',
  nothing: OWN_WAYS,
  judge: ofKubeadm(
    each((machine) => {
      // What holds no secret may lie anywhere for a moment.
      const secret = (machine.done ?? []).flatMap((one) =>
        one.what === 'wrote' && (one.file.token === true || keyOf(one.file.held) !== '') ? [one.file] : [],
      );
      const elsewhere = [...machine.left, ...secret].map(({ path }) => path).filter((path) => !FOLDERS.test(path));
      return refusal({
        subject: machine.subject,
        demanded: 'what the join leaves, and whatever holds a secret, lies in the folders of Kubernetes',
        seen: [...new Set(elsewhere)].slice(0, 5).join(', ') || 'so it does',
        ok: elsewhere.length === 0,
      });
    }),
  ),
};

/** One that is written over is half of one for a moment. */
export const pairsApart: Check<Machines> = {
  id: 'joined-kubelet/pairs-apart',
  source: 'client-go, util/certificate/certificate_store.go Update',
  judge: each(
    onDone('each pair is written to a file of its own, and the current one is never away', (done) => {
      const written = done.flatMap((one) => (one.what === 'wrote' && DATED.test(one.file.path) ? [one.file] : []));
      const dated = written.filter(({ path }) => !CURRENT_PAIR.test(path));
      const pairs = new Set(dated.map(({ digest }) => digest)).size;
      const paths = [...new Set(dated.map(({ path }) => path))];
      const files = paths.length;
      const certificatesAt = (path: string): readonly string[] =>
        dated.flatMap(({ path: at, held }) =>
          at === path && held.kind === 'key' && held.certificate !== '' ? held.certificate : [],
        );
      const over = paths.filter((path) => new Set(certificatesAt(path)).size > 1).length;
      const isAway = (one: Done): boolean =>
        one.what === 'removed' && CURRENT_PAIR.test(one.path) && one.isBrief !== true;
      const away = done.filter(isAway).length;
      const removed = away === 0 ? '' : `, and ${away} times the current one is removed`;
      const seen = `${pairs} pairs in ${files} files${over === 0 ? '' : `, ${over} of them written over`}${removed}`;
      return { seen, ok: pairs <= files && over === 0 && away === 0 };
    }),
  ),
};

/** Whatever it was given by then. */
export const pairsFit: Check<Machines> = {
  id: 'joined-kubelet/pairs-fit',
  source: 'client-go, util/certificate/certificate_store.go Update, tls.X509KeyPair',
  judge: each(
    onDone('whatever is written as a pair is a certificate and its key', (done, machine) => {
      const written = done.flatMap((one) => (one.what === 'wrote' && DATED.test(one.file.path) ? [one.file.held] : []));
      const isPair = (held: Held): boolean =>
        held.kind === 'key' && held.certificate !== '' && held.certificate === held.key;
      const odd = written.filter((held) => !isPair(held)).length;
      return {
        seen: `${odd} of ${written.length} are not`,
        ok: odd === 0 && (written.length > 0 || machine.ownWays === true),
      };
    }),
  ),
};

/** Who is shown the first alone cannot tell that the CA has issued it; the first is taken for that of the key. */
export const pairHoldsAll: Check<Machines, { readonly certificates: number }> = {
  id: 'joined-kubelet/pair-holds-all',
  source: 'client-go, util/certificate/certificate_store.go Update; RFC 8446, 4.4.2',
  judge: each((machine, { certificates }) => {
    const held = leftAt(machine, pairNamedBy(kubeconfigOf(leftAt(machine, KUBELET))))?.held;
    const count = held?.kind === 'key' && held.certificate !== '' ? 1 + (held.more ?? 0) : 0;
    const isFirst = held?.kind === 'key' && held.certificate === held.key;
    return demand({
      subject: machine.subject,
      demanded: `the file that kubelet.conf names holds all ${certificates} certificates that were issued, first that of its key`,
      seen:
        held === undefined
          ? 'there is no such file'
          : `it holds ${count}${isFirst ? '' : ', the first of another key'}`,
      ok: count === certificates && isFirst,
    });
  }),
};

/**
 * A kubelet that is started anew has nothing else. A name that is given to another file may be missed by whoever lists the
 * folder at that moment: what lies there again at the next look is known then, and nothing was asked meanwhile.
 */
export const pairStays: Check<Machines> = {
  id: 'joined-kubelet/pair-stays',
  source: 'client-go, util/certificate/certificate_store.go Update; certificate_manager.go rotateCerts',
  judge: each(
    onDone('the pair that kubelet.conf names stays until another one is there', (done, machine) => {
      const named = pairNamedBy(kubeconfigOf(leftAt(machine, KUBELET)));
      const keys = done.map((one) => (one.what === 'wrote' && keyOf(one.file.held) !== '' ? one.file.digest : ''));
      const isLong = done.some((one, index) => {
        if (one.what !== 'removed' || one.path !== named) return false;
        const next = keys.findIndex((digest, at) => at > index && digest !== '');
        const isKnown = keys.slice(0, index).includes(keys[next] ?? '');
        return next < 0 || one.isBrief === false || (!isKnown && (done[next]?.after ?? 0) > one.after);
      });
      const seen = named === '' ? 'there is none' : isLong ? 'it is taken away before' : 'it does';
      return { seen, ok: named !== '' && !isLong };
    }),
  ),
};

/** Whoever names a file of his own need not link to others. */
export const currentIsDated: Check<Machines> = {
  id: 'joined-kubelet/current-is-dated',
  source: 'client-go, util/certificate/certificate_store.go Update, updateSymlink',
  judge: each((machine) => {
    const { subject, left } = machine;
    const config = kubeconfigOf(leftAt(machine, KUBELET));
    const named = pairNamedBy(config);
    const current = left.find(({ path }) => path === named);
    const isDated = left.some(
      ({ path, digest }) => DATED.test(path) && !CURRENT_PAIR.test(path) && digest === current?.digest,
    );
    const isOwn = config !== undefined && !CURRENT_PAIR.test(named);
    const isCopy = current?.isCopy === true;
    return demand({
      subject,
      demanded: 'the current pair that kubelet.conf names is a link to a file with a date',
      seen:
        config === undefined
          ? 'there is none'
          : isOwn
            ? 'it names no current pair'
            : !isDated
              ? 'no file with a date holds it'
              : isCopy
                ? 'it is a copy of one'
                : 'it is',
      ok: isOwn ? machine.ownWays === true : isDated && !isCopy,
    });
  }),
};
