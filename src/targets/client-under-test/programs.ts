/**
 * A joining client that is a program: before servers on loopback, in real time, several at a time, each below a folder
 * of its own.
 */
import { setMaxListeners } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { mayHoldKey } from '../../kubernetes/encoded-keys.js';
import { secretReader } from '../../kubernetes/secret-forms.js';
import { isStarved } from '../../kubernetes/starved.js';
import type { ClientRun, Deed, LeftFile, Transcript } from '../../kubernetes/transcript.js';
import { type Approach, approachOf, truthOf } from '../../liars/approach.js';
import { bundleOf } from '../../liars/cast.js';
import { startsPods } from '../../liars/components.js';
import { Liar } from '../../liars/liar.js';
import { believable, type Lie } from '../../liars/lie.js';
import { lies } from '../../liars/lies/index.js';
import { Turns } from '../turns.js';
import { argumentsOf, type ClientDescription, canonical, environmentOf, placeOf, type Told } from './description.js';
import type { Ground, Place } from './ground.js';
import { joinConfiguration, NODE, waitsOf } from './join-configuration.js';
import type { Ended } from './program.js';
import { Services } from './services.js';
import { WatchedFolder } from './watched-folder.js';
import { lackOf, tellsTimeout, wayOf } from './ways.js';

/** Milliseconds between two looks at the files. */
const LOOK_MS = 20;
/** A program that has not asked anything by then begins no more: others may. */
const BEGUN_MS = 3_000;
/** So many are before a server for a second time: where more have had no time, they will have none then. */
const MOST_AGAIN = 20;

/** Honest servers, by how a client is told of them. */
const HONEST = ['ok-pin', 'ok-unsafe', 'file-ok', 'https-ok', 'cp-download-certs'] as const;

/** Servers that a client joins which hashes something else than the key of the CA, and so no honest one with a pin. */
const PINNED_OTHERWISE = ['pin-bits', 'pin-fingerprint', 'pin-pem', 'pin-base64', 'pin-leaf'] as const;

/** How this machine calls itself, and every program's. */
const NAMED = { hostName: hostname().toLowerCase(), name: NODE };

const byName = new Map(lies.map((lie) => [lie.name, lie]));

export interface ProgramsOptions {
  readonly description: ClientDescription;
  readonly ground: Ground;
  /** So many at a time, and so many of them that begin. */
  readonly atOnce: number;
  readonly beginning: number;
  readonly signal: AbortSignal;
}

export class Programs {
  readonly #options: ProgramsOptions;
  readonly #turns: Turns;
  readonly #beginning: Turns;
  readonly #again = new Turns(1);
  readonly #joins = new Map<string, Promise<ClientRun>>();
  #count = 0;
  #repeated = 0;
  #startsWithin = 0;

  constructor(options: ProgramsOptions) {
    this.#options = options;
    setMaxListeners(0, options.signal);
    this.#turns = new Turns(options.atOnce);
    this.#beginning = new Turns(options.beginning);
  }

