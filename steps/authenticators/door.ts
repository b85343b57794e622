/** A door through which whoever logs in may go, and nobody else. */

import { heardIn, type Login } from '../../src/checks/authenticators/login.js';
import { requestAllowed } from '../../src/checks/authorization/access.js';
import { messageOf } from '../../src/checks/common/answers.js';
import type { DataTable } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Identity, Question } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';

const DOOR = { path: '/api' } as const;

export async function asksAtDoor(
  world: World,
  identity: Identity,
  subject: string,
  more: Partial<Question> = {},
): Promise<Login> {
  return { subject, heard: heardIn(await world.as(identity).ask({ ...DOOR, ...more })) };
}

/** The positive control: whoever is known is let in at the same door. */
export async function grantDoor(world: World): Promise<void> {
  const { status, body } = await world.admin.ask(DOOR);
  const subject = 'GET /api as the administrator';
  world.grant(requestAllowed, [{ subject, answer: heardIn({ status, body }) }], {});
}

export const firstColumn = (table: DataTable): string[] => table.raw().map(([first = '']) => first);

/** How a stranger is answered at each path. */
export const strangersAt = (world: World, paths: readonly string[]) =>
  forEach(world, paths, async (path) => {
    const { status, body } = await world.as({ kind: 'anonymous' }).ask({ path, expects: () => true });
    return { path, status, message: messageOf(body) };
  });
