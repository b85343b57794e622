Feature: Who is not believed

  Whoever shows a credential that no authenticator knows is refused, and whoever shows none is a stranger at most.

  @APIAUTH-010 @MUST
  Rule: A token that nobody knows is refused

    Why: a token that is passed over instead makes its bearer a stranger, and hides the mistake.
    Repair: keep no default tokens; give each its line in the token file or its Secret.
    Repair, for makers: end the request with 401 when a token was presented and no authenticator knows it.

    Scenario: what people try
      Then a bearer is refused that shows:
        | a word                      | nosuchtoken                          |
        | the example of the document | 31ada4fd-adec-460c-809a-9e56ceb75269 |
        | three words                 | no.such.token                        |
        | a JWT of nobody             | eyJhbGciOiJub25lIn0.e30.             |
        | an object                   | {"token":"nosuchtoken"}              |

  @APIAUTH-013 @MUST
  Rule: A header that carries no token is as good as none

    Why: who is told that a token is wrong which nobody has shown looks for it in vain, and an empty one must be nobody's.
    Repair, for makers: pass a header over that has no token behind its scheme.

    Scenario: the scheme alone
      Then a header says as little as none that is written:
        | Bearer     |
        | "Bearer "  |
        | "Bearer  " |
        | ""         |

  @APIAUTH-036 @MUST
  Rule: Nothing is done for who is refused

    Why: an answer of 401 is worth nothing if the request was carried out.
    Repair, for makers: authenticate before anything of the request is handled.

    Scenario: a ConfigMap is posted with a changed token
      Given a token of a service account that logs in
      Then who posts a ConfigMap with a changed token is refused, and none is made

  @APIAUTH-039 @MUST
  Rule: The user is who the credential says, whatever other headers say

    Why: the headers of a front proxy are anybody's to send; only the proxy's certificate makes them true.
    Repair: start kube-apiserver with --requestheader-client-ca-file of a CA that signs for the proxy alone.
    Repair, for makers: read those headers of connections with a verified certificate of the proxy only.

    Scenario: beside a token
      Given a token of a service account that logs in
      Then beside these headers its bearer is that service account:
        | X-Remote-User  | kubernetes-admin |
        | X-Remote-Group | system:masters   |

    Scenario: alone
      Given a token of a service account that logs in
      Then nobody logs in by these headers:
        | X-Remote-User  | kubernetes-admin |
        | X-Remote-Group | system:masters   |

  @APIAUTH-033 @MUST
  Rule: An authenticator that refuses does not keep the others from being asked

    Why: a machine that still has a certificate of another cluster must get in by its token.
    Repair, for makers: remember the error, and ask the next authenticator.

    # before that nobody may ask the API server who he is, and a review of the token alone says nothing of both
    @since:1.28
    Scenario: a certificate that nobody trusts beside a good token
      Given a token of a service account that logs in
      Then beside a certificate of a stranger its bearer is that service account

  @APIAUTH-034 @MUST
  Rule: Where every authenticator refuses, nobody is let in

    Why: what two authenticators refuse must not come through as the last one's opinion, or as a stranger's.
    Repair, for makers: answer 401 once each has been asked and one of them has refused.

    Scenario: a certificate that nobody trusts beside a changed token
      Given a token of a service account that logs in
      Then beside a certificate of a stranger a changed token is refused
