/** Loaded by cucumber before the steps: the World, and no time limit of cucumber's own. */
import { library } from './cucumber.js';
import { World } from './world.js';

library.methods.setWorldConstructor(World);
// Requests, waits and the whole run have limits; a step has none, since a step may wait.
library.methods.setDefaultTimeout(-1);
