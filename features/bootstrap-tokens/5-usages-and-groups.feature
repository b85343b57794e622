Feature: What a token may be used for

  Two keys say what a token is good for: logging in, and signing cluster-info. Each is on when its value is "true" and
  off otherwise.

  @SEC-008 @MAY
  Rule: The description of a token is for people

    Why: it is free text; nothing may depend on it.
    Repair, for makers: do not look at it.

    Scenario: without one, and with an odd one
      Given a good bootstrap token, and one for each of these lines:
        | description                               |
        | (absent)                                  |
        | (empty)                                   |
        | "usage-bootstrap-authentication: false\n" |
      Then each of their bearers logs in

  @SEC-013 @MUST
  Rule: A usage is on when its value is exactly "true"

    Why: a test for "not false" turns a typing error into a permission.
    Repair, for makers: compare with "true", byte for byte.

    Scenario: almost true is off for logging in
      Given a good bootstrap token, and one for each of these lines:
        | usage-bootstrap-authentication |
        | True                           |
        | TRUE                           |
        | 1                              |
        | yes                            |
        | on                             |
        | t                              |
        | tru                            |
        | truetrue                       |
        | "true "                        |
        | " true"                        |
        | "true\n"                       |
        | ""true""                       |
        | (empty)                        |
        | false                          |
      Then the good one logs in and the others are refused

    Scenario: almost true is off for signing
      Given a good signing token, and one for each of these lines:
        | usage-bootstrap-signing |
        | True                    |
        | TRUE                    |
        | 1                       |
        | yes                     |
        | on                      |
        | t                       |
        | tru                     |
        | truetrue                |
        | "true "                 |
        | " true"                 |
        | "true\n"                |
        | (empty)                 |
        | false                   |
      Then the good one is signed for and the others are not

  @SEC-014 @MUST
  Rule: A usage whose key is absent is off

    Why: a token is good for what it says and for nothing else.
    Repair, for makers: treat an absent key like "false".

    Scenario: no key for logging in
      Given a good bootstrap token, and one for each of these lines:
        | what            | usage-bootstrap-authentication | usage-bootstrap-signing |
        | no usage at all | (absent)                       |                         |
        | signing only    | (absent)                       | true                    |
      Then the good one logs in and the others are refused

    Scenario: no key for signing
      Given a good signing token, and one for each of these lines:
        | what            | usage-bootstrap-authentication | usage-bootstrap-signing |
        | no usage at all | (absent)                       | (absent)                |
        | logging in only | true                           | (absent)                |
      Then the good one is signed for and the others are not

  @SEC-025 @SHOULD
  Rule: Usages that nobody knows grant nothing

    Why: a server that takes any usage for all of them grants what nobody asked for.
    Repair, for makers: look at the two known keys only.

    Scenario: unknown usages log nobody in
      Given a good bootstrap token, and one for each of these lines:
        | usage-bootstrap-admin | usage-authentication | usage-bootstrap-authentication |
        | true                  | true                 | (absent)                       |
      Then the good one logs in and the others are refused

    Scenario: unknown usages sign nothing
      Given a good signing token, and one for each of these lines:
        | usage-bootstrap-admin | usage-signing | usage-bootstrap-signing |
        | true                  | true          | (absent)                |
      Then the good one is signed for and the others are not

    Scenario: unknown usages give no group
      Given a bootstrap token with these values that logs in:
        | usage-bootstrap-admin | true |
      Then its bearer is in the default groups and no other
      And its permissions are those of another user in the same groups, in each of these namespaces:
        | kube-system |

  @AUTH-016 @MUST
  Rule: A token that is no longer for logging in is refused

    Why: withdrawing the usage is a way to keep the signature and end the logins.
    Repair, for makers: look at the usage at every login that is not remembered.

    Scenario: the usage of a token in use is withdrawn
      Given a bootstrap token that logs in
      When its usage-bootstrap-authentication is changed to "false"
      And the API server can no longer remember a login
      Then its bearer is refused

    Scenario: the usage of a token in use is taken away
      Given a bootstrap token that logs in
      When its usage-bootstrap-authentication is changed to "(absent)"
      And the API server can no longer remember a login
      Then its bearer is refused

    Scenario: every token of the cluster that is for something else, or over
      Given a bootstrap token that logs in
      Then each of the cluster's own tokens that is not for logging in is refused

  @AUTH-017 @MUST
  Rule: A token for signing alone logs nobody in

    Why: its signature is public, so that many may know its secret.
    Repair, for makers: keep the two usages apart.

    Scenario: its signature is published
      Given a good signing token, and one for each of these lines:
        | usage-bootstrap-authentication |
        | (absent)                       |
        | false                          |
      Then each of them is soon signed for
      And the good one logs in and the others are refused

    Scenario: the other way round, tokens that sign nothing
      Given a good bootstrap token, and one for each of these lines:
        | usage-bootstrap-signing |
        | (absent)                |
        | (empty)                 |
        | false                   |
        | no                      |
      Then each of their bearers logs in

  @AUTH-018 @MUST
  Rule: A group of another name spoils the token

    Why: who may edit a token's Secret must not be able to make an administrator.
    Repair, for makers: refuse the login as soon as one group does not begin with "system:bootstrappers:".

    Scenario: groups that are none of a token's
      Given a good bootstrap token, and one for each of these lines:
        | auth-extra-groups                                    |
        | system:masters                                       |
        | system:nodes                                         |
        | system:authenticated                                 |
        | system:unauthenticated                               |
        | kubeadm:cluster-admins                               |
        | foo                                                  |
        | bootstrappers:worker                                 |
        | system:bootstrappers                                 |
        | system:bootstrappersx                                |
        | system:bootstrappersx:foo                            |
        | system:bootstrapper:foo                              |
        | xsystem:bootstrappers:foo                            |
        | System:bootstrappers:foo                             |
        | " system:bootstrappers:foo"                          |
        | "system:bootstrappers:foo\n"                         |
        | system:bootstrappers:foo_bar                         |
        | system:bootstrappers:foo.bar                         |
        | system:bootstrappers:foo/bar                         |
        | system:bootstrappers:fоо                             |
        | ,system:bootstrappers:foo                            |
        | ,                                                    |
        | " "                                                  |
        | "\n"                                                 |
        | system:bootstrappers:                                |
        | "system:bootstrappers: "                             |
        | system:bootstrappers:*                               |
        | system:bootstrappers:Foo                             |
        | system:bootstrappers:foo:                            |
        | system:bootstrappers:foo-                            |
        | system:bootstrappers:foo,                            |
        | "system:bootstrappers:foo, system:bootstrappers:bar" |
        | system:bootstrappers:foo;system:bootstrappers:bar    |
        | system:bootstrappers:<257 letters>                   |
      Then the good one logs in and the others are refused

  @SEC-017 @MUST
  Rule: No list of groups makes an administrator of a token

    Why: a bad group at the end of a good list is the natural place to hide it.
    Repair, for makers: look at every group of the list.

    Scenario: a list that was made so
      Given a good bootstrap token, and one for each of these lines:
        | auth-extra-groups                                            |
        | system:bootstrappers:worker,system:masters                   |
        | system:masters,system:bootstrappers:worker                   |
        | system:bootstrappers:a,system:masters,system:bootstrappers:z |
        | system:bootstrappers:a,,system:masters                       |
        | "system:bootstrappers:a, system:masters"                     |
        | "system:bootstrappers:a\nsystem:masters"                     |
        | system:bootstrappers:a;system:masters                        |
      Then the good one logs in and the others are refused

    Scenario: a group that is added to a token in use
      Given a bootstrap token with these values that logs in:
        | auth-extra-groups | system:bootstrappers:worker |
      When its auth-extra-groups is changed to "system:bootstrappers:worker,system:masters"
      Then its bearer is refused, or in none but the default groups and these:
        | system:bootstrappers:worker |
      When the API server can no longer remember a login
      Then its bearer is refused
