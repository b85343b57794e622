Feature: Tokens of service accounts

  A token of a service account is a JWT that the cluster has signed. Everybody can read it, so nothing in it counts
  before its signature is verified, and nothing of it counts longer than what it names.

  @APIAUTH-022 @MUST
  Rule: Its signature is verified with the cluster's own key

    Why: whoever believes a token without that, or with a key that comes along, believes everybody.
    Repair, for makers: verify with the keys of --service-account-key-file, with the algorithm that belongs to the key,
    and look at no key, address or algorithm that the token names.

    Scenario: made without a key of the cluster
      Then a token of a service account is refused that is:
        | unsigned, of the algorithm none                                   |
        | of the algorithm none, with a signature                           |
        | of the algorithm None, with a signature                           |
        | without an algorithm, with a signature                            |
        | signed with the public key as a password                          |
        | signed with the public key as a password, without its end of line |
        | signed with the bytes of the public key as a password             |
        | signed with an empty password                                     |
        | signed with another key                                           |
        | signed with another key, under the cluster's key id               |
        | signed with another key, which comes along                        |
        | signed with another key, which lies elsewhere                     |
        | of a Secret, signed with another key                              |
        | of a Secret, of the algorithm none                                |
        | of another issuer, signed with another key                        |

    Scenario: made of a good one
      Given a token of a service account that logs in
      And another token of it
      Then the token is refused that has:
        | the first bit of its signature       |
        | a bit in the middle of its signature |
        | the last bit of its signature        |
        | no signature                         |
        | two parts only                       |
        | half of its signature                |
        | a signature of zeros                 |
        | a signature of ones                  |
        | a byte behind its signature          |
        | its signature twice                  |
        | a fourth part                        |
        | the signature of another token       |
        | another account as its subject       |
        | another account in its claims        |
        | a later end                          |
        | another issuer                       |
        | the algorithm none                   |
        | the algorithm none, and no signature |
        | another key id                       |

  @APIAUTH-023 @MUST
  Rule: Its claims are checked, too

    Why: the cluster signs tokens for others as well; who is handed one of them must not log in with it.
    Repair, for makers: compare issuer, audiences and times of a token after its signature was verified.

    Scenario: for somebody else
      Given a token of a service account that logs in
      Then a token of it for the audience "joinproof.example" is refused
      And tokens of it for the API server's own audience are refused that say it:
        | with more behind it      |
        | with more before it      |
        | without its last letter  |
        | without its first letter |
        | in capitals              |

    Scenario: for somebody else and the API server
      Given a token of a service account that logs in
      Then a token of it for the audience "joinproof.example" and its own logs in

    Scenario: after its end
      Given a token of a service account
      Then the token is refused 75 seconds after its end

  @APIAUTH-024 @MUST
  Rule: It names its account, namespace and end

    Why: an authenticator has nothing else to find the account by.
    Repair, for makers: sign the claims that upstream writes, and an end.

    Scenario: what it says
      Given a token of a service account
      Then the token tells whose it is

  @APIAUTH-026 @MUST
  Rule: It ends with what it names

    Why: deleting the account, or the object that a token is bound to, is the one way to take a token back.
    Repair: leave --service-account-lookup of kube-apiserver on.
    Repair, for makers: look up the account and the bound object, by name and by UID.

    Scenario: the account is deleted
      Given a token of a service account that logs in
      When the service account is deleted
      Then the token is refused once the deletion counts

    Scenario: another account of the same name
      Given a token of a service account that logs in
      When the service account is deleted and made again
      Then a new token of it is that service account
      And the token is refused once the deletion counts

    Scenario: the Secret that it is bound to is deleted
      Given a token of a service account
      And a token of it that is bound to a Secret and logs in
      When that Secret is deleted
      Then the bound token is refused once the deletion counts

    Scenario: the Pod that it is bound to is deleted, and another has its name
      Given a token of a service account
      And a token of it that is bound to a Pod and logs in
      When that Pod is deleted and made again
      Then the bound token is refused once the deletion counts

    Scenario: the Pod on a Node that it is bound to is deleted, and another has its name
      Given a token of a service account
      And a token of it that is bound to a Pod on a Node and logs in
      When that Pod is deleted and made again
      Then the bound token is refused once the deletion counts

    Scenario: the Secret that it is bound to is deleted, and another has its name
      Given a token of a service account
      And a token of it that is bound to a Secret and logs in
      When that Secret is deleted and made again
      Then the bound token is refused once the deletion counts

    Scenario: the Pod that it is bound to is being deleted
      Given a token of a service account
      And a token of it that is bound to a Pod and logs in
      When that Pod is being deleted, held by a finalizer
      Then the bound token is refused once the deletion counts

    Scenario: the account is being deleted
      Given a token of a service account that logs in
      When the service account is being deleted, held by a finalizer
      Then the token is refused once the deletion counts

  @APIAUTH-028 @MUST
  Rule: Its bearer is the service account, in its groups and no others

    Why: permissions are bound to this name, or to all accounts of a namespace.
    Repair, for makers: name the user, its UID and its groups by the verified claims alone.

    Scenario: who the bearer is
      Given a token of a service account
      Then its bearer is that service account

  @P-333 @MUST
  Rule: It is made as it was asked for, or not at all

    Why: nobody takes a token back; who asks for a short one, or for another audience, relies on that.
    Repair, for makers: validate spec.expirationSeconds and what spec.boundObjectRef names, and write end, audiences and
    bound object into the token as they were asked for.

    Scenario: what is given
      Given a token of a service account
      Then a token of it is as asked that is asked for:
        | nothing in particular                                         |
        | ten minutes                                                   |
        | two hours                                                     |
        | just 2^32 seconds                                             |
        | one audience                                                  |
        | two audiences                                                 |
        | a Pod                                                         |
        | a Pod without its UID                                         |
        | a Secret                                                      |
        | a Pod and the life that kubelets ask for                      |
        | a Pod and an hour                                             |
        | a Pod and a second less than kubelets ask for                 |
        | a Pod and a second more than kubelets ask for                 |
        | a Pod, the life that kubelets ask for and another audience    |
        | a Pod, the life that kubelets ask for and an audience besides |
        | a Secret and the life that kubelets ask for                   |

    Scenario: what is refused
      Given a token of a service account that logs in
      Then no token of it is given that is asked for:
        | one minute                        |
        | a second less than ten minutes    |
        | no time                           |
        | less than no time                 |
        | more than 2^32 seconds            |
        | a Pod of another account          |
        | a Pod under another UID           |
        | a Pod under the UID of another    |
        | a Pod under the beginning of its UID |
        | a Pod that nobody has             |
        | a Pod without a name              |
        | a Secret under another UID        |
        | a Secret that nobody has          |
        | a Secret of another namespace     |
        | a ConfigMap                       |
        | a Pod of another group of the API |
        | another name                      |
        | another namespace                 |

    @since:1.31
    Scenario: Nodes
      Given a token of a service account that logs in
      Then a token of it is as asked that is asked for:
        | a Node |
      And no token of it is given that is asked for:
        | a Node under another UID |
        | a Node that nobody has   |

    @since:1.34
    Scenario: an account that was made anew
      Given a token of a service account that logs in
      Then no token of it is given that is asked for:
        | another UID |

  @P-381 @MUST
  Rule: What is published of tokens verifies them

    Why: whoever is shown a token elsewhere looks there for its issuer and key; another key there makes all of them false,
    or those of somebody else true.
    Repair: let --service-account-key-file hold the public half of --service-account-signing-key-file, and let
    --service-account-issuer be what is published.

    Scenario: a token that was made now
      Given a token of a service account that logs in
      Then what is published of tokens verifies it
      And both documents of it are of the form that clients read

  @P-334 @MUST @since:1.30
  Rule: Who comes with a token of a Pod is told with the Pod and its Node

    Why: policies let the Pods of a Node do what concerns that Node, and audit goes by the token.
    Repair, for makers: tell name and UID of Pod and Node, and the id of the token, in the extra of its bearer.

    Scenario: a Pod that waits
      Given a token of a service account
      Then who comes with a token of a Pod is told with it

    Scenario: a Secret
      Given a token of a service account
      Then who comes with a token of a Secret is told with nothing but the token

    Scenario: a Pod on a Node
      Given a token of a service account
      Then who comes with a token of a Pod on a Node is told with both

    @since:1.31
    Scenario: a Node
      Given a token of a service account
      Then who comes with a token of a Node is told with it

  @APIAUTH-029 @MUST
  Rule: It is carried as a bearer token

    Why: a token that is found elsewhere ends up in logs of proxies.
    Repair, for makers: read the first Authorization header, take "Bearer" in any case of letters, and look nowhere
    else.

    Scenario: the header
      Given a token of a service account
      Then its bearer logs in with the header:
        | Bearer <token>          |
        | bearer <token>          |
        | BEARER <token>          |
        | Bearer <token> and more |
      And a header carries no token that is written:
        | Token <token>     |
        | JWT <token>       |
        | Basic <token>     |
        | <token>           |
        | "Bearer  <token>" |

  @P-402 @SHOULD
  Rule: A Secret with a token of an account goes with the account

    Why: the token in it does not end, and whoever makes an account of that name anew does not know of it.
    Repair: take serviceaccount-token-controller into --controllers of kube-controller-manager.

    Scenario: an account that is deleted, and Secrets of no account
      Given Secrets that ask for tokens of service accounts
      Then the Secret of the account is soon given a token
      And of those Secrets these are soon gone:
        | the one of an account that is not there            |
        | the one of an account of that name and another UID |
      When another root certificate is put in the Secret of the account
      Then it soon has that of the cluster again
      When the account of the first one is deleted
      Then of those Secrets these are soon gone:
        | the one of the account |
