/** Whether systemd starts the container runtime that the kubelet asks, as it has to be started. */
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { CONTAINERD, socketOf } from './container-runtime.js';
import { flagsIn, UNIT_FOLDERS, unitOf } from './kubelet-service.js';
import { partsOf } from './kubelet-started.js';
import type { Disk } from './node-seen.js';
import { programOf } from './node-unit.js';

const UNIT = 'containerd.service';
/** Folders of which it is known what of a runtime lies in them. */
const LOOKED_AT = /^\/(?:usr(?:\/local)?|opt)\/s?bin\/[^/]+$/;
const ENABLED = /^\/etc\/systemd\/system\/[^/]+\.wants\/containerd\.service$/;
const WANTS = '/etc/systemd/system/multi-user.target.wants';
/** Docker starts it. */
const DOCKER = /\/s?bin\/dockerd$/;

/** Why its program cannot be started; '' where nothing says so. */
function lackOf(command: string, paths: readonly string[]): string {
  const program = programOf(command);
  if (!program.endsWith('/containerd')) return program || 'there is none';
  const folder = program.slice(0, program.lastIndexOf('/') + 1);
  const isKnown = LOOKED_AT.test(program) && paths.some((path) => path.startsWith(folder) && LOOKED_AT.test(path));
  return isKnown && !paths.includes(program) ? `${program}, where none is` : '';
}

export interface RuntimeStarted {
  readonly disk: Disk;
  /** The socket that the kubelet asks; '' where nothing names one. */
  readonly asked: string;
}

export const runtimeStarts: Check<RuntimeStarted> = {
  id: 'runtime-unit/starts',
  source: 'containerd, containerd.service; systemd.service(5), systemd.unit(5)',
  nothing: 'the unit containerd.service does not lie there as a whole, or the kubelet asks another runtime',
  judge: ({ disk, asked }): readonly Finding[] => {
    const paths = Object.keys(disk);
    const isWhole = UNIT_FOLDERS.some((folder) => disk[`${folder}/${UNIT}`]?.held.kind === 'service');
    if (!isWhole) return [];
    const { commands, user } = unitOf(partsOf(disk, UNIT));
    const look = (demanded: string, odd: string, otherwise: string): Finding =>
      demand({ subject: UNIT, demanded, seen: odd.slice(0, 120) || otherwise, ok: odd === '' });
    const [command = ''] = commands;
    const { address = '', config = '' } = flagsIn(command);
    const isHeard = address === '' || asked === '' || socketOf(address) === socketOf(asked);
    const isGone = config !== '' && config.startsWith('/etc/containerd/') && !paths.includes(config);
    const isOff = disk[WANTS] !== undefined && !paths.some((path) => ENABLED.test(path) || DOCKER.test(path));
    return [
      look(
        'it has one command, which is containerd',
        commands.length > 1 ? `${commands.length}` : lackOf(command, paths),
        'it has',
      ),
      look('it runs as root', ['', 'root', '0'].includes(user) ? '' : user, 'it does'),
      look('it listens where the kubelet asks', isHeard ? '' : address, 'nothing else is said'),
      look('it reads what lies there', isGone ? config : '', config || CONTAINERD),
      look('it starts with its machine', isOff ? 'nothing starts it' : '', 'it does'),
    ];
  },
};
