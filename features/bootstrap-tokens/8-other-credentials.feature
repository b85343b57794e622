Feature: A token beside other credentials

  No document speaks of a request that shows more than one credential, or of what a refusal tells. Upstream decides
  both, and whoever attacks tokens begins there.

  @P-90 @MUST
  Rule: Of several Authorization headers the first one decides

    Why: a proxy and the API server that look at different headers let a request pass as somebody else.
    Repair, for makers: read the first Authorization header, whatever stands in the others.

    Scenario: a good token first
      Given a bootstrap token
      Then its bearer logs in with the header:
        | Bearer <token> | Bearer nonsense    |
        | Bearer <token> | Basic bm9ib2R5Og== |

    Scenario: a good token behind another header
      Given a bootstrap token that logs in
      Then a header is refused that is written:
        | Bearer nonsense | Bearer <token> |
      And a header carries no token that is written:
        | Basic bm9ib2R5Og== | Bearer <token> |
        | (empty)            | Bearer <token> |

    Scenario: two good tokens
      Given a bootstrap token that logs in, and another
      Then of both their tokens in two headers the first one logs in

  @P-91 @MUST
  Rule: A bearer has no uid and no extra

    Why: what a token's user carries beside its name and groups is taken over by certificate requests and by whoever
    decides by it, and no Secret says it.
    Repair, for makers: make the user of its name and its groups alone.

    Scenario: without groups of its own, and with one
      Given a bootstrap token that logs in
      Then its bearer has no uid and no extra

    Scenario: of the group that kubeadm binds
      Given a bootstrap token of the group that kubeadm binds
      Then its bearer has no uid and no extra

  @P-92 @MUST
  Rule: A refusal does not tell why

    Why: "expired" or "wrong secret" tells who guesses that the id is right, and "unknown" that it is not.
    Repair, for makers: answer every refused login in the same words, and write the cause to the log.

    Scenario: whatever is wrong with a token
      Given a good bootstrap token, and one for each of these lines:
        | what           | expiration | usage-bootstrap-authentication | auth-extra-groups | token-id   | type   |
        | it has expired | 1 hour ago |                                |                   |            |        |
        | no time        | tomorrow   |                                |                   |            |        |
        | not for this   |            | false                          |                   |            |        |
        | a bad group    |            |                                | system:masters    |            |        |
        | another id     |            |                                |                   | <other id> |        |
        | another type   |            |                                |                   |            | Opaque |
      Then the good one logs in and nobody is told why the others do not

    Scenario: whatever is wrong with what is shown
      Given a bootstrap token that logs in
      Then nobody is told why a login is refused that writes it as:
        | <id>.<another secret> |
        | <unknown id>.<secret> |
        | <id>.<secret>.junk    |
        | <ID>.<secret>         |
        | nonsense              |

  @P-93 @MUST
  Rule: A certificate beside a token is a credential of its own

    Why: a machine that still has a certificate of another cluster must get in by its token.
    Repair, for makers: ask every authenticator until one knows the user; refuse only where none does.

    Scenario: a certificate that nobody trusts beside a good token
      Given a bootstrap token that logs in
      Then beside a certificate of a stranger its bearer is who its token says

    Scenario: a certificate that nobody trusts beside a bad token
      Given a bootstrap token that logs in
      Then beside a certificate of a stranger a wrong secret is refused
