/** Loaded by cucumber before the steps: the World, no time limit of cucumber's own, and the wrapper that turns thrown verdicts into outcomes. */
import { setDefaultTimeout, setDefinitionFunctionWrapper, setWorldConstructor } from '@cucumber/cucumber';
import { error, verdictOf } from './outcome.js';
import { session } from './session.js';
import { World } from './world.js';

type StepBody = (this: World, ...parameters: unknown[]) => unknown;

setWorldConstructor(World);
// Requests, waits and the whole run have limits; a step has none, since a step may wait.
setDefaultTimeout(-1);
setDefinitionFunctionWrapper(
  (body: StepBody) =>
    async function wrapped(this: World, ...parameters: unknown[]): Promise<'skipped' | undefined> {
      const { playing, signal } = session();
      if (playing === undefined) throw new Error('a step ran outside every scenario');
      const index = playing.steps;
      playing.steps += 1;
      if (playing.decided !== undefined)
        return playing.decided.step !== undefined && index >= playing.decided.step ? 'skipped' : undefined;
      playing.evidence = this.evidence;
      try {
        signal.throwIfAborted();
        const answer = await body.apply(this, parameters);
        if (answer === undefined) return undefined;
        playing.ended = error(`a step returned ${JSON.stringify(answer)}; steps end a scenario only through the World`);
      } catch (thrown) {
        playing.ended = verdictOf(signal.aborted ? signal.reason : thrown);
      }
      return 'skipped';
    },
);