  /** Why it cannot be before this server; undefined: it can. */
  lacks(server: string): string | undefined {
    const lie = byName.get(server);
    return lie === undefined ? undefined : lackOf(lie, this.#approachTo(lie), this.#options.description);
  }

  /** The honest server that it is told of as it is told of this one, or of any that it can be told of. */
  honest(server: string): string | undefined {
    const known = HONEST.filter((name) => this.lacks(name) === undefined);
    const wanted = this.#wayTo(server);
    return known.find((name) => this.#wayTo(name) === wanted) ?? known[0];
  }

  /** Servers that it can be before and that show a client which is wrong in some way for one, the honest ones first. */
  get telling(): readonly string[] {
    return [...HONEST, ...PINNED_OTHERWISE].filter((name) => this.lacks(name) === undefined);
  }

  /** By what it is told, whatever its description has for that; undefined: there is no such server. */
  #wayTo(server: string): string | undefined {
    const lie = byName.get(server);
    return lie === undefined ? undefined : wayOf(lie, this.#approachTo(lie), {});
  }

  /** Of a server that is nowhere: to see what there would be to tell. */
  #approachTo(lie: Lie): Approach {
    return approachOf(new Liar(lie, { endpoint: '127.0.0.1:1', now: () => Date.now() }));
  }

  /** Lets it join the server of this name, once; undefined: there is none. */
  async join(server: string): Promise<ClientRun | undefined> {
    const lie = byName.get(server);
    if (lie === undefined) return undefined;
    const known = this.#joins.get(server);
    if (known !== undefined) return known;
    const joining = this.#inPeace(lie);
    this.#joins.set(server, joining);
    return joining;
  }

  /** Once more, when no other join goes on, where it may have failed because the machine left it no time. */
  async #inPeace(lie: Lie): Promise<ClientRun> {
    const first = await this.#turns.enter(() => this.#join(lie));
    const isAsExpected = first.transcript.exit !== undefined && lie.right !== 'joins';
    if (isAsExpected || !isStarved(first.transcript) || this.#repeated >= MOST_AGAIN) return first;
    this.#repeated += 1;
    return this.#again.enter(async () => {
      await this.#turns.quiet();
      return this.#join(lie);
    });
  }

  async #join(lie: Lie): Promise<ClientRun> {
    const { description, ground, signal } = this.#options;
    signal.throwIfAborted();
    await this.#beginning.take();
    const begun = once(() => this.#beginning.leave());
    const over = setTimeout(begun, BEGUN_MS);
    this.#count += 1;
    try {
      const place = await ground.open(String(this.#count), lie);
      try {
        const ran = await new Run(lie, description, place).play(signal, begun);
        const { exit, files } = ran.transcript;
        const kept = exit === 0 ? await place.keep?.(signal) : {};
        const [first] = ran.transcript.entries;
        if (HONEST.some((name) => name === lie.name) && first !== undefined)
          this.#startsWithin = Math.max(this.#startsWithin, first.at);
        const transcript = { ...ran.transcript, files: { ...files, ...kept }, startsWithin: this.#startsWithin };
        return { ...ran, transcript };
      } finally {
        await place.close();
      }
    } finally {
      clearTimeout(over);
      begun();
    }
  }
}

/** Does it the first time only. */
function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (!done) action();
    done = true;
  };
}

/** Before a command: no file that it writes is larger than 512 bytes, which is what POSIX counts in. */
const WITHIN = ['/bin/sh', '-c', 'ulimit -f 1; exec "$@"', 'sh'] as const;

/** What joinproof itself has on a machine that it makes; and where kubeadm and its kubelet have their files. */
const OURS = /^(work|services|joinproof)\//;
/** Folders of a machine that joinproof leaves to who joins. */
const OF_A_MACHINE = /^\/(etc|var|opt|srv|home)\//;
const KUBERNETES = /^\/(etc\/kubernetes|var\/lib\/kubelet)\//;

/** One program before one server. */
class Run {
  readonly #lie: Lie;
  readonly #description: ClientDescription;
  readonly #place: Place;
  readonly #approach: Approach;
  readonly #services: Services;
  readonly #watched: WatchedFolder;
  #beside: WatchedFolder | undefined;
  #isFull = false;

