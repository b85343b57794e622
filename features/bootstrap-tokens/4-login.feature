Feature: Logging in with a bootstrap token

  The bearer of a token is the user system:bootstrap:<token id>, a member of system:bootstrappers and of the token's
  own groups. The API server finds out from the Secret alone, and refuses in the same words whatever the cause.

  @AUTH-001 @MUST
  Rule: The API server has bootstrap tokens switched on

    Why: they are off by default; document 004 says in one place that no flag is needed, which is an erratum.
    Repair: start kube-apiserver with --enable-bootstrap-token-auth=true.

    Scenario: the flag, or what it does
      Then bootstrap token authentication is on, by its flag where that is published and by a login elsewhere

  @AUTH-002 @MUST
  Rule: Without the flag no bootstrap token logs in

    Why: who switches bootstrap tokens off relies on it.
    Repair, for makers: build the authenticator only where the flag asks for it.

    Scenario: the same token on two API servers
      Given a bootstrap token that logs in
      And a cluster of ours without bootstrap token authentication and without a signer
      And a bootstrap token
      When 1 second has passed
      Then its bearer is refused

  @AUTH-003 @MUST
  Rule: A token is carried by the header "Authorization: Bearer"

    Why: this is what every client sends; a token that is found elsewhere ends up in logs of proxies.
    Repair, for makers: read the first Authorization header, take "Bearer" in any case of letters, and look nowhere
    else.

    Scenario: the header
      Given a bootstrap token
      Then its bearer logs in with the header:
        | Bearer <token>          |
        | bearer <token>          |
        | BEARER <token>          |
        | Bearer <token> and more |
        | Bearer <token> <token>  |

    Scenario: other headers
      Given a bootstrap token
      Then its bearer logs in
      And a header carries no token that is written:
        | Token <token>                  |
        | Basic <token>                  |
        | Basic <user and token>         |
        | <token>                        |
        | Bearer: <token>                |
        | "Bearer  <token>"              |
        | "Bearer	<token>"               |
        | Bearer,<token>                 |
        | bear <token>                   |
        | BearerToken <token>            |
        | Negotiate <token>              |
        | "Basic <token> Bearer <token>" |

    Scenario: other places
      Given a bootstrap token
      Then its bearer logs in
      And a request is nobody's that carries it in:
        | the query of the address                       |
        | the body                                       |
        | a cookie                                       |
        | the header Proxy-Authorization                 |
        | the header X-Auth-Token                        |
        | the header Token                               |
        | the header X-Forwarded-Authorization           |
        | a websocket's subprotocol, without a websocket |

  @AUTH-004 @MUST
  Rule: The bearer's name is system:bootstrap: and the token id

    Why: audit logs and the approval of certificates go by this name; the secret must not stand in it.
    Repair, for makers: name the user after the id of the token.

    Scenario: who the bearer is
      Given a bootstrap token that logs in
      Then its bearer is the user "system:bootstrap:<token id>"

    Scenario: an id that looks like a number
      Given a bootstrap token with these values that logs in:
        | id | of digits |
      Then its bearer is the user "system:bootstrap:<token id>"

    Scenario: every token of the cluster
      Then each bearer of the cluster's own tokens is the user of its token id

  @AUTH-005 @MUST
  Rule: The bearer is always in system:bootstrappers

    Why: permissions for all bootstrap tokens are bound to this group.
    Repair, for makers: add the extra groups to the default group; do not replace it.

    Scenario: without groups of its own
      Given a bootstrap token that logs in
      Then its bearer is in the group "system:bootstrappers"

    Scenario: with a group of its own
      Given a bootstrap token with these values that logs in:
        | auth-extra-groups | system:bootstrappers:worker |
      Then its bearer is in the group "system:bootstrappers"

    Scenario: every token of the cluster
      Then each bearer of the cluster's own tokens is in the group "system:bootstrappers"

  @AUTH-006 @MUST
  Rule: The bearer is in every group of the token

    Why: kubeadm binds such a group; a machine that is not in it is refused its certificate.
    Repair, for makers: take all items of auth-extra-groups.

    Scenario: several groups
      Given a bootstrap token with these values that logs in:
        | auth-extra-groups | system:bootstrappers:worker,system:bootstrappers:ingress |
      Then its bearer is in all of these groups:
        | system:bootstrappers:worker  |
        | system:bootstrappers:ingress |

    Scenario: forms of names that upstream's own tests take
      Given a bootstrap token with:
        | auth-extra-groups | system:bootstrappers:foo,system:bootstrappers:foo:bar:baz,system:bootstrappers:foo-42 |
      Then its bearer is in all of these groups:
        | system:bootstrappers:foo         |
        | system:bootstrappers:foo:bar:baz |
        | system:bootstrappers:foo-42      |

    Scenario: the first and the last of many
      Given a bootstrap token with:
        | auth-extra-groups | system:bootstrappers:zz,system:bootstrappers:a,system:bootstrappers:-0 |
      Then its bearer is in all of these groups:
        | system:bootstrappers:zz |
        | system:bootstrappers:a  |
        | system:bootstrappers:-0 |

    Scenario: a dozen
      Given a bootstrap token with:
        | auth-extra-groups | system:bootstrappers:a1,system:bootstrappers:a2,system:bootstrappers:a3,system:bootstrappers:a4,system:bootstrappers:a5,system:bootstrappers:a6,system:bootstrappers:a7,system:bootstrappers:a8,system:bootstrappers:a9,system:bootstrappers:b1,system:bootstrappers:b2,system:bootstrappers:b3 |
      Then its bearer is in all of these groups:
        | system:bootstrappers:a1 |
        | system:bootstrappers:a6 |
        | system:bootstrappers:b3 |

    Scenario: the longest name
      Given a bootstrap token with:
        | auth-extra-groups | system:bootstrappers:<256 letters> |
      Then its bearer is in all of these groups:
        | system:bootstrappers:<256 letters> |

    Scenario: every token of the cluster
      Then each bearer of the cluster's own tokens is in the groups of its Secret

  @AUTH-007 @MUST
  Rule: The bearer is in no other group

    Why: a machine that has not proved who it is must not have the rights of a node.
    Repair, for makers: grant nothing but the default group, the token's own groups and system:authenticated, which
    everybody gets who logs in.

    Scenario: without groups of its own
      Given a bootstrap token that logs in
      Then its bearer is in the default groups and no other

    Scenario: with groups of its own, one of them twice
      Given a bootstrap token with these values that logs in:
        | auth-extra-groups | system:bootstrappers:foo,system:bootstrappers:bar,system:bootstrappers:bar |
      Then its bearer is in the default groups, these, and no other:
        | system:bootstrappers:bar |
        | system:bootstrappers:foo |

    Scenario: every token of the cluster
      Then each bearer of the cluster's own tokens is in no other group

  @AUTH-008 @MUST
  Rule: A token works as soon as its Secret is there

    Why: tokens are made while the cluster runs.
    Repair, for makers: look the Secret up at every login that is not remembered, by its name in kube-system.

    Scenario: a Secret made now
      Given a bootstrap token
      Then its bearer logs in

    Scenario: a Secret made after its token was tried
      Given a bootstrap token whose Secret is not made yet
      Then its bearer is refused
      When its Secret is made
      Then its bearer logs in

    Scenario Outline: a Secret mended after its token was tried, <key>
      Given a bootstrap token with:
        | <key> | <before> |
      Then its bearer is refused
      When its <key> is changed to "<after>"
      Then its bearer logs in

      Examples:
        | key                            | before         | after                       |
        | usage-bootstrap-authentication | false          | true                        |
        | auth-extra-groups              | system:masters | system:bootstrappers:worker |

    Scenario: a token that was refused a moment ago
      Given a bootstrap token with:
        | usage-bootstrap-authentication | false |
      Then its bearer is refused
      When its usage-bootstrap-authentication is changed to "true"
      Then its bearer logs in before a refusal could be forgotten

    Scenario: a Secret that says that it does not change
      Given a bootstrap token with:
        | immutable | true |
      Then its bearer logs in
      When its Secret is deleted
      And the API server can no longer remember a login
      Then its bearer is refused

    Scenario: a Secret that says that it does not change, until it expires
      Given a bootstrap token with:
        | immutable  | true          |
        | expiration | in 25 seconds |
      Then its bearer logs in
      When its time is all but over
      Then its bearer logs in
      When 5 seconds have passed
      And the API server can no longer remember a login
      Then its bearer is refused

  @AUTH-009 @MUST
  Rule: A wrong secret is refused

    Why: the id is public; the secret is all that keeps strangers out.
    Repair, for makers: compare the whole secret half, in constant time.

    Scenario: the right id with other secrets
      Given a bootstrap token that logs in, and another
      Then a login is refused that writes it as:
        | <id>.<secret with another last character>          |
        | <id>.<secret with another first character>         |
        | <id>.<secret with another character in the middle> |
        | <id>.<first 15 of the secret>                      |
        | <id>.<SECRET>                                      |
        | <id>.<secret reversed>                             |
        | <id>.<another secret>                              |
        | <id>.<secret of the other>                         |
        | <id>.0000000000000000                              |

    Scenario: Secrets whose secret half only resembles what is shown
      Given a good bootstrap token, and one for each of these lines:
        | token-secret     |
        | <SECRET>         |
        | <secret>0        |
        | <secret><secret> |
        | "<secret>\n"     |
        | " <secret>"      |
        | "<secret> "      |
        | (empty)          |
        | (absent)         |
      Then the good one logs in and the others are refused

  @AUTH-010 @MUST
  Rule: An unknown id is refused

    Why: a token must be one that somebody has made.
    Repair, for makers: refuse where the Secret is not found, without an error of the server.

    Scenario: the right secret with another id
      Given a bootstrap token that logs in, and another
      Then a login is refused that writes it as:
        | <unknown id>.<secret>      |
        | <ID>.<secret>              |
        | <id of the other>.<secret> |
        | <unknown id>.<SECRET>      |
        | 000000.<secret>            |

  @AUTH-011 @MUST
  Rule: A Secret outside kube-system logs nobody in

    Why: many may write Secrets in their own namespaces.
    Repair, for makers: look in kube-system and nowhere else.

    Scenario: token Secrets elsewhere
      Given a good bootstrap token, and one for each of these lines:
        | namespace   |
        | default     |
        | kube-public |
      Then the good one logs in and the others are refused

  @AUTH-012 @MUST
  Rule: A Secret of another type logs nobody in

    Why: who may write Opaque Secrets in kube-system must not be able to make tokens of them.
    Repair, for makers: compare the type.

    Scenario: other types
      Given a good bootstrap token, and one for each of these lines:
        | type                                      |
        | Opaque                                    |
        | bootstrap.kubernetes.io/Token             |
        | bootstrap.kubernetes.io/token2            |
        | bootstrap.kubernetes.io/toke              |
        | example.com/bootstrap.kubernetes.io/token |
      Then the good one logs in and the others are refused

  @AUTH-013 @MUST
  Rule: A Secret whose name and token-id disagree logs nobody in

    Why: two ids for one Secret are two users for one secret.
    Repair, for makers: compare the id that was presented with both.

    Scenario: under neither id
      Given a good bootstrap token, and one for each of these lines:
        | what                         | token-id   | name                   |
        | the name has another id      | <other id> |                        |
        | the name has no prefix       |            | jp-<id>                |
        | the name goes on             |            | bootstrap-token-<id>-2 |
        | no token-id                  | (absent)   |                        |
        | an empty token-id            | (empty)    |                        |
        | an id of seven characters    | <id>0      | bootstrap-token-<id>0  |
        | the id in capitals           | <ID>       |                        |
        | a blank behind the id        | "<id> "    |                        |
        | a blank before the id        | " <id>"    |                        |
        | an end of line behind the id | "<id>\n"   |                        |
        | the id goes on               | <id>0      |                        |
        | the id twice                 | <id>,<id>  |                        |
        | another name for another id  | <other id> | jp-<id>                |
      Then the good one logs in and the others are refused

  @AUTH-019 @MUST
  Rule: A deleted token logs nobody in

    Why: deleting the Secret is how a leaked token is revoked.
    Repair, for makers: remember logins for seconds at most.

    Scenario: a token that was in use
      Given a bootstrap token that logs in
      When its Secret is deleted
      And the API server can no longer remember a login
      Then its bearer is refused

    Scenario: a token that is used again and again
      Given a bootstrap token that logs in
      When its Secret is deleted
      Then its bearer is refused in the end, though it keeps asking

    Scenario: a token whose deletion a finalizer holds up
      Given a bootstrap token with these values that logs in:
        | finalizer | joinproof.io/held |
      When its Secret is being deleted, held by a finalizer
      And the API server can no longer remember a login
      Then its bearer is refused
      And its Secret is still there

  @AUTH-020 @MUST
  Rule: Another secret half ends the old token and begins a new one

    Why: whoever changes the secret after a leak relies on it.
    Repair, for makers: compare with the Secret as it is now.

    Scenario: the secret half is changed
      Given a bootstrap token that logs in
      When its secret half is changed
      Then its bearer logs in
      When the API server can no longer remember a login
      Then the old secret half is refused

  @AUTH-022 @MUST
  Rule: A failed login is 401, wherever it is tried

    Why: a bad token that is heard as a stranger hides the mistake behind "forbidden", or reads what strangers may
    read.
    Repair, for makers: end the request with 401 when a token was presented and nobody knows it.

    Scenario Outline: <what> at doors that are open to strangers, and others
      Given a bootstrap token that logs in
      Then written as "<writing>" it is refused at every door:
        | /version                                                |
        | /healthz                                                |
        | /livez                                                  |
        | /readyz                                                 |
        | /api                                                    |
        | /nowhere                                                |
        | /api/v1/namespaces/kube-public/configmaps/cluster-info  |
        | /api/v1/namespaces/default/pods                         |
        | /apis/certificates.k8s.io/v1/certificatesigningrequests |

      Examples:
        | what           | writing               |
        | a wrong secret | <id>.<another secret> |
        | an unknown id  | <unknown id>.<secret> |
        | junk behind it | <id>.<secret>.junk    |
        | no token       | nonsense              |

    Scenario: a token that was good, at doors that are open to strangers
      Given a bootstrap token that logs in
      When its usage-bootstrap-authentication is changed to "false"
      And the API server can no longer remember a login
      Then written as "<id>.<secret>" it is refused at every door:
        | /version                                               |
        | /api/v1/namespaces/kube-public/configmaps/cluster-info |

  @AUTH-023 @MUST
  Rule: What a token may not do is 403, and not 401

    Why: the two have different repairs: another token, or another binding.
    Repair, for makers: answer 403 with the name of the user.

    Scenario: something that no token may
      Given a bootstrap token that logs in
      Then its bearer is forbidden to read:
        | /api/v1/namespaces/kube-system/secrets          |
        | /api/v1/secrets                                 |
        | /apis/rbac.authorization.k8s.io/v1/clusterroles |

    Scenario: every token of the cluster
      Then each bearer of the cluster's own tokens is forbidden to list Secrets

  @AUTH-024 @MUST
  Rule: A token may do what its groups may do, and nothing else

    Why: rights that are tied to the kind of user cannot be seen in any binding, nor taken away.
    Repair, for makers: decide by the groups, through RBAC.

    Scenario: compared with another user of the same groups
      Given a bootstrap token that logs in
      Then its permissions are those of another user in the same groups, in each of these namespaces:
        | kube-system |
        | kube-public |
        | default     |

    Scenario: asked one by one
      Given a bootstrap token of the group that kubeadm binds
      Then another user in its groups is told the same of:
        | verb        | what                                                      | where                |
        | get, list   | secrets, configmaps                                       | kube-system, default |
        | create      | pods, serviceaccounts/token                               | kube-system          |
        | get, patch  | nodes                                                     |                      |
        | escalate    | clusterroles.rbac.authorization.k8s.io                    |                      |
        | create      | clusterrolebindings.rbac.authorization.k8s.io             |                      |
        | delete      | certificatesigningrequests.certificates.k8s.io            |                      |
        | update      | certificatesigningrequests/approval.certificates.k8s.io   |                      |
        | create      | certificatesigningrequests/nodeclient.certificates.k8s.io |                      |
        | approve     | signers.certificates.k8s.io                               |                      |
        | impersonate | users                                                     |                      |
        | get         | /metrics                                                  |                      |

  @AUTH-025 @MUST
  Rule: A token outside the group that kubeadm binds may not ask for a certificate

    Why: tokens are used for other things, too; only those of this group are meant to make nodes.
    Repair: bind "system:bootstrappers:kubeadm:default-node-token" and not "system:bootstrappers".

    Scenario: a token without groups of its own
      Given a bootstrap token that logs in
      Then its bearer is forbidden to ask for a certificate
      But a bootstrap token of the group that kubeadm binds may ask for one

    Scenario: a token of groups that only resemble that one
      Given a bootstrap token with these values that logs in:
        | auth-extra-groups | system:bootstrappers:kubeadm:default-node-tokenx,system:bootstrappers:default-node-token |
      Then its bearer is forbidden to ask for a certificate
      But a bootstrap token of the group that kubeadm binds may ask for one

  @AUTH-026 @MAY
  Rule: Any authenticator may vouch for a joining machine

    Why: token files, certificates and other means serve as well; what counts is the group.
    Repair, for makers: do not tie certificate requests to users named system:bootstrap:.

    Scenario: users of other authenticators
      Then each of these, in the group that kubeadm binds, may ask for a certificate:
        | a user of a token file        |
        | a service account             |
        | a user named by a certificate |
