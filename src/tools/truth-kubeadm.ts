/**
 * What a real kubeadm writes to a disk, beside what `joinproof init` writes for the same configuration: names, modes,
 * texts byte by byte, certificates by all that is not random. kubeadm runs in a mount namespace of its own over empty
 * file systems; that needs root and unshare.
 */
import { execFile } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseCertificate } from '../pki/certificate.js';
import { describeKey, parsePrivateKey } from '../pki/keys.js';
import { certificatesOfPem } from '../pki/pem.js';
import { initMachine } from '../targets/machine/init.js';
import { documentsOf, VARIANTS, type Variant } from './kubeadm-variants.js';

const run = promisify(execFile);
const PHASES = ['certs all', 'kubeconfig all', 'etcd local', 'control-plane all', 'kubelet-start'];
const KEPT = ['/etc/kubernetes', '/var/lib/kubelet'];
const MINUTE = 60_000;

/** Path below the folder → what is compared of it. */
type Seen = ReadonlyMap<string, string>;

/** Certificates that a text holds, without what is random. Times count to the minute, from when they begin. */
function certificates(pem: string): string {
  return certificatesOfPem(pem)
    .map((der) => {
      const { commonName, organizations, altNames, keyUsage, extendedKeyUsage, basicConstraints, key, ...rest } =
        parseCertificate(der);
      const life = Math.round((rest.notAfter - rest.notBefore) / MINUTE);
      const extensions = rest.extensions.map(({ oid, critical }) => `${oid}${critical ? '!' : ''}`);
      return JSON.stringify({
        ...{ commonName, organizations, altNames, keyUsage, extendedKeyUsage, basicConstraints, key, life },
        ...{ extensions, issuer: rest.issuer.der.toString('hex'), signature: rest.signatureName },
      });
    })
    .join('\n');
}

/** A text with keys and certificates told instead of shown. */
function told(text: string): string {
  const key = parsePrivateKey(text);
  if (key !== undefined) return `${/^-----BEGIN [A-Z ]+-----/.exec(text)?.[0]} ${JSON.stringify(describeKey(key))}`;
  if (text.startsWith('-----BEGIN CERTIFICATE')) return certificates(text);
  if (text.startsWith('-----BEGIN PUBLIC')) return `a public key of ${text.length} characters`;
  return text.replace(/(?<=-data: )\S+/g, (encoded) => told(Buffer.from(encoded, 'base64').toString()));
}

function seenIn(root: string, below = ''): Seen {
  const seen = new Map<string, string>();
  for (const name of readdirSync(join(root, below)).sort()) {
    const path = `${below}/${name}`;
    const found = lstatSync(join(root, path));
    const mode = (found.mode & 0o7777).toString(8);
    if (!found.isDirectory()) seen.set(path, `${mode}\n${told(readFileSync(join(root, path), 'utf8'))}`);
    // The folders over which file systems are mounted are not kubeadm's.
    else if (!KEPT.some((kept) => kept.startsWith(path))) seen.set(path, mode);
    if (found.isDirectory()) for (const [at, text] of seenIn(root, path)) seen.set(at, text);
  }
  return seen;
}

/** Runs the phases of a real kubeadm. Returns what it says where it refuses the configuration. */
async function runKubeadm(binary: string, folder: string, config: string): Promise<string | undefined> {
  const script = [
    'set -e',
    ...KEPT.map((path) => `mkdir -p ${path}; mount -t tmpfs -o mode=755 none ${path}`),
    ...PHASES.map((phase) => `"$1" init phase ${phase} --config "$2"`),
    ...KEPT.map((path) => `mkdir -p "$3${path}"; cp -a ${path}/. "$3${path}"`),
  ].join('\n');
  try {
    await run('unshare', ['-m', 'sh', '-c', script, 'sh', binary, config, join(folder, 'real')], { timeout: 180_000 });
    return undefined;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    return said.split('\n').find((line) => /^(?:error|\S+: Invalid)/.test(line)) ?? said.slice(0, 300);
  }
}

/** Names of what differs; none where all is equal, or both refuse. */
async function differences(binary: string, release: string, variant: Variant): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'joinproof-kubeadm-'));
  try {
    const [config, real, ours] = ['kubeadm.yaml', 'real', 'ours'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(config, documentsOf(variant, release));
    mkdirSync(real);
    mkdirSync(ours);
    const refused = await runKubeadm(binary, folder, config);
    const why = await initMachine({ root: ours, configurationFile: config, phases: [], tell: () => {} });
    if (refused !== undefined || why !== undefined)
      return (refused === undefined) === (why === undefined)
        ? []
        : [`kubeadm ${refused ?? 'takes it'}; joinproof ${why ?? 'takes it'}`];
    const [first, second] = [seenIn(real), seenIn(ours)];
    const paths = [...new Set([...first.keys(), ...second.keys()])].sort();
    return paths.filter((path) => first.get(path) !== second.get(path)).map((path) => lineOf(path, first, second));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The first line that differs. */
function lineOf(path: string, first: Seen, second: Seen): string {
  const [real, ours] = [first, second].map((seen) => seen.get(path)?.split('\n') ?? ['nothing']);
  const at = (real ?? []).findIndex((line, index) => line !== ours?.[index]);
  return `${path}: kubeadm has ${real?.[at] ?? 'no more'}, joinproof ${ours?.[at] ?? 'no more'}`;
}

/** Compares every variant; tells each. Returns whether all are equal. */
export async function compareKubeadm(binary: string, tell: (line: string) => void): Promise<boolean> {
  const { stdout } = await run(binary, ['version', '-o', 'short']);
  const release = stdout.trim();
  let isSame = true;
  for (const variant of VARIANTS) {
    const found = await differences(binary, release, variant);
    isSame = isSame && found.length === 0;
    tell(`truth: kubeadm ${release}, ${variant.name}: ${found.length === 0 ? 'equal' : `${found.length} differ`}`);
    for (const line of found) tell(`  ${line}`);
  }
  return isSame;
}