  constructor(lie: Lie, description: ClientDescription, place: Place) {
    this.#lie = lie;
    this.#description = description;
    this.#place = place;
    const { liar, root, work, services } = place;
    this.#approach = approachOf(liar);
    for (const [name, text] of Object.entries(this.#approach.files)) {
      const file = path.join(work, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const { closed, closedFolder } = lie.told ?? {};
    for (const [name, text] of Object.entries(this.#approach.present))
      this.#put(name, (file) => writeFileSync(file, text));
    if (closed !== undefined)
      this.#put(closed, (file) => (place.isMachine ? symlinkSync('/nowhere/at/all', file) : mkdirSync(file)));
    if (closedFolder !== undefined) this.#put(closedFolder, (folder) => symlinkSync('/nowhere/at/all', folder));
    this.#services = new Services(services);
    this.#watched = new WatchedFolder({
      root,
      nameOf: (name) => this.#nameOf(name),
      plain: (text) => this.#plain(text),
      seen: () => liar.journal.length,
    });
  }

  /** Its HOME and TMPDIR: outside its root, and of them only what holds a secret is looked at. */
  #besides(): WatchedFolder {
    const { liar, work } = this.#place;
    return new WatchedFolder({
      root: work,
      nameOf: (name) => `(HOME)/${name}`,
      plain: (text) => text,
      seen: () => liar.journal.length,
    });
  }

  /** Something that is on the disk before. */
  #put(name: string, make: (file: string) => void): void {
    const file = path.join(this.#place.root, placeOf(name, this.#description.files) ?? '');
    mkdirSync(path.dirname(file), { recursive: true });
    make(file);
  }

  #nameOf(place: string): string | undefined {
    if (this.#place.isMachine && OURS.test(place)) return undefined;
    return canonical(place, this.#description.files);
  }

  /** Paths as the machine has them whose "/" is the root. */
  #plain(text: string): string {
    return text
      .split(`${this.#place.root}/`)
      .map((part, index) => {
        if (index === 0) return part;
        const end = part.search(/[\s"',]|$/);
        return canonical(part.slice(0, end), this.#description.files) + part.slice(end);
      })
      .join('');
  }

  async play(signal: AbortSignal, begun: () => void): Promise<ClientRun> {
    const { liar } = this.#place;
    const truth = truthOf(liar, this.#approach);
    let [lag, late, looked] = [0, 0, performance.now()];
    const looking = setInterval(() => {
      const now = performance.now();
      const waited = Math.max(0, now - looked - LOOK_MS);
      lag = Math.max(lag, waited);
      late += waited;
      looked = now;
      this.#look();
    }, LOOK_MS);
    this.#place.before(() => {
      begun();
      this.#look();
    });
    let ended: Ended;
    try {
      ended = await this.#run(signal);
    } finally {
      clearInterval(looking);
    }
    this.#look();
    const { tlsBootstrap } = this.#place.configuration;
    const waits = this.#way === 'configuration' ? waitsOf({ ...this.#approach, byFlags: false }, tlsBootstrap) : {};
    const timeout = this.#tells ? this.#approach.discoveryTimeout : this.#description.discoveryTimeout;
    return {
      lie: this.#lie.name,
      server: this.#lie.server,
      ...believable(this.#lie),
      truth: { ...truth, ...waits, discoveryTimeout: timeout, registration: { ...NAMED, ...truth.registration } },
      speaksKubeadm: this.#description.speaks === 'kubeadm',
      transcript: {
        ...ended,
        lag,
        late,
        ...(this.#isFull ? { exit: undefined } : {}),
        entries: [...liar.journal],
        ...(this.#lie.etcd === undefined ? {} : { etcd: [...liar.etcd.calls] }),
        ...(!startsPods(this.#lie) ? {} : { components: [...liar.components.calls] }),
        ...this.#files(),
      },
    };
  }

  #look(): void {
    if (this.#isFull) return;
    const ran = this.#services.fresh;
    this.#watched.look();
    this.#beside?.look();
    if (this.#watched.isFull) {
      this.#isFull = true;
      this.#place.end();
    }
    // What it was told by its environment it gives on.
    const told = Object.keys(this.#description.environment).length > 0;
    const given = ran.length === 0 || told ? {} : { environment: this.#services.takeEnvironment() };
    for (const command of ran) {
      this.#watched.deeds.push({ kind: 'ran', command, ...given, after: this.#place.liar.journal.length });
      this.#place.ran?.(command);
    }
    this.#services.seen(ran);
  }

  /** What it was told, and is to keep to itself. */
  get #secrets(): readonly string[] {
    const { bootstrapToken } = truthOf(this.#place.liar, this.#approach);
    return [bootstrapToken, this.#approach.controlPlane?.certificateKey ?? ''];
  }

  get #way(): ReturnType<typeof wayOf> {
    return wayOf(this.#lie, this.#approach, this.#description.ways);
  }

  get #tells(): boolean {
    return this.#way === 'configuration' || tellsTimeout(this.#description.ways[this.#way] ?? []);
  }

  async #run(signal: AbortSignal): Promise<Ended> {
    const { ways, environment, timeLimit } = this.#description;
    const { work, inside, standIns } = this.#place;
    const told = this.#told();
    // What joinproof itself has put there is none of the client's.
    this.#beside = this.#besides();
    const { services, hostTrusts, largestFile, isVerbose, kubeletGoesOn = 0 } = this.#lie.told ?? {};
    const command = [...argumentsOf(ways[this.#way] ?? [], told), ...(isVerbose === true ? ['-v=5'] : [])];
    return this.#place.run({
      command: largestFile === undefined ? command : [...WITHIN, ...command],
      environment: {
        PATH: [...(services === 'none' ? [] : [standIns]), this.#place.path].join(path.delimiter),
        HOME: inside(work),
        TMPDIR: inside(work),
        ...Services.environment(inside(this.#place.services), services),
        ...(hostTrusts === undefined ? {} : this.#bundle(hostTrusts)),
        ...environmentOf(environment, told),
      },
      secrets: this.#secrets,
      limit: Math.min(timeLimit, this.#lie.limit ?? timeLimit) + kubeletGoesOn,
      signal,
    });
  }

  /** What OpenSSL, Go, curl, Python and Node take for the CA bundle of the host. */
  #bundle(authorities: Parameters<typeof bundleOf>[1]): NodeJS.ProcessEnv {
    const { work, inside, liar } = this.#place;
    const file = path.join(work, 'host-ca.crt');
    writeFileSync(file, bundleOf(liar.scene.cast, authorities));
    const at = inside(file);
    return { SSL_CERT_FILE: at, CURL_CA_BUNDLE: at, REQUESTS_CA_BUNDLE: at, NODE_EXTRA_CA_CERTS: at };
  }

  #told(): Told {
    const { root, work, inside, liar } = this.#place;
    const { discovery, discoveryTimeout, controlPlane } = this.#approach;
    const { bootstrapToken, file, tlsBootstrapToken } = discovery;
    const { kubeletGoesOn } = this.#lie.told ?? {};
    const configuration = path.join(work, 'join.yaml');
    const written = joinConfiguration(this.#approach, this.#place.configuration);
    // JSON is YAML.
    writeFileSync(configuration, JSON.stringify(written, undefined, 2), { mode: 0o600 });
    const kubeConfigPath = file?.kubeConfigPath ?? '';
    const isUrl = /^https?:/.test(kubeConfigPath);
    const some = (value: string | undefined): readonly string[] => (value === undefined ? [] : [value]);
    return {
      endpoint: [bootstrapToken?.apiServerEndpoint ?? (this.#way === 'none' ? '' : liar.scene.endpoint)],
      token: some(bootstrapToken?.token ?? tlsBootstrapToken),
      'tls-token': some(tlsBootstrapToken),
      'other-tls-token': tlsBootstrapToken === bootstrapToken?.token ? [] : some(tlsBootstrapToken),
      'ca-hash': bootstrapToken?.caCertHashes ?? [],
      'discovery-file': kubeConfigPath === '' || isUrl ? [] : [path.join(inside(work), kubeConfigPath)],
      'discovery-url': isUrl ? [kubeConfigPath] : [],
      'certificate-key': some(controlPlane?.certificateKey),
      'advertise-address': some(controlPlane?.localAPIEndpoint.advertiseAddress),
      'node-name': [this.#approach.registration.name ?? NODE],
      configuration: [inside(configuration)],
      timeout: [String(discoveryTimeout / 1000)],
      stays: some(kubeletGoesOn === undefined ? undefined : String(kubeletGoesOn / 1000)),
      root: [inside(root)],
    };
  }

  /** What tells something: files that have a place, and whatever holds a secret, a certificate or a kubeconfig. */
  #files(): Pick<Transcript, 'deeds' | 'files' | 'folders' | 'beside' | 'passing'> {
    const { files } = this.#description;
    const isSecret = secretReader(this.#secrets);
    const isPlace = (name: string): boolean =>
      (this.#place.isMachine && KUBERNETES.test(name)) || placeOf(name, files) !== undefined;
    const tells = (name: string, { text }: LeftFile): boolean =>
      isPlace(name) || /-----BEGIN |kind: *"?(?:Config|Pod)\b/.test(text) || isSecret(text) || mayHoldKey(text);
    this.#beside?.look();
    const holds = ({ text }: LeftFile): boolean => isSecret(text) || mayHoldKey(text);
    const kept = this.#beside?.left ?? {};
    const beside = Object.entries(kept).filter(([, file]) => holds(file));
    const passing = (this.#beside?.deeds ?? []).flatMap((deed): readonly [string, LeftFile][] => {
      if (deed.kind !== 'wrote' || deed.path in kept || (deed.mode & 0o077) === 0 || !holds(deed)) return [];
      return [[deed.path, { mode: deed.mode, text: deed.text }]];
    });
    const { left, deeds } = this.#watched;
    const telling = new Set(
      deeds.flatMap((deed) => (deed.kind === 'wrote' && tells(deed.path, deed) ? [deed.path] : [])),
    );
    const isOf = (deed: Deed): boolean =>
      deed.kind === 'ran' || telling.has(deed.path) || (deed.kind === 'removed' && isPlace(deed.path));
    return {
      deeds: deeds.filter(isOf),
      files: Object.fromEntries(Object.entries(left).filter(([name, file]) => tells(name, file))),
      folders: Object.fromEntries(
        Object.entries(this.#watched.folders).filter(([name]) => !this.#place.isMachine || OF_A_MACHINE.test(name)),
      ),
      ...(beside.length === 0 ? {} : { beside: Object.fromEntries(beside) }),
      ...(passing.length === 0 ? {} : { passing: Object.fromEntries(passing) }),
    };
  }
}
