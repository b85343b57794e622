/** Whether systemd can start the kubelet as its unit says, and what else it starts with it. */
import type { Check } from '../model/check.js';
import { demand } from '../model/finding.js';
import { isInCommonFolder } from './flag-values.js';
import type { Started } from './node-kubelet.js';

/** What fetches something and runs it, or runs it from where everybody may write. */
function isFetched(command: string): boolean {
  const [first = '', ...next] = command.split('|');
  return /\b(?:curl|wget)\b/.test(first) && next.some((one) => /^(?:sudo )?(?:ba|da|a|z)?sh\b/.test(one.trim()));
}

/** Prefixes of a command: systemd.service(5). */
const programOf = (command: string): string => command.replace(/^[-@:+!|]*/, '').split(/\s/)[0] ?? '';

const nameOf = (program: string): string => program.slice(program.lastIndexOf('/') + 1);

/** Variables that others obey before any flag. */
const COMMANDING = /^(?:LD_(?:PRELOAD|AUDIT|LIBRARY_PATH)|GODEBUG)$/;

/** One command, as root, which is a kubelet, and nothing of strangers before it. */
export const unitStarts: Check<Started> = {
  id: 'node-unit/starts',
  source: 'systemd.service(5), systemd.unit(5); kubernetes/release, kubelet.service',
  nothing: 'the unit kubelet.service does not lie there as a whole',
  judge: ({ unit, masked, variables }) => {
    const subject = 'kubelet.service';
    const look = (demanded: string, seen: string, ok: boolean) => demand({ subject, demanded, seen, ok });
    const hidden = masked.map((path) => look('it is not masked', `${path} is a link to nothing`, false));
    if (unit === undefined) return hidden;
    const { commands, before, user } = unit;
    const [command = ''] = commands;
    const odd = before.filter((one) => isFetched(one) || isInCommonFolder(programOf(one)));
    const commanding = Object.keys(variables).filter((name) => COMMANDING.test(name));
    return [
      ...hidden,
      look('it has one command', `${commands.length}`, commands.length === 1),
      look(
        'its command is a kubelet',
        programOf(command) || 'there is none',
        nameOf(programOf(command)).includes('kubelet'),
      ),
      look('it runs as root', user || 'it does', ['', 'root', '0'].includes(user)),
      look('nothing of strangers runs before it', odd.join('; ').slice(0, 120) || 'nothing does', odd.length === 0),
      look('its variables change no program', commanding.join(', ') || 'none does', commanding.length === 0),
    ];
  },
};
