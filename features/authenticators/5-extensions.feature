Feature: API servers behind the API server

  An extension API server is asked through the API server, which has found out who asks, and tells it. One of ours stands
  behind an API server of ours and repeats what it is sent.

  @APIAUTH-040 @SHOULD @since:1.28
  Rule: Credentials are not passed on to an API server behind it

    Why: whoever runs an extension API server would hold the tokens of everybody who asks it.
    Repair, for makers: once a request is authenticated take out of it the Authorization header, the headers of front
    proxies and those that ask to be somebody else; say who asks in X-Remote-User and its kin, over a connection with the
    certificate of --proxy-client-cert-file.

    Scenario: what it is sent
      Given an API server of ours "with a front proxy"
      And an extension API server of ours stands behind it
      Then it is told who asks, and sent no credential, whoever shows:
        | a bootstrap token                                        |
        | a token that it has issued itself                        |
        | its headers of the second names, as the proxy            |
        | its headers and a bearer token, as the proxy             |
        | its headers and one of extra, as the administrator       |
        | itself, and asks for somebody else, as the administrator |

    @since:1.32
    Scenario: what it is sent of a UID
      Given an API server of ours "with a front proxy"
      And an extension API server of ours stands behind it
      Then it is told who asks, and sent no credential, whoever shows:
        | its headers with a UID and one of extra, as the administrator |

    Scenario: what it is sent where no front proxy is known
      Given an API server of ours "without a CA for clients"
      And an extension API server of ours stands behind it
      Then it is told who asks, and sent no credential, whoever shows:
        | a token of three columns                           |
        | its headers and one of extra, as the administrator |

  @P-401 @SHOULD @since:1.28
  Rule: An API server behind it is told all that is known of who asks

    Why: who decides there by the UID of an account, or by the node that a token was made for, decides about nobody.
    Repair, for makers: send every key of extra in a header X-Remote-Extra- with the key escaped behind it, and the UID
    in X-Remote-Uid.

    Scenario: what else is known
      Given an API server of ours "with a front proxy"
      And an extension API server of ours stands behind it
      Then it is told what else is known of whoever shows:
        | a bootstrap token                            |
        | a token that it has issued itself            |
        | its headers and those of extra, as the proxy |

    @since:1.33
    Scenario: of which UID
      Given an API server of ours "with a front proxy"
      And an extension API server of ours stands behind it
      Then it is told what else is known and the UID of whoever shows:
        | a bootstrap token                 |
        | a token that it has issued itself |
