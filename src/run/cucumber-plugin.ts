/** Tells cucumber which scenarios to execute, and in which order: exactly those of the session. */
import path from 'node:path';
import { featuresKey } from './features.js';
import { session } from './session.js';

interface Candidate {
  readonly pickle: { readonly id: string; readonly uri: string };
  readonly location: { readonly line: number };
}

export default {
  type: 'plugin',
  coordinator({
    transform,
  }: {
    transform(event: 'pickles:filter', choose: (candidates: readonly Candidate[]) => readonly Candidate[]): void;
  }): void {
    transform('pickles:filter', (candidates) => {
      const { order, pickles, folder } = session();
      const places = new Map([...order.keys()].map((key, place) => [key, place]));
      const chosen: { readonly place: number; readonly candidate: Candidate }[] = [];
      for (const candidate of candidates) {
        const key = featuresKey(
          path.relative(folder, path.resolve(folder, candidate.pickle.uri)),
          candidate.location.line,
        );
        const place = places.get(key);
        const scenario = order.get(key);
        if (place === undefined || scenario === undefined) continue;
        pickles.set(candidate.pickle.id, scenario);
        chosen.push({ place, candidate });
      }
      return chosen.sort((a, b) => a.place - b.place).map(({ candidate }) => candidate);
    });
  },
};
