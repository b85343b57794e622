/** Commands that are run in this process: how they end and what they say. Not while a test is under way: it says, too. */
import { main } from './main.js';

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

class Ended extends Error {
  constructor(readonly code: number) {
    super(`ended with ${code}`);
  }
}

/** Milliseconds: many times what any command takes that tests run, so that one that does not end names itself. */
const LONGEST = 120_000;

const LISTENED = ['unhandledRejection', 'uncaughtException', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const unended = (
  args: readonly string[],
  signal: NodeJS.Signals | Uncaught | undefined,
  { out, err }: Omit<Said, 'code'>,
): string =>
  `"joinproof ${args.join(' ')}" has not ended ${LONGEST / 1000} s after it began${signal === undefined ? '' : `, though ${out === '' ? `it has said nothing that ${signal} waits for` : `${signal} came`}`}; ` +
  `it said: ${JSON.stringify((out + err).slice(0, 300))}`;

/** What nobody has caught, as Node tells it. */
type Uncaught = readonly ['unhandledRejection' | 'uncaughtException', unknown];

function interrupt(by: NodeJS.Signals | Uncaught): void {
  if (typeof by === 'string') process.emit(by, by);
  else if (by[0] === 'unhandledRejection') process.emit(by[0], by[1], Promise.resolve());
  else process.emit(by[0], by[1] as Error);
}

/** A whole command line, from its words to the exit code. `signal` comes when it has said something. */
export async function commanded(args: readonly string[], signal?: NodeJS.Signals | Uncaught): Promise<Said> {
  const said = { out: '', err: '' };
  const waiting = setInterval(() => {
    if (signal === undefined || said.out === '') return;
    clearInterval(waiting);
    interrupt(signal);
  }, 10);
  const streams = [
    ['out', process.stdout],
    ['err', process.stderr],
  ] as const;
  const listeners = LISTENED.map((name) => [name, process.rawListeners(name)] as const);
  const given = streams.map(([name, stream]) => {
    const { write } = stream;
    stream.write = (text: string | Uint8Array, ...others: readonly unknown[]): boolean => {
      said[name] += Buffer.from(text).toString('utf8');
      for (const other of others) if (typeof other === 'function') setImmediate(() => other());
      return true;
    };
    return { stream, write, errors: stream.rawListeners('error') };
  });
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error(unended(args, signal, said))), LONGEST);
  });
  const ended = main(args, (code) => {
    throw new Ended(code);
  }).then(
    () => -1,
    (thrown: unknown) => {
      if (thrown instanceof Ended) return thrown.code;
      throw thrown;
    },
  );
  try {
    return { code: await Promise.race([ended, late]), ...said };
  } finally {
    clearInterval(waiting);
    clearTimeout(limit);
    for (const { stream, write, errors } of given) {
      stream.write = write;
      for (const listener of stream.rawListeners('error'))
        if (!errors.includes(listener)) stream.off('error', listener as () => void);
    }
    for (const [name, before] of listeners)
      for (const listener of process.rawListeners(name))
        if (!before.includes(listener)) process.off(name, listener as () => void);
  }
}
