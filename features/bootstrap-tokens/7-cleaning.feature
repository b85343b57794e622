Feature: How expired tokens are cleaned away

  The token cleaner, a controller of kube-controller-manager, deletes token Secrets whose expiration has passed. It
  goes by type, namespace and expiration alone.

  @CLEAN-001 @MUST
  Rule: The token cleaner is switched on

    Why: it is off unless named; expired tokens then stay for ever, with their signatures.
    Repair: start kube-controller-manager with --controllers=*,bootstrapsigner,tokencleaner.

    Scenario: the flag, or what it does
      Then the token cleaner is on, by its flag where that is published and by what it does elsewhere

  @CLEAN-002 @MUST
  Rule: An expired token is deleted

    Why: what is not there cannot leak, and is not signed for.
    Repair: see that the controller runs and may delete Secrets in kube-system.

    Scenario: a token that expires now
      Given a bootstrap token with:
        | expiration | in 15 seconds |
      And its Secret is there
      When 15 seconds have passed
      Then its Secret is soon gone

    Scenario: expired Secrets of the type, whenever they have expired
      Given a Secret for each of these lines:
        | expiration                        |
        | 1 second ago                      |
        | 1 hour ago                        |
        | 1 hour ago, written at +14:00     |
        | 10 minutes ago, written at +05:45 |
        | 9 years ago                       |
      Then each of the Secrets is soon gone

    Scenario: expired Secrets of the type, whatever else is in them
      Given a Secret for each of these lines:
        | what        | expiration | name    | token-id   | token-secret | immutable | usage-bootstrap-authentication |
        | an odd name | 1 hour ago | jp-<id> |            |              |           |                                |
        | no halves   | 1 hour ago |         | (absent)   | (absent)     |           |                                |
        | immutable   | 1 hour ago |         |            |              | true      |                                |
        | no usage    | 1 hour ago |         |            |              |           | (absent)                       |
        | two ids     | 1 hour ago |         | <other id> |              |           |                                |
      Then each of the Secrets is soon gone

    Scenario: a token of more than a day
      Given a cluster of ours whose clock may be moved far
      And a bootstrap token with:
        | expiration | in 30 hours |
      And its Secret is there
      When 31 hours have passed
      Then its Secret is soon gone

    Scenario: a token whose time was shortened
      Given a bootstrap token that logs in
      When its expiration is changed to "in 3 seconds"
      And 3 seconds have passed
      Then its Secret is soon gone

  @CLEAN-003 @MUST
  Rule: A token is not deleted before its expiration

    Why: machines that are about to join would be refused.
    Repair, for makers: compare instants, in UTC.

    Scenario: tokens that have time left
      Given a Secret for each of these lines:
        | expiration                       |
        | in 5 minutes                     |
        | in 1 hour                        |
        | in 1 hour, written at -11:00     |
        | in 10 minutes, written at -03:30 |
        | 2109-11-10T23:00:00Z             |
        | 9999-12-31T23:59:59Z             |
      When an expired bootstrap token, made later, has been cleaned away
      Then each of the Secrets is left alone

    Scenario: the last second
      Given a bootstrap token with:
        | expiration | in 40 seconds |
      When its time is all but over
      Then its Secret is still there

  @CLEAN-004 @MUST
  Rule: A token without an expiration is not deleted

    Why: the key is optional.
    Repair, for makers: leave Secrets alone whose expiration is absent or empty.

    Scenario: no expiration, and an empty one
      Given a Secret for each of these lines:
        | expiration |
        | (absent)   |
        | (empty)    |
      When an expired bootstrap token, made later, has been cleaned away
      Then each of the Secrets is left alone

    Scenario: a Secret of the type that is no token
      Given a Secret for each of these lines:
        | what                    | expiration | token-id | token-secret | usage-bootstrap-authentication |
        | neither halves nor uses | (absent)   | (absent) | (absent)     | (absent)                       |
      When an expired bootstrap token, made later, has been cleaned away
      Then each of the Secrets is left alone

  @CLEAN-005 @MUST
  Rule: Secrets of another type are not deleted

    Why: a key named "expiration" means nothing in other Secrets.
    Repair, for makers: go by the type.

    Scenario: Opaque Secrets that look expired
      Given a Secret for each of these lines:
        | what               | type                           | expiration           | name    |
        | named like a token | Opaque                         | 2017-03-10T03:22:11Z |         |
        | named otherwise    | Opaque                         | 2017-03-10T03:22:11Z | jp-<id> |
        | another case       | bootstrap.kubernetes.io/Token  | 2017-03-10T03:22:11Z |         |
        | another ending     | bootstrap.kubernetes.io/token2 | 2017-03-10T03:22:11Z |         |
      When an expired bootstrap token, made later, has been cleaned away
      Then each of the Secrets is left alone

  @CLEAN-006 @MUST
  Rule: Secrets of other namespaces are not deleted

    Why: tokens live in kube-system; what lies elsewhere is not the cleaner's.
    Repair, for makers: watch kube-system only.

    Scenario: expired Secrets of the type elsewhere
      Given a Secret for each of these lines:
        | namespace   | expiration           |
        | default     | 2017-03-10T03:22:11Z |
        | kube-public | 2017-03-10T03:22:11Z |
      When an expired bootstrap token, made later, has been cleaned away
      Then each of the Secrets is left alone

  @CLEAN-007 @MUST
  Rule: A login cleans nothing away

    Why: cleaning is the controller manager's; an API server that deletes while it reads hides what has happened, and
    deletes by its own clock.
    Repair, for makers: refuse the login and leave the Secret to the token cleaner.

    Scenario: an expired token, tried where nobody cleans
      Given a cluster of ours without a token cleaner
      And a good bootstrap token, and one for each of these lines:
        | expiration           |
        | 1 hour ago           |
        | 2017-03-10T03:22:11Z |
        | soon                 |
      Then the good one logs in and the others are refused
      And each of the Secrets is left alone

  @CLEAN-008 @SHOULD
  Rule: A token whose expiration cannot be read is deleted

    Why: it can never log in; and a cleaner that stumbles over it must not stop.
    Repair, for makers: treat what cannot be read as expired.

    Scenario: texts that are no time
      Given a Secret for each of these lines:
        | expiration           |
        | soon                 |
        | 1489116131           |
        | 2099-01-01           |
        | 2099-01-01t00:00:00z |
        | 1 hour ago           |
      Then each of the Secrets is soon gone

  @CLEAN-009 @MUST
  Rule: A token whose expiration was put off outlives the old one

    Why: an operator who gives a token more time relies on it.
    Repair, for makers: read the Secret again when its time has come.

    Scenario: put off in time
      Given a bootstrap token with:
        | expiration | in 6 seconds |
      When its expiration is put off by an hour
      And 8 seconds have passed
      And an expired bootstrap token, made later, has been cleaned away
      Then its Secret is left alone

    Scenario: the expiration is taken away in time
      Given a bootstrap token with:
        | expiration | in 6 seconds |
      When its expiration is changed to "(absent)"
      And 8 seconds have passed
      And an expired bootstrap token, made later, has been cleaned away
      Then its Secret is left alone

  @CLEAN-010 @MUST
  Rule: With a cleaned token goes its signature

    Why: signatures of tokens long gone add up, and each can be tried against guesses of its secret.
    Repair: run the bootstrap signer beside the cleaner; it removes signatures without a token.

    Scenario: a token that expires
      Given a bootstrap token that expires in 15 seconds and is signed for
      When 15 seconds have passed
      Then its Secret is soon gone
      And its signature soon disappears
