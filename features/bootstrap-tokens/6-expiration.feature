Feature: How long a token lives

  A bootstrap token is a temporary credential. Its Secret may carry an expiration: an instant, written as RFC 3339.
  After it the token opens nothing and signs nothing, whether or not somebody has removed the Secret.

  @SEC-009 @MAY
  Rule: A token without an expiration does not expire

    Why: the key is optional; a default at the time of reading would end tokens that somebody meant to keep.
    Repair, for makers: treat an absent or empty expiration as "never".

    Scenario: no expiration, and an empty one
      Given a good bootstrap token, and one for each of these lines:
        | expiration |
        | (absent)   |
        | (empty)    |
      Then each of their bearers logs in

  @SEC-011 @MUST
  Rule: An expiration is an instant, wherever its clock stands

    Why: whoever compares texts, or drops the offset, is wrong by up to a day.
    Repair, for makers: turn the text into an instant before comparing; write UTC with the suffix Z.

    Scenario: instants to come whose text looks past, and the other way round
      Given a good bootstrap token, and one for each of these lines:
        | expiration                       |
        | in 1 hour                        |
        | in 1 hour, written at -11:00     |
        | in 1 hour, written at +14:00     |
        | in 2 hours, written at +08:00    |
        | in 10 minutes, written at -03:30 |
      Then each of their bearers logs in

    Scenario: instants that have passed whose text looks like one to come
      Given a good bootstrap token, and one for each of these lines:
        | expiration                        |
        | 1 hour ago, written at +14:00     |
        | 1 hour ago, written at -11:00     |
        | 10 minutes ago, written at +05:45 |
      Then the good one logs in and the others are refused

  @AUTH-014 @MUST
  Rule: An expired token is refused, cleaned away or not

    Why: a leaked token must die by itself; the cleaner may be off, late or broken.
    Repair, for makers: compare the expiration with the clock at every login that is not remembered.

    Scenario: tokens that have expired from the start
      Given a good bootstrap token, and one for each of these lines:
        | expiration                |
        | 1 second ago              |
        | 2009-11-10T23:00:00Z      |
        | 2009-11-10T23:00:00+08:00 |
        | 0000-01-01T00:00:00Z      |
      Then the good one logs in and the others are refused

    Scenario: the expiration of a token in use is moved into the past
      Given a bootstrap token that logs in
      When its expiration is changed to "1 hour ago"
      And the API server can no longer remember a login
      Then its bearer is refused

    Scenario: where nobody cleans
      Given a cluster of ours without a token cleaner
      And a good bootstrap token, and one for each of these lines:
        | expiration           |
        | 1 second ago         |
        | 2009-11-10T23:00:00Z |
        | 2017-03-10T03:22:11Z |
        | in 20 seconds        |
      When the time of the others is over
      Then the good one logs in and the others are refused
      And each of the Secrets is still there

  @AUTH-015 @SHOULD
  Rule: An expiration that cannot be read counts as passed

    Why: a token whose end nobody can read must not live for ever.
    Repair, for makers: refuse the login where the text is no RFC 3339 timestamp.

    Scenario: texts that are no time
      Given a good bootstrap token, and one for each of these lines:
        | expiration                    |
        | tomorrow                      |
        | never                         |
        | " "                           |
        | 0                             |
        | 4102444800                    |
        | 24h                           |
        | 2099-01-01                    |
        | 2099-01-01T00:00:00           |
        | 2099-01-01 00:00:00Z          |
        | 2099-01-01t00:00:00z          |
        | 2099-01-01T00:00Z             |
        | 2099-01-01T00:00:00+0100      |
        | 2099-01-01T00:00:00+25:00     |
        | 2099-01-01T24:00:00Z          |
        | 2099-01-01T00:00:60Z          |
        | 2099-02-29T00:00:00Z          |
        | 2100-02-29T00:00:00Z          |
        | 2099-04-31T00:00:00Z          |
        | 2099-1-01T00:00:00Z           |
        | 20990101T000000Z              |
        | 10000-01-01T00:00:00Z         |
        | " 2099-01-01T00:00:00Z"       |
        | "2099-01-01T00:00:00Z\n"      |
        | Thu, 01 Jan 2099 00:00:00 GMT |
      Then the good one logs in and the others are refused

  @AUTH-021 @MUST
  Rule: A token logs in until its expiration

    Why: a token that ends early strands the machine that is just joining; one that ends late is a leak.
    Repair, for makers: compare with the clock in UTC.

    Scenario: forms of time that Kubernetes reads
      Given a good bootstrap token, and one for each of these lines:
        | expiration                     |
        | 2109-11-10T23:00:00Z           |
        | 2099-01-01T00:00:00+00:00      |
        | 2099-01-01T00:00:00-07:30      |
        | 2099-01-01T00:00:00.5Z         |
        | 2099-01-01T00:00:00.123456789Z |
        | 2099-01-01T00:00:00,5Z         |
        | 2099-01-01T9:30:00Z            |
        | 2099-01-01T00:00:00+24:00      |
        | 2096-02-29T00:00:00Z           |
        | 2400-02-29T00:00:00Z           |
        | 9999-12-31T23:59:59Z           |
      Then each of their bearers logs in

    Scenario: before and after
      Given a bootstrap token with:
        | expiration | in 25 seconds |
      Then its bearer logs in
      When its time is all but over
      Then its bearer logs in
      When 5 seconds have passed
      And the API server can no longer remember a login
      Then its bearer is refused

    Scenario: the first second after it, for one that was never used
      Given a good bootstrap token, and one for each of these lines:
        | expiration    |
        | in 20 seconds |
      When the time of the others is over
      Then the good one logs in and the others are refused
