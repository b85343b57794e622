/** A stand-in for systemctl: it starts nothing, and waits until somebody has looked at the machine before it answers. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Told } from '../../liars/lie.js';

/** Folder of the run, and what the service manager is like. */
const FOLDER = 'JOINPROOF_SERVICES';
const HOW = 'JOINPROOF_SERVICES_ARE';

/**
 * Looks at most two seconds for who looks. Words and codes are those of systemctl, as kubeadm reads them. Source:
 * kubeadm, util/initsystem/initsystem_unix.go.
 */
const SYSTEMCTL = `#!/bin/sh
case "$1" in
start | stop | restart | reload-or-restart | daemon-reload | enable | set-environment) ;;
status) [ "$${HOW}" = 'no kubelet' ] && echo "Unit $2.service could not be found." && exit 4; exit 0 ;;
*) exit 0 ;;
esac
export -p >> "$${FOLDER}/environment"
printf '%s\\n' "$*" >> "$${FOLDER}/asked"
n=0; while read -r _; do n=$((n + 1)); done < "$${FOLDER}/asked"
i=0; while [ ! -e "$${FOLDER}/seen.$n" ] && [ $i -lt 200 ]; do sleep 0.01; i=$((i + 1)); done
[ -n "$${HOW}" ] && [ "$1" != daemon-reload ] && [ "$1" != set-environment ] && echo "Unit kubelet.service not found." >&2 && exit 5
case "$*" in start* | restart*) :START
;; esac
exit 0
`;

/** Puts it into a folder for PATH. `service`: a command that is what it starts. */
export function makeSystemctl(folder: string, service?: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const text = SYSTEMCTL.replace('START', service === undefined ? '' : `; ${service} >/dev/null 2>&1 </dev/null &`);
  writeFileSync(path.join(folder, 'systemctl'), text, { mode: 0o755 });
}

/** What a machine's service manager was told. */
export class Services {
  readonly #folder: string;
  #told = 0;
  #read = 0;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  /** `at`: how the program sees the folder. */
  static environment(at: string, how: Told['services']): NodeJS.ProcessEnv {
    return { [FOLDER]: at, [HOW]: how ?? '' };
  }

  /** Commands since the last look; who gave them waits until `seen` is called. */
  get fresh(): readonly string[] {
    const file = path.join(this.#folder, 'asked');
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
    return lines.slice(this.#told).map((line) => line.replace(/ (kubelet)\.service\b/, ' $1'));
  }

  /** What commands since the last call were given as environment. */
  takeEnvironment(): string {
    const file = path.join(this.#folder, 'environment');
    if (!existsSync(file)) return '';
    const text = readFileSync(file, 'utf8');
    const fresh = text.slice(this.#read);
    this.#read = text.length;
    return fresh;
  }

  /** The machine was looked at. */
  seen(commands: readonly string[]): void {
    for (const _ of commands) {
      this.#told += 1;
      writeFileSync(path.join(this.#folder, `seen.${this.#told}`), '');
    }
  }
}
