/** How long joinproof waits for others on a quick target, milliseconds; on slow ones it waits longer. */
import type { World } from '../../src/run/world.js';

/** An API server or a controller learns of a change by its watch. */
export const SOON = 10_000;
/** The documents set no limit to controllers; this is joinproof's. */
export const IN_TIME = 30_000;
/** For what would be there long ago, had a controller that was waited for in vain taken up its work meanwhile. */
export const A_MOMENT = 5_000;
/** joinproof's patience with a cleaner. Source: none in the documents; test/e2e/lifecycle/bootstrap waits a minute. */
export const CLEANED = 60_000;
/**
 * A success is answered from memory for 10 s; the rest is for slow watches. Source:
 * pkg/kubeapiserver/options/authentication.go.
 */
export const FORGOTTEN = 12_000;

/** Such a time as this scenario waits, for what is demanded: "60 s". */
export const seconds = (world: World, milliseconds: number): string => `${world.patiently(milliseconds) / 1000} s`;
