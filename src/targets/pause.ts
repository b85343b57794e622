/** Real time, broken off by the signal with its reason. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** Milliseconds of work after which timers, signals and answers get their turn. */
const WORKED_MS = 50;
let rested = 0;

/** Lets what waits for the event loop come in between, where work has gone on for a while. */
export async function breathe(): Promise<void> {
  if (performance.now() - rested < WORKED_MS) return;
  await new Promise((resolve) => setImmediate(resolve));
  rested = performance.now();
}
