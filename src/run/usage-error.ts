/** What the user gave cannot be used: one or two sentences, exit code 2. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** joinproof cannot judge, and the target is not to blame (a broken installation, no feature files): exit code 3. */
export class CannotJudge extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotJudge';
  }
}
