/** Whether objects that a table names are there. */
import type { KubeObject } from '../../src/kubernetes/objects.js';
import type { Resource } from '../../src/kubernetes/resources.js';
import type { DataTable } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';

/** Objects of one kind, by what the features call them. */
export interface Called {
  readonly resource: Resource;
  readonly namespace: string;
  readonly names: Readonly<Record<string, string>>;
}

export async function presenceOf(world: World, table: DataTable, { resource, namespace, names }: Called) {
  const seen: { readonly subject: string; readonly there: boolean }[] = [];
  for (const [what = ''] of table.raw()) {
    const name = names[what] ?? world.unknown(`the steps know no ${resource.kind} that is ${what}`);
    const found = await world.objects.get<KubeObject>(resource, name, namespace);
    seen.push({ subject: `a ${resource.kind}, ${what}`, there: found !== undefined });
  }
  return seen;
}
