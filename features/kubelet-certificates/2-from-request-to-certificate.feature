Feature: From the request to the certificate

  A machine asks with its token. The approver of the controller manager asks RBAC whether the requester may have its request approved;
  the signer signs what is approved, with the cluster's CA. Whoever asks, the API server writes down who it was.

  @CSR-009 @MUST
  Rule: A joining token may ask for a certificate

    Why: without it no machine joins.
    Repair: run "kubeadm init phase bootstrap-token".

    Scenario: a request
      Given a cluster that kubeadm has set up
      And a bootstrap token of the group that kubeadm binds
      Then its bearer may ask for a certificate for a node

  @CSR-010 @MUST
  Rule: A joining token may see what became of its request

    Why: without it the kubelet asks and never learns the answer.
    Repair: let the ClusterRole "system:node-bootstrapper" grant create, get, list and watch.

    Scenario: get, list and watch
      Given a cluster that kubeadm has set up
      And a bootstrap token of the group that kubeadm binds
      When its bearer asks for a certificate for a node
      Then its bearer can get, list and watch the request

    Scenario: the certificate
      Given a cluster that kubeadm has set up
      And a bootstrap token of the group that kubeadm binds
      When its bearer asks for a certificate for a node
      Then its bearer sees the certificate once it is issued

  @CSR-011 @MUST
  Rule: The API server writes down who asked

    Why: the approver judges by it; what the client claims is worth nothing.
    Repair, for makers: write down the authenticated user, whatever the body says; ignore status on creation.

    Scenario: a request that claims to come from an administrator
      Given a bootstrap token of the group that kubeadm binds
      When its bearer asks for a certificate for a node and claims to be "system:admin" in "system:masters"
      Then the stored request names the token's user and groups
      And nothing that was claimed besides is written down

    Scenario: a request of a service account
      Given a cluster of ours that kubeadm has set up
      And a service account that may ask for certificates
      When it asks for a certificate for a node
      Then the stored request names the account, its UID and its groups

    Scenario: a request that comes approved and signed
      Given a bootstrap token of the group that kubeadm binds
      When its bearer asks for a certificate for a node and sends the approval along
      Then the stored request had no approval when it was taken

  @CSR-012 @MUST
  Rule: Asking needs a permission

    Why: whoever may ask can fill the cluster with requests, and be approved by mistake.
    Repair: start kube-apiserver with --authorization-mode=Node,RBAC.

    Scenario: a token of no bound group
      Given a bootstrap token of the group that kubeadm binds
      And a bootstrap token of a group that nobody binds
      Then the bearer of the first may ask for a certificate, and the bearer of the second may not

  @CSR-013 @MUST
  Rule: A proper request is approved without a human

    Why: kubeadm join waits five minutes for it.
    Repair: leave the controller csrapproving on, and run "kubeadm init phase bootstrap-token" for the binding.

    Scenario Outline: first certificate of <request>
      Given a cluster that kubeadm has set up
      And a bootstrap token of the group that kubeadm binds
      When its bearer asks for a certificate for <request>
      Then the request is approved automatically

      Examples:
        | request                               |
        | a node                                |
        | a node, as kubelets with RSA keys ask |
        | a node that is named as in a domain   |

  @CSR-014 @MUST
  Rule: Automatic approval is a permission of the requester

    Why: an approver that looks at the request alone gives a node's certificate to everybody who may ask.
    Repair: leave approval to csrapproving; bind the nodeclient role to those who may join.

    Scenario: the same request from somebody without the permission
      Given a bootstrap token of the group that kubeadm binds
      And a user who may ask for certificates but not have them approved
      When both ask for a certificate for a node
      Then the request of the token is approved, and that of the user is not

    Scenario: the same request from somebody who may renew a certificate of its own name alone
      Given a bootstrap token of the group that kubeadm binds
      And a user who may ask for certificates and have those of its own name approved
      When both ask for a certificate for a node
      Then the request of the token is approved, and that of the user is not

    Scenario: a permission that comes later
      Given a cluster of ours that kubeadm has set up
      And a request for a node, of a user who may not have it approved
      When the user is allowed to have it approved
      Then the request is approved automatically

    Scenario: a permission for the requests of all nodes, of who asks for himself
      Given a request for itself, of who bears the name of a node and may have requests of nodes approved
      Then the request is approved automatically

  @CSR-015 @MUST
  Rule: A person can approve

    Why: it is the way where automatic approval is off, and for serving certificates the only one.
    Repair: give the person update on certificatesigningrequests/approval and approve on the signer.

    Scenario: an administrator approves
      Given a request that nobody approves automatically
      When an administrator approves it
      Then a certificate is issued

  @CSR-016 @MUST
  Rule: Some way leads to approval

    Why: with neither, every join ends after five minutes: failed while waiting for TLS bootstrap.
    Repair: leave csrapproving on, or run an approver of your own.

    Scenario: from the token to the certificate
      Given a bootstrap token of the group that kubeadm binds
      When its bearer asks for a certificate for a node
      Then a certificate is issued

  @CSR-017 @MUST
  Rule: Nothing is issued before approval

    Why: approval would mean nothing.
    Repair: take out the signer that does it; the built-in one waits for the condition Approved.

    Scenario: requests of every signer that wait, beside one that is approved
      Given requests that nobody approves:
        | request                                          |
        | an API client that nobody approves automatically |
        | an API client of a signer that nobody runs       |
        | a node's server                                  |
      And a request that an administrator approves
      Then the approved one has a certificate, and the others have none

    Scenario: a node's request that waits, beside one that is approved
      Given a user who may ask for certificates but not have them approved
      And a request of that user for a node
      And a request that an administrator approves
      Then the approved one has a certificate, and the others have none

  @CSR-018 @MUST
  Rule: What is denied is not signed

    Why: a denial would mean nothing.
    Repair: take out the signer that does it.

    Scenario: denied requests of every signer, beside one that is approved
      Given requests that an administrator has denied:
        | request                                          |
        | an API client that nobody approves automatically |
        | an API client of a signer that nobody runs       |
        | a node's server                                  |
      And a request that an administrator approves
      Then the approved one has a certificate, and the others have none

    Scenario: a node's request that was denied, beside one that is approved
      Given a user who may ask for certificates but not have them approved
      And a request of that user for a node, which an administrator has denied
      And a request that an administrator approves
      Then the approved one has a certificate, and the others have none

  @CSR-019 @MUST
  Rule: The cluster's CA signs

    Why: a certificate of another CA is refused with 401.
    Repair: let --cluster-signing-cert-file of kube-controller-manager be the CA that the API server accepts clients from.

    Scenario: what nodes, API clients and servers are given
      Given certificates that nodes, API clients and servers were given
      Then each of them is signed by the cluster's CA

  @CSR-020 @MUST
  Rule: The certificate is for the key of the request

    Why: for any other key it is useless, or somebody else's.
    Repair: take out the signer that does it.

    Scenario: what joining nodes are given
      Given certificates that joining nodes were given
      Then each of them is for the key of its request

  @CSR-021 @MUST
  Rule: The certificate is for the subject of the request

    Why: the API server takes the user and its groups from it.
    Repair: take out the signer that does it.

    Scenario: what joining nodes are given
      Given certificates that joining nodes were given
      Then each of them names the node and its group as the request did

  @CSR-022 @MUST
  Rule: The certificate is for clients and not for servers

    Why: a client certificate that serves could pose as the API server to whoever trusts the CA.
    Repair: let the signer take the extended usages from the request's usages.

    Scenario: what joining nodes are given
      Given certificates that joining nodes were given
      Then each of them is good for clients and not for servers

  @CSR-023 @MUST
  Rule: The certificate is delivered as PEM in the request's status

    Why: that is where the kubelet looks.
    Repair: take out the signer that puts it elsewhere.

    Scenario: what joining nodes are given
      Given certificates that joining nodes were given
      Then the status of each of their requests holds one PEM block "CERTIFICATE"

  @CSR-024 @MUST
  Rule: The certificate logs in as the node

    Why: the node's rights are bound to that name and group.
    Repair: let --client-ca-file of kube-apiserver hold the CA that signs.

    Scenario: a node's first certificate
      Given a node that has joined with a bootstrap token
      Then the API server knows it as its node, in the group of nodes

  @CSR-025 @MUST
  Rule: The controller manager signs

    Why: the key of the CA has no business in the API server (document 004 says that the API server signs: erratum).
    Repair: take the CA's key away from whatever else signs.

    Scenario: what nodes, API clients and servers are given
      Given certificates that nodes, API clients and servers were given
      Then each of them was written by the controller manager

    Scenario: every certificate that the cluster holds
      Given the certificate requests of the cluster
      Then each certificate of a signer of Kubernetes was written by the controller manager

  @CSR-026 @MUST
  Rule: Without the CA's key the built-in signer does nothing

    Why: in external CA mode certificates come from elsewhere; a signer with a CA of its own would issue certificates that nobody accepts.
    Repair: leave --cluster-signing-cert-file and --cluster-signing-key-file empty where the CA's key is not there.

    Scenario: external CA
      Given a certificate is issued for a request that an administrator approves
      And a cluster of ours whose controller manager has no key of the CA
      And a request that an administrator approves
      Then no certificate is issued for it

  @CSR-028 @MUST
  Rule: The bootstrap identity may do all that joining takes

    Why: one missing permission ends the join, each at another place.
    Repair: run "kubeadm init phase bootstrap-token".

    Scenario: three permissions
      Given a cluster that kubeadm has set up
      Then joining tokens are allowed to:
        | verb   | what                                                      |
        | create | certificatesigningrequests.certificates.k8s.io            |
        | get    | certificatesigningrequests.certificates.k8s.io            |
        | create | certificatesigningrequests.certificates.k8s.io/nodeclient |
      And the flag "controllers" of kube-controller-manager, where it is published, does not switch off "csrapproving"

  @CSR-035 @MUST
  Rule: A request is stored as it was sent

    Why: the signature covers the bytes.
    Repair, for makers: store spec.request as it came, and refuse to change it.

    Scenario Outline: a request with <form>
      Given a bootstrap token of the group that kubeadm binds
      When its bearer asks for a certificate for a node, sent with <form>
      Then the stored request is byte for byte what was sent

      Examples:
        | form                     |
        | a comment before it      |
        | a comment behind it      |
        | no line end behind it    |
        | the line ends of Windows |

    Scenario: a request that somebody tries to change
      Given a request that nobody approves automatically
      Then no attempt of an administrator changes it:
        | attempt                                            |
        | put another request in its place                   |
        | put another request in its place with its approval |
        | put another request in its place with its status   |

  @P-57 @MUST
  Rule: What was asked for stays as it was

    Why: whoever approves has read it; what is signed afterwards has to be the same.
    Repair, for makers: keep spec whatever an update says; take approvals and certificates through their own paths only.

    Scenario: a request that waits
      Given a request that nobody approves automatically
      Then no attempt of an administrator changes it:
        | attempt                                  |
        | name another signer                      |
        | ask for other usages                     |
        | ask for another life                     |
        | name another requester                   |
        | name another signer with its approval    |
        | ask for other usages with its approval   |
        | ask for another life with its approval   |
        | name another requester with its approval |
        | name another signer with its status      |
        | ask for other usages with its status     |
        | ask for another life with its status     |
        | name another requester with its status   |
        | approve it with itself                   |
        | approve it with its status               |
        | deny it with itself                      |
        | deny it with its status                  |
        | decide that it is not approved           |
        | leave open whether it is denied          |
        | decide that it has not failed            |
        | note something twice                     |
        | note something of no type                |
        | note something of no status              |
        | note something that is perhaps so        |
        | fail it with itself                      |
        | sign it with itself                      |
        | sign it with its approval                |

  @P-56 @MUST
  Rule: Decisions and certificates are final

    Why: who has seen an approval, a denial or a certificate relies on it; what can be taken back can be hidden.
    Repair, for makers: refuse updates that remove or contradict a decision, or replace a certificate.

    Scenario: a request that was approved and signed
      Given a certificate is issued for a request that an administrator approves
      Then no attempt of an administrator changes it:
        | attempt                                |
        | take its decision back with its status |
        | reword its decision with its status    |
        | deny it instead                        |
        | take its decision back                 |
        | deny it as well                        |
        | put another certificate in its place   |
        | take its certificate away              |

    Scenario: a request that was denied
      Given a request that an administrator denies
      Then no attempt of an administrator changes it:
        | attempt                             |
        | approve it instead                  |
        | reword its decision with its status |
        | take its decision back              |
        | approve it as well                  |

    Scenario: a request that has failed
      Given a request that an administrator marks as failed
      Then no attempt of an administrator changes it:
        | attempt               |
        | take its failure back |

    Scenario: every request of the cluster
      Given the certificate requests of the cluster
      Then no request was decided twice

  @P-338 @MUST
  Rule: A decision is written down as it was made, with its times

    Why: whoever has asked learns from it why nothing came of the request, and the cleaner counts from its time.
    Repair, for makers: keep the words of a condition, and times that come along; fill in those that do not.

    Scenario: every kind of condition
      Then what an administrator writes of a request is held as it was sent:
        | decision              | times |
        | approved              |       |
        | denied                |       |
        | failed                |       |
        | noted with approvals  |       |
        | noted with the status |       |
        | failed with approvals |       |
        | approved              | sent  |
        | denied                | sent  |
        | failed                | sent  |

    Scenario: other words
      Then a decision whose words are changed keeps the time of its transition

    Scenario: another status
      Then a note whose status is changed gets another time of its transition

    Scenario: a note that is over
      Then a note is taken back

    Scenario: whatever version it has
      Then a decision is taken that names no version

    Scenario: beside what controllers decide
      Given a cluster of ours that kubeadm has set up
      And a request for a node, of a user who may not have it approved
      When an administrator notes something of it
      And the user is allowed to have it approved
      Then the request is approved automatically
      And a certificate is issued
      And what was noted of it stays

  @P-55 @MUST
  Rule: Approving and signing take a right on the signer

    Why: without it whoever may write approvals approves administrators, and whoever may write a status signs for all.
    Repair: leave the admission plugins CertificateApproval and CertificateSigning on.

    Scenario: approving, by somebody who may approve for kubelets alone
      Then the controller of certificates is forbidden to approve:
        | request                                          |
        | an API client that nobody approves automatically |
        | a node's server                                  |
        | an API client of a signer that nobody runs       |

    Scenario: signing, by somebody who may sign for Kubernetes alone
      Then the controller of certificates is forbidden to sign:
        | request                                    |
        | an API client of a signer that nobody runs |

    Scenario: approving, by a right on a name
      Given certificate requests for these signers:
        | joinproof.invalid/nobodys-signer |
      Then one for "joinproof.invalid/nobodys-signer" is approved by who may approve for:
        | joinproof.invalid/nobodys-signer |
        | joinproof.invalid/*              |
      And one for "joinproof.invalid/nobodys-signer" is not approved by who may approve for:
        | *                                 |
        | */*                               |
        | kubernetes.io/*                   |
        | joinproof.invalid                 |
        | invalid/*                         |
        | nobodys-signer                    |
        | joinproof.invalid/nobodys-signer2 |
        | joinproof.invalid/nobodys         |
        | Joinproof.invalid/nobodys-signer  |

    Scenario: approving, by a right on a domain whose name is a part of another
      Given certificate requests for these signers:
        | kubernetes.io.joinproof.invalid/signer |
      Then one for "kubernetes.io.joinproof.invalid/signer" is approved by who may approve for:
        | kubernetes.io.joinproof.invalid/* |
      And one for "kubernetes.io.joinproof.invalid/signer" is not approved by who may approve for:
        | kubernetes.io/*     |
        | kubernetes/*        |
        | joinproof.invalid/* |

    Scenario: signing, by a right on a name
      Given certificate requests for these signers:
        | joinproof.invalid/nobodys-signer |
      Then one for "joinproof.invalid/nobodys-signer" is signed by who may sign for:
        | joinproof.invalid/nobodys-signer |
        | joinproof.invalid/*              |
      And one for "joinproof.invalid/nobodys-signer" is not signed by who may sign for:
        | *                                 |
        | kubernetes.io/*                   |
        | joinproof.invalid/nobodys-signer2 |

    Scenario: one deed by a right to the other
      Given certificate requests for these signers:
        | joinproof.invalid/nobodys-signer |
      Then one for "joinproof.invalid/nobodys-signer" is approved by who may approve for:
        | joinproof.invalid/nobodys-signer |
      And one for "joinproof.invalid/nobodys-signer" is not approved by who may sign for:
        | joinproof.invalid/nobodys-signer |
      And one for "joinproof.invalid/nobodys-signer" is not signed by who may approve for:
        | joinproof.invalid/nobodys-signer |

  @P-58 @SHOULD
  Rule: Requests are cleaned away in time, and not before

    Why: a trail that goes at once tells nothing; one that stays for ever fills the cluster.
    Repair: leave csrcleaner on in --controllers of kube-controller-manager.

    Scenario: an hour after the decision, a day without one
      Given a cluster of ours whose clock may be moved far
      And requests that wait, and such as were issued, denied, failed and approved in vain
      Then 50 minutes later all of them are there
      And 80 minutes later only those that wait and the one approved in vain are there
      And one of them that is issued and one that is denied by then are there 55 minutes later
      And 20 hours later the other is there, 4 hours later it is gone

    Scenario: a day and an hour at most, whenever it is swept
      Given a cluster of ours whose clock may be moved far
      And two requests that wait, the second made half an hour after the first
      Then each of them is gone a day and an hour after it was made

    Scenario: the first half minute, whoever cleans
      Given requests that wait, that are denied and that are approved, whatever becomes of them
      Then none of them is cleaned away

    Scenario: a certificate that has ended
      Given a cluster of ours whose clock may be moved far
      And requests for certificates of ten minutes, one made and issued a quarter of an hour after the other
      Then one of them is cleaned away before it is an hour old

    Scenario: noted, and never decided
      Given a cluster of ours whose clock may be moved far
      And a request that somebody has noted something of
      Then it is there 30 hours later

    @since:1.35
    Scenario: approved, and never issued
      Given a cluster of ours whose clock may be moved far
      And a request that is approved in vain
      Then it is there 23 hours later, and gone 3 hours after that

    @since:1.35
    Scenario: approved and never issued, a day and an hour at most
      Given a cluster of ours whose clock may be moved far
      And two requests that are approved in vain, the second made half an hour after the first
      Then each of them is gone a day and an hour after it was made

  @CSR-036 @MUST
  Rule: Another signer's requests are not approved as a node's

    Why: the signer for API clients takes any subject.
    Repair: take out the approver that does it.

    Scenario: a node's request with the signers of others
      Given a bootstrap token of the group that kubeadm binds
      When its bearer asks for a certificate for each of:
        | request                                                     |
        | a node, with the signer kubernetes.io/kube-apiserver-client |
        | a node, with a signer that nobody runs                      |
      And its bearer asks for a certificate for a node
      Then the request for the node is approved, and none of the others is

  @CSR-037 @MUST
  Rule: Only the names of nodes are approved

    Why: a name that only begins like a node's is somebody else's.
    Repair: take out the approver that does it.

    Scenario: names that begin almost like a node's
      Given a bootstrap token of the group that kubeadm binds
      When its bearer asks for a certificate for each of:
        | request                                          |
        | the name system:nodex:jp in the group of nodes   |
        | the name System:Node:jp in the group of nodes    |
        | the name system:node in the group of nodes       |
        | the name jp:system:node:jp in the group of nodes |
      And its bearer asks for a certificate for a node
      Then the request for the node is approved, and none of the others is

  @P-51 @MUST
  Rule: A node's client certificate with names of hosts or other usages is not approved automatically

    Why: the signer grants what is approved, so that a token would get a server's certificate of the cluster's CA.
    Repair: take out the approver that does it; the built-in one takes client auth and digital signature, at most key
    encipherment besides, and no names.

    Scenario: a node that asks for more than a client needs
      Given a bootstrap token of the group that kubeadm binds
      When its bearer asks for a certificate for each of:
        | request                                          |
        | a node that may serve as well                    |
        | a node that may serve and nothing else           |
        | a node for any usage                             |
        | a node that may sign certificates                |
        | a node with the usage client auth alone          |
        | a node with the usage digital signature alone    |
        | a node without the usage digital signature       |
        | a node with the usage signing as well            |
        | a node with the usage content commitment as well |
        | a node with the usage key agreement as well      |
        | a node with the usage data encipherment as well  |
        | a node with the usage crl sign as well           |
        | a node with the usage encipher only as well      |
        | a node with the usage decipher only as well      |
        | a node with the usage code signing as well       |
        | a node with the usage email protection as well   |
        | a node with the usage s/mime as well             |
        | a node with the usage ipsec end system as well   |
        | a node with the usage ipsec tunnel as well       |
        | a node with the usage ipsec user as well         |
        | a node with the usage timestamping as well       |
        | a node with the usage ocsp signing as well       |
        | a node with the usage microsoft sgc as well      |
        | a node with the usage netscape sgc as well       |
        | a node with the host name of the API server      |
        | a node with an IP address                        |
        | a node with an e-mail address                    |
        | a node with a URI                                |
      And its bearer asks for a certificate for a node
      Then the request for the node is approved, and none of the others is

  @P-59 @MUST
  Rule: Signers sign only what is theirs, whoever has approved it

    Why: an approval given by mistake would make an administrator of a node, or a server of a client.
    Repair: take out the signer that does it; the built-in ones mark such a request as Failed.

    Scenario: approved by an administrator all the same
      Given requests that an administrator has approved:
        | request                                            |
        | the user admin in no group                         |
        | an administrator in the group system:masters       |
        | a node that is in the group system:masters as well |
        | a node with the host name of the API server        |
        | a node that may serve as well                      |
        | an API client that may serve as well               |
        | an API client that may sign certificates           |
        | an API client that may sign code                   |
        | an API client for any usage                        |
        | an API client that is none                         |
        | a node's server that names nothing                 |
        | a node's server with a URI                         |
        | a node's server with an e-mail address             |
        | a node's server that logs in as well               |
        | a node's server in the group system:masters        |
        | a node's server that is in another group as well   |
        | a server under a name that is no node's            |
      And a request that an administrator approves
      Then the approved one has a certificate, and the others have none

    Scenario: marked as failed, and approved all the same
      Given a request that an administrator marks as failed and approves
      And a request that an administrator approves
      Then the approved one has a certificate, and the others have none

  @P-337 @MUST
  Rule: What a signer refuses is marked as failed, and says why

    Why: otherwise the request waits for ever, and whoever has asked never learns what is wrong with it.
    Repair, for makers: add the condition Failed with reason SignerValidationFailure and the rule that is broken.

    Scenario: approved by an administrator all the same
      Then its signer marks as failed, once it is approved:
        | request                                               | because                 |
        | the user admin in no group                            | its organization        |
        | the group system:nodes under a name that is no node's | its common name         |
        | a node with the host name of the API server           | a DNS name              |
        | a node with an IP address                             | an IP address           |
        | a node with an e-mail address                         | an e-mail address       |
        | a node with a URI                                     | a URI                   |
        | a node that may serve as well                         | its usages              |
        | a node's server that names nothing                    | no name                 |
        | a node's server with an e-mail address                | an e-mail address       |
        | a node's server that logs in as well                  | its usages              |
        | a node's server with an RSA key that logs in as well  | its usages              |
        | a node's server in the group system:masters           | its organization        |
        | a server under a name that is no node's               | its common name         |
        | an API client that may serve as well                  | a usage                 |
        | an API client with the usage signing as well          | the usage signing       |
        | an API client with the usage key agreement as well    | the usage key agreement |
        | an API client that is none                            | no usage for clients    |

  @P-380 @MUST
  Rule: Signers sign whatever is theirs, just as it was asked for

    Why: a server without its address, or a key that may not encrypt where RSA needs it, fails when it is connected to.
    Repair, for makers: refuse nothing that the rules of the signer let through; take every name and every usage of it.

    Scenario: approved by an administrator
      Then its signer signs, once it is approved, just what is asked for:
        | a node's server, by its name alone                        |
        | a node's server, by its address alone                     |
        | a node's server, as kubelets with RSA keys ask            |
        | an API client, as those with RSA keys ask                 |
        | an API client with the usage client auth alone            |
        | an API client of two names, units and names of every kind |
        | an API client of groups alone                             |
        | an API client, for a key of Ed25519                       |
        | an API client, for a key of RSA                           |

  @P-54 @MUST
  Rule: The cluster's signers leave the requests of other signers alone

    Why: whoever owns the signer's name decides what its certificates say, and with which CA it signs.
    Repair: take out the signer that does it.

    Scenario: a request of a signer that nobody runs
      Given requests that an administrator has approved:
        | request                                                            |
        | an API client of a signer that nobody runs                         |
        | a node, with a signer that nobody runs                             |
        | an API client of a signer whose name begins as that of the cluster |
        | a node, with a signer whose name begins as that of the cluster     |
        | a node, with a signer whose name ends as that of the cluster       |
      And a request that an administrator approves
      Then the approved one has a certificate, and the others have none

  @P-25 @MUST
  Rule: A certificate belongs to its request

    Why: the API compares nothing; with another key, name or usage the certificate is somebody else's.
    Repair: take out the signer that does it, and delete the request that is named.

    Scenario: what nodes, API clients and servers are given
      Given certificates that nodes, API clients and servers were given
      Then each of them belongs to its request

    Scenario: every certificate that the cluster holds
      Given the certificate requests of the cluster
      Then each certificate of a signer of Kubernetes belongs to its request

    Scenario: what is no certificate
      Given a request that nobody approves automatically
      Then no attempt of an administrator changes it:
        | attempt                                       |
        | put a text in the place of its certificate    |
        | put no certificate into its PEM               |
        | put a certificate of another label in its place |
        | put a request in the place of its certificate |
        | put a key beside its certificate              |
        | put a header into its PEM                     |

    Scenario: what may stand around one
      Then a certificate is taken with a text before it and behind it

  @P-50 @MUST
  Rule: Nobody is made an authority

    Why: whoever holds a certificate that may sign certificates is whoever he likes.
    Repair: take out the signer that does it; replace the CA if such a certificate was issued.

    Scenario: what nodes, API clients and servers are given
      Given certificates that nodes, API clients and servers were given
      Then none of them is an authority

    Scenario: every certificate that the cluster holds
      Given the certificate requests of the cluster
      Then no certificate of a signer of Kubernetes is an authority

  @P-52 @SHOULD
  Rule: A certificate lives no longer than was asked for

    Why: who asks for an hour wants the certificate to be worth nothing afterwards.
    Repair: use a signer that heeds spec.expirationSeconds, as the built-in ones do.

    Scenario: what nodes, API clients and servers are given
      Given certificates that nodes, API clients and servers were given
      Then each of them lives as long as was asked for

    Scenario: every certificate that the cluster holds
      Given the certificate requests of the cluster
      Then each certificate lives no longer than was asked for

  @P-53 @MUST
  Rule: No certificate outlives the CA that has signed it

    Why: after the end of the CA it is refused with 401, whatever it says itself.
    Repair: leave --cluster-signing-duration below the rest of the CA's life, or renew the CA.

    Scenario: what nodes, API clients and servers are given
      Given certificates that nodes, API clients and servers were given
      Then none of them ends after the CA that has signed it

    Scenario: every certificate that the cluster holds
      Given the certificate requests of the cluster
      Then no certificate ends after the accepted CA that has signed it

    Scenario: a signer that signs for longer than its CA lives
      Given a cluster of ours that signs for twenty years
      And a certificate that a joining node of it was given
      Then none of them ends after the CA that has signed it

  @P-60 @MUST
  Rule: Every certificate has a serial number of its own

    Why: by it a certificate is told from others of its CA, in audit logs and lists of what was revoked.
    Repair: take out the signer that does it.

    Scenario: what nodes, API clients and servers are given
      Given certificates that nodes, API clients and servers were given
      Then each of them has a serial number of its own

    Scenario: every certificate that the cluster holds
      Given the certificate requests of the cluster
      Then each certificate has a serial number of its own

  @P-335 @SHOULD
  Rule: A certificate is made as Kubernetes makes it

    Why: a number that can be guessed lets a collision be prepared, a certificate that begins now is not yet valid on a
    machine whose clock is behind, nobody reads an extension that a requester has written, and what says only by the way
    that it is no authority is taken for one by who knows nothing of that.
    Repair, for makers: draw the serial number from 64 random bits or more, let the certificate begin five minutes ago,
    take of the request its key, subject and alternative names alone, and have usages and constraints critical.

    Scenario: what nodes, API clients and servers are given
      Given certificates that nodes, API clients and servers were given
      Then each of them is as the built-in signer makes it

  @CSR-039 @MUST
  Rule: The API for certificate requests is served

    Why: without it every bootstrap ends in 404.
    Repair: leave certificates.k8s.io/v1 on in --runtime-config.

    Scenario: its resources
      Then the API server offers certificate requests with their approval and status

  @BOOT-007 @MUST
  Rule: The machine asks as its token

    Why: the approver asks what that user may.
    Repair: give the kubelet the token in its bootstrap kubeconfig.

    Scenario: every request of a kubelet
      Given the certificate requests of the cluster
      Then each request of a kubelet was made by somebody who had logged in

    Scenario: the first request of a machine
      Given a machine with a bootstrap token
      When the machine bootstraps
      Then the stored request names the token's user and groups

    Scenario: without a token
      Given a bootstrap token of the group that kubeadm binds
      Then nobody may ask for the same without a token

  @BOOT-015 @MUST
  Rule: A certificate of another CA opens nothing

    Why: anybody can make a certificate that says it is a node.
    Repair: let --client-ca-file of kube-apiserver hold the cluster's CA and no other.

    Scenario: a certificate that a stranger made
      Then a self-made certificate for a node is refused as unauthorized

  @BOOT-018 @MUST
  Rule: A node's certificate must be of this cluster, and a good one

    Why: the subject alone proves nothing.
    Repair: let --client-ca-file of kube-apiserver hold the cluster's CA and no other.

    Scenario: the same name from two CAs
      Given a node that has joined with a bootstrap token
      Then its certificate logs in
      And a certificate with the same subject from another cluster's CA is refused as unauthorized

  @P-65 @MUST
  Rule: A forged certificate opens nothing

    Why: what a node holds must not be enough to become somebody else, or to stay for ever.
    Repair: let no proxy before kube-apiserver look at certificates without checking them to the cluster's CA.

    Scenario: what can be made of a node's certificate and its key
      Given a node that has joined with a bootstrap token
      Then its certificate logs in
      And a certificate is refused as unauthorized:
        | whose signature was changed                               |
        | whose name was changed after it was signed                |
        | that is signed by itself                                  |
        | of another CA that comes along with it                    |
        | of another CA, before a good one                          |
        | that the node has issued to an administrator with its own |

  @P-66 @MUST
  Rule: A serving certificate logs in nowhere

    Why: the same CA signs for clients and for servers; only the usage tells them apart.
    Repair, for makers: take client certificates whose extended usage names client authentication, or names none.

    Scenario: a node's serving certificate, beside its client certificate
      Given a node that has joined with a bootstrap token
      Then its certificate logs in
      When the node asks for a serving certificate, which an administrator approves
      Then its serving certificate is refused as unauthorized

  @P-67 @MUST
  Rule: A good certificate counts before a token, and a good token where the certificate is refused

    Why: a proxy or a kubeconfig may carry both; whose request it is must not depend on chance.
    Repair, for makers: ask the authenticators in the order of kube-apiserver, and the next where one refuses.

    Scenario: both in one request
      Given a node that has joined with a bootstrap token
      And a bootstrap token that logs in as well
      Then a request is told to be of:
        | whose                   | it shows                                      |
        | the node                | its certificate and the token                 |
        | the node                | its certificate and a token that nobody knows |
        | the bearer of the token | a forged certificate and the token            |
