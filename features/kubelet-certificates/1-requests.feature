Feature: The requests that kubelets have made

  A joining kubelet makes a key, asks for a client certificate in the name of its node, and later asks again before that one ends.
  The requests stay for an hour or so after they were answered; each that the cluster still holds is looked at.

  @CSR-001 @MUST
  Rule: A kubelet's request names the signer for kubelets

    Why: another signer has other rules; the approver passes over it, or the certificate opens other doors.
    Repair: ask with signerName kubernetes.io/kube-apiserver-client-kubelet.

    Scenario: every request that a bootstrap token has made
      Given the certificate requests of the cluster
      Then each request of a bootstrap token names the signer "kubernetes.io/kube-apiserver-client-kubelet"

  @CSR-002 @MUST
  Rule: A kubelet asks in the name of its node

    Why: the API server knows a node by CN system:node:<name>; an empty name, or one that no Node can have, is signed and
    opens nothing, and may look like that of another machine.
    Repair: ask with the common name system:node:<name of the Node>.

    Scenario: every client certificate request of a kubelet
      Given the certificate requests of the cluster
      Then each request for a kubelet's client certificate has a common name "system:node:" and a name

  @CSR-003 @MUST
  Rule: A kubelet asks for the group of nodes and for no other

    Why: every O becomes a group; system:masters among them is the cluster.
    Repair: ask with the one organization system:nodes.

    Scenario: every client certificate request of a kubelet
      Given the certificate requests of the cluster
      Then each request for a kubelet's client certificate has exactly the organization "system:nodes"

  @CSR-004 @MUST
  Rule: A node's name is in lower case

    Why: names of Nodes are in lower case, so a certificate for another spelling belongs to no Node.
    Repair: let the kubelet lower its host name, as it does by itself, or correct --hostname-override.

    Scenario: every client certificate request of a kubelet
      Given the certificate requests of the cluster
      Then each request for a kubelet's client certificate has its common name in lower case

  @CSR-005 @MUST
  Rule: A kubelet's client certificate is for clients

    Why: with "server auth" the same certificate could pose as a server.
    Repair: ask for the usages digital signature and client auth, and key encipherment for RSA keys only.

    Scenario: every client certificate request of a kubelet
      Given the certificate requests of the cluster
      Then each request for a kubelet's client certificate is for clients and not for servers

  @CSR-006 @SHOULD
  Rule: A kubelet's client certificate names no hosts

    Why: the approver refuses names in it, and a client needs none.
    Repair: ask without subject alternative names.

    Scenario: every client certificate request of a kubelet
      Given the certificate requests of the cluster
      Then each request for a kubelet's client certificate has no alternative names

  @CSR-007 @MUST
  Rule: A request proves that its sender holds the key

    Why: otherwise one could get certificates for the keys of others.
    Repair: sign the request with its own key; an API server refuses one that is not.

    Scenario: every request of the cluster
      Given the certificate requests of the cluster
      Then each request is a PEM block "CERTIFICATE REQUEST" that is signed with its own key

    Scenario Outline: a request that is <broken>
      Given a sound request of an administrator that is taken
      Then a request that is <broken> is refused as invalid

      Examples:
        | broken                               |
        | signed with another key              |
        | signed by nobody                     |
        | changed after it was signed          |
        | cut off                              |
        | followed by other bytes              |
        | PEM of another label                 |
        | behind a PEM block of something else |
        | a certificate, not a request         |
        | no PEM at all                        |

  @P-61 @MUST
  Rule: A request that no signer could grant is refused

    Why: it would wait for ever, or be granted otherwise than it was meant.
    Repair, for makers: hold a request to what the API says of spec.usages, spec.signerName and spec.expirationSeconds.

    Scenario Outline: a request that is <broken>
      Given a sound request of an administrator that is taken
      Then a request that is <broken> is refused as invalid

      Examples:
        | broken                                              |
        | for less than ten minutes                           |
        | for no usage                                        |
        | for a usage that nobody knows                       |
        | for a usage in capitals                             |
        | for a usage that ends as one that is known          |
        | for a usage with a blank behind it                  |
        | for a usage as certificates call it                 |
        | for one usage twice                                 |
        | for one usage twice, another between                |
        | for no signer                                       |
        | for a signer without a domain                       |
        | for a signer of three parts                         |
        | for a signer whose domain has one part              |
        | for a signer with capitals in its domain            |
        | for a signer with capitals in its path              |
        | for a signer with a blank in its path               |
        | for a signer without a path                         |
        | for a signer of a name too long                     |
        | for the signer of old, kubernetes.io/legacy-unknown |

    Scenario Outline: <request>, which is sound
      Then a request of an administrator for <request> is taken

      Examples:
        | request                                    |
        | a node, for ten minutes                    |
        | a node, as kubelets with RSA keys ask      |
        | an API client of a signer that nobody runs |

    Scenario Outline: a node, sent with <form>
      Then a request of an administrator for a node, sent with <form>, is taken

      Examples:
        | form                |
        | a comment before it |
        | a comment behind it |
        | a header in its PEM |

    Scenario Outline: a name with <what>, as requesters choose it
      Then a request of an administrator whose name has <what> is taken

      Examples:
        | what                     |
        | capitals and underscores |
        | a colon                  |

  @CSR-027 @SHOULD
  Rule: Every kubelet has a key of its own

    Why: a key that two machines share is lost with either.
    Repair: remove the files below /var/lib/kubelet/pki from the machine's image and join again.

    Scenario: every issued client certificate of a kubelet
      Given the certificate requests of the cluster
      Then no two nodes share a key

  @CSR-029 @MUST
  Rule: The API server knows the CA that signs for kubelets

    Why: otherwise every certificate that it issues is refused with 401.
    Repair: let --client-ca-file of kube-apiserver hold the CA of --cluster-signing-cert-file.

    Scenario: every client certificate that was issued
      Given the certificate requests of the cluster
      Then each client certificate is signed by a CA that the API server accepts clients from

  @CSR-032 @MUST
  Rule: All parts of the bootstrap are configured

    Why: each part by itself looks sound; together they let a machine join or do not.
    Repair: see the part that is named.

    Scenario: server, controllers, bindings
      Given a cluster that kubeadm has set up
      And a cluster whose controllers run
      Then joining tokens are allowed to:
        | verb   | what                                                      |
        | create | certificatesigningrequests.certificates.k8s.io            |
        | create | certificatesigningrequests.certificates.k8s.io/nodeclient |
      And nodes that joined with kubeadm are allowed to:
        | verb   | what                                                          |
        | create | certificatesigningrequests.certificates.k8s.io/selfnodeclient |
      And the flag "client-ca-file" of kube-apiserver, where it is published, is given
      And the flag "enable-bootstrap-token-auth" of kube-apiserver, where it is published, is "true"
      And the flag "controllers" of kube-controller-manager, where it is published, does not switch off "csrapproving"
      And the flag "controllers" of kube-controller-manager, where it is published, does not switch off "csrsigning"
      And the flag "controllers" of kube-controller-manager, where it is published, does not switch off "tokencleaner"

    Scenario: the kubelets
      Given a cluster that kubeadm has set up
      And the configuration that kubelets are given
      Then it has client certificates renewed

  @CSR-038 @MUST
  Rule: Requests are approved by the approver that asks RBAC

    Why: a job that approves everything gives every requester what it asks for.
    Repair: take out the other approver, and leave csrapproving on.

    Scenario: every approved client certificate request of a kubelet
      Given the certificate requests of the cluster
      Then each approval that no person has given says that it came after a SubjectAccessReview
      And each automatic approval was written by the controller manager

  @CSR-040 @SHOULD
  Rule: The first request of a node comes from a bootstrap identity

    Why: a first request in a person's name means that somebody made the node's key by hand.
    Repair: let the machine join with a bootstrap token.

    Scenario: the oldest request of every node
      Given the certificate requests of the cluster
      Then the oldest request for each node's client certificate was made by a bootstrap identity or the node itself

  @P-20 @MUST
  Rule: What carries a certificate was approved

    Why: the API does not tie them; whoever may sign can give a certificate to a request that is pending or denied.
    Repair: take out the signer that does it, and delete the request that is named.

    Scenario: every certificate that the cluster holds
      Given the certificate requests of the cluster
      Then each request that carries a certificate was approved

  @P-26 @MUST
  Rule: Decisions are made between the request and now

    Why: the cleaner counts from these times; a past one removes the trail, a future one keeps the request.
    Repair: let approvers leave lastUpdateTime to the API server.

    Scenario: every decision about a request
      Given the certificate requests of the cluster
      Then each decision was made between the request and now

  @P-28 @MUST
  Rule: Automatic approval is for machines that join and for nodes that renew

    Why: whoever holds the nodeclient permission gets a certificate for any node.
    Repair: take the permission from whoever is named; a person asks for nothing in a node's name.

    Scenario: every request that was approved automatically
      Given the certificate requests of the cluster
      Then each automatic approval is of a bootstrap identity or of the node itself

  @ROT-009 @MUST
  Rule: Certificates end

    Why: there is no revocation; the end of a certificate is the only end that a leaked key has.
    Repair: leave --cluster-signing-duration at a year or less.

    Scenario: every certificate that was issued to a kubelet
      Given the certificate requests of the cluster
      Then each certificate issued to a kubelet is valid for at most a year

    Scenario: certificates that are issued now
      Given certificates that nodes, API clients and servers were given
      Then each of them is valid for at most a year

  @SRV-001 @MUST
  Rule: The serving certificate comes after the client certificate

    Why: it is asked for with the client certificate.
    Repair: let the kubelet ask as its node.

    Scenario: every serving certificate request
      Given the certificate requests of the cluster
      Then each serving certificate request was made with a client certificate

    @since:1.32
    Scenario: a node's two requests
      Given a node that has joined with a bootstrap token
      When the node asks for a serving certificate
      Then the stored request says which certificate the node came with

  @SRV-002 @MUST
  Rule: The node itself asks for its serving certificate

    Why: whoever holds a serving certificate of a node can pose as its kubelet.
    Repair: let the kubelet ask as its node; deny requests of others.

    Scenario: every serving certificate request
      Given the certificate requests of the cluster
      Then each serving certificate request was made by the node that it names

    Scenario: a node's serving request
      Given a node that has joined with a bootstrap token
      When the node asks for a serving certificate
      Then the stored request names the node and its group

    @since:1.31
    Scenario: other nodes' serving requests
      Given a node that has joined with a bootstrap token
      When the node asks for a serving certificate
      Then the node is forbidden to ask for serving certificates of:
        | another node                          |
        | a node whose name begins with its own |
        | a node whose name its own begins with |
        | a node whose name ends with its own   |
        | its own name in capitals              |

  @SRV-003 @MUST
  Rule: A kubelet's serving certificate is for servers

    Why: with "client auth" the same certificate could log in.
    Repair: ask for the usages digital signature and server auth, and key encipherment for RSA keys only.

    Scenario: every serving certificate request
      Given the certificate requests of the cluster
      Then each request for a kubelet's serving certificate is for servers and not for clients

  @SRV-004 @MUST
  Rule: A kubelet serves with a key of its own

    Why: a key that serves and logs in is lost twice.
    Repair: remove the serving pair below /var/lib/kubelet/pki; the kubelet makes a new key and asks again.

    Scenario: every serving certificate request
      Given the certificate requests of the cluster
      Then each serving certificate request has a key of its own

  @SRV-008 @MUST
  Rule: A serving certificate names the node that asked for it

    Why: with the names of another node it could pose as that node.
    Repair: deny the request; see who writes the addresses of the Node.

    Scenario: every serving certificate request
      Given the certificate requests of the cluster
      And the Nodes of the cluster
      Then each serving certificate request names hosts and addresses of its own Node alone, and so does what was issued

    Scenario: a serving certificate that is issued now
      Given a node that has joined with a bootstrap token
      When the node asks for a serving certificate, which an administrator approves
      Then that certificate names exactly what was asked for

  @SRV-011 @MAY
  Rule: The feature of serving certificates is left on

    Why: it is on by default; with serverTLSBootstrap it asks for them (document 004 says that it does so alone: erratum).
    Repair: take RotateKubeletServerCertificate: false, or AllBeta: false, out of the kubelet's feature gates.

    Scenario: the configuration that kubelets are given
      Given the configuration that kubelets are given
      Then it does not switch off that serving certificates are renewed

  @ROT-001 @MUST
  Rule: Kubelets renew their client certificates

    Why: without renewal every node dies a year after it joined.
    Repair: set rotateCertificates: true in the ConfigMap kubelet-config and in /var/lib/kubelet/config.yaml of every node.

    Scenario: the configuration that kubelets are given
      Given a cluster that kubeadm has set up
      And the configuration that kubelets are given
      Then it has client certificates renewed

  @BOOT-016 @SHOULD
  Rule: Nodes speak to the API server with certificates

    Why: a static token is never renewed and has no end.
    Repair: let the kubelets of the named nodes bootstrap.

    Scenario: every request that a node has made
      Given the certificate requests of the cluster
      Then each request that a node has made was made with its certificate

    Scenario: every later request for a node
      Given the certificate requests of the cluster
      Then each later request for a node's certificate was made with a node's certificate or a bootstrap identity
