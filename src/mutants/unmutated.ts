/**
 * Decisions that no mutant replaces, each with the reason: no rule of features/ looks at what it decides, so a mutant
 * of it would survive. A rule that comes to look at one of them brings a mutant, and the reason goes.
 */
import type { JoiningDecisions } from '../joining/decisions/index.js';
import type { DecisionName } from '../reference/decisions.js';

const TOKEN_FILE = 'no rule has a cluster with a token file:';
const IMPERSONATION = 'no rule asks as somebody else:';
const PODS = 'no rule creates Pods with volumes, which a run must not leave behind:';
const WRITTEN_BY_NODES = 'no rule lets a node write this:';
const REQUEST_FORM = 'no rule sends this malformed request, whose answer is the API machinery’s:';

/** Decisions of the reference and of kubeadm, by name; sorted by subject. */
export const unmutated = {
  // Authentication.
  refusedTokenErrors: 'the cause of a 401 goes to the server’s log, which no rule can read',
  webSocketToken: 'no rule opens a websocket',

  // Tokens of service accounts.
  tokenLibrary: 'the cause of a refusal is told by a TokenReview alone, and in the words of a library',

  // TokenRequest.
  tokenRequestSeconds: 'the default of the field is written into the object before, as every default is',

  // The token file.
  tokenFileColumns: `${TOKEN_FILE} how many columns it has`,
  tokenFileLineCounts: `${TOKEN_FILE} a line without a token`,

  // Impersonation.
  impersonationModes: `${IMPERSONATION} which modes there are`,
  impersonationPrintsUser: `${IMPERSONATION} the words of the 400 without a user`,
  impersonationHeadersAreChecked: `${IMPERSONATION} the code of the answer without a user`,

  // Authorization.
  missingRoleNamesRequest: 'no rule binds a role that is not there; only the words of the 404 differ',
  policyIsRepaired: 'no rule restarts an API server; RBAC-003 reads the annotation that this decision obeys',

  // NodeRestriction.
  nodeMayConfigure: `${WRITTEN_BY_NODES} spec.configSource, which current kinds no longer have`,

  // Pods.
  isMirrorPod: `${PODS} the account of a mirror Pod`,
  defaultServiceAccount: `${PODS} the account of one that names none`,
  mountsToken: `${PODS} whether its token is mounted`,
  tokenVolumeSources: `${PODS} where its token comes from`,

  // Certificate requests.
  csrSmallRsaIsVerified: `${REQUEST_FORM} RSA keys under 1024 bits`,
  csrMissingText: `${REQUEST_FORM} nothing but the words of a 422 of 1.25`,
  csrExclusionIsAtType: `${REQUEST_FORM} nothing but the field of a 422`,
  approvalReviewVersion: 'no binding names an API version, so the version of the review cannot be told from outside',

  // The machinery and kubeadm.
  bodyLimit: 'no rule sends three megabytes',
  letsJoin: 'no rule restarts a reference with its data file; a unit test does',
  republishes: 'no rule restarts a reference with its data file; a unit test does',
} as const satisfies Partial<Record<DecisionName, string>>;

/** The rules let a machine join once, before servers that last a minute. */
const ONE_JOIN = 'no rule lets a client do this, which joins once and on an empty disk:';
const VERSIONS = 'the release of a client is its own: recorded joins of several minors are compared with it,';

/** Decisions of a machine that joins, by name; sorted by subject. */
export const unmutatedJoining = {
  // Requests.
  altNames: `${ONE_JOIN} ask for a serving certificate`,

  // Discovery and what is fetched.
  discoveryTimeout: 'every server is met with a timeout of its own; five minutes are what flags alone come to',
  bootstrapTimeout: 'every server is met with a timeout of its own; five minutes are what flags alone come to',
  controlPlaneTimeout: 'every server is met with a timeout of its own; four minutes are what flags alone come to',
  apiCallTimeout: 'every server is met with a timeout of its own; a minute is what flags alone come to',
  signatureKeyOf: 'who looks for another key joins nobody, and every scenario says so before it judges',
  secondTrust: 'who believes others at the second look is one who believes every server, which a mutant does',
  ownManifests: 'a control plane without one of them never becomes well, and no rule starts what its manifests say',
  namesPauseImage: `${VERSIONS} and the flag of the pause image has gone`,
  instanceConfiguration: `${VERSIONS} and no sentence says where the socket of the runtime stands`,
} as const satisfies Partial<Record<keyof JoiningDecisions, string>>;
