/** Loaded by cucumber before the steps: the World, and no time limit of cucumber's own. */
import { setDefaultTimeout, setWorldConstructor } from '@cucumber/cucumber';
import { World } from './world.js';

setWorldConstructor(World);
// Requests, waits and the whole run have limits; a step has none, since a step may wait.
setDefaultTimeout(-1);
