/**
 * Loads modules of checks so that what they export is listened to. Source: nodejs.org/api/module.html, Customization
 * hooks, load.
 */
import type { LoadHook } from 'node:module';

const LISTENING = new URL('./listening.js', import.meta.url).href;
const CHECKS = new URL('../../checks/', import.meta.url).href;

/** The text of a module whose exported functions and checks go through `listened`. */
export function listenedSource(place: string, source: string): string {
  const names = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name = '']) => name);
  return [
    source.replace(/^export const (?=\w+ = )/gm, 'export let '),
    `import { listened as __listened } from ${JSON.stringify(LISTENING)};`,
    ...names.map((name) => `${name} = __listened(${JSON.stringify(`${place}/${name}`)}, ${name});`),
    '',
  ].join('\n');
}

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  if (!url.startsWith(CHECKS) || /test(?:ing)?\.js$/.test(url) || loaded.source === undefined) return loaded;
  const place = url.slice(CHECKS.length).replace(/^.*\/|\.js$/g, '');
  return { ...loaded, source: listenedSource(place, String(loaded.source)) };
};
