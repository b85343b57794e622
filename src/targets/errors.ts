/**
 * The errors that opening and asking a target can end with. Each message is a sentence for people; none holds a secret.
 */

/** What ended something is told apart by name as well: it may come from another thread. */
class Named extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** What the user gave cannot be used (kubeconfig, folder of binaries, flags): exit code 2. */
export class ConfigurationError extends Named {}

/** Why no answer came. */
export type Unreachable =
  | 'refused'
  | 'dns'
  | 'network'
  | 'timeout'
  | 'closed'
  | 'tls-unknown-ca'
  | 'tls-hostname'
  | 'tls-expired'
  | 'tls-refused'
  | 'not-https'
  | 'not-http'
  | 'proxy'
  | 'too-large'
  | 'no-api-server'
  | 'aborted'
  | 'other';

/** No answer came, or what answered is no Kubernetes API server: the target could not be judged, exit code 3. */
export class TargetUnreachable extends Named {
  constructor(
    message: string,
    readonly why: Unreachable,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** An answer that a client method did not expect. `reason` and `message` of the Status where there is one; redacted. */
export class UnexpectedAnswer extends Named {
  constructor(
    readonly method: string,
    readonly path: string,
    readonly code: number,
    readonly reason: string | undefined,
    readonly text: string,
  ) {
    super(
      `${method} ${path} answered ${code}${reason === undefined ? '' : ` ${reason}`}${text === '' ? '' : `: ${text}`}`,
    );
  }
}

/** The credential of the run may not read something of a cluster of somebody else: skipped, with the missing right. */
export class MayNotRead extends UnexpectedAnswer {
  constructor(path: string, code: number, reason: string | undefined, text: string) {
    super('GET', path, code, reason, text);
  }
}

/** GET /version gave nothing that shows a minor release. */
export class UnreadableVersion extends Named {}

/** A dump does not show what was asked for, which is not the same as that it does not exist: skipped. */
export class NotInDump extends Named {}

/**
 * A scenario tried to write where that is not allowed: a mistake of the steps (they lack the need "writes"), never of
 * the target.
 */
export class NotAllowed extends Named {}

/**
 * What a scenario wants to try may do harm here, or nobody can tell: skipped. The message is the reason, without a full
 * stop.
 */
export class CannotTry extends Named {}
