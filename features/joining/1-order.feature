Feature: A join, step by step

  First the machine finds out whom it joins, then the cluster finds out which machine it is. A kubelet that bootstraps
  is part of the machine.

  @JOIN-001 @MUST
  Rule: Discovery comes first, TLS bootstrap after it

    Why: the machine has to trust the control plane before the control plane is given anything to trust the machine by.
    Repair, for makers: send nothing that shows who the machine is before discovery is over.

    Scenario: by token and by file
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it reads cluster-info 1 time at least before it shows a credential
      And it joins each of them

  @JOIN-002 @MUST
  Rule: Preflight checks come before anything else

    Why: a machine that is a node already must not lose what it has, and half a join is worse than none.
    Repair, for makers: check the machine before the first request.

    Scenario: files of another join are there
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | node-has-kubelet.conf           |
        | node-has-bootstrap-kubelet.conf |
        | node-has-pki-ca.crt             |
        | node-has-two-files              |
        | node-has-part                   |
      Then a client that checks like kubeadm asks nobody anything
      And nothing on a machine that kubeadm refuses is changed

    Scenario: what is passed over
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-before |
      Then a client that speaks like kubeadm tells "WARNING FileAvailable--etc-kubernetes-kubelet.conf"

  @JOIN-003 @MUST
  Rule: Endpoint, token and pin are enough for a worker

    Why: that one line is what kubeadm init prints and what people copy.
    Repair, for makers: default everything else.

    Scenario: by flags alone
      When it is before each of these servers:
        | cli-ok |
      Then it joins each of them
      And a kubeconfig of the kubelet is left

  @JOIN-004 @MUST
  Rule: The bootstrap kubeconfig is written once the cluster is known

    Why: it is what the kubelet bootstraps with; written earlier it holds what nobody has verified.
    Repair, for makers: write it after discovery.

    Scenario: after the last look at cluster-info
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it writes a bootstrap kubeconfig to its place
      And nothing is written before discovery is over

  @JOIN-005 @MUST
  Rule: The token asks for a certificate for a key of the machine's own

    Why: a key that several machines have, or that somebody else has made, shows nobody's identity.
    Repair, for makers: make a key for each join, and ask with the bootstrap token.

    Scenario: two joins
      Given a kubelet of the client itself
      When it is before each of these servers, in each way:
        | ok-pin      |
        | signed-late |
      Then it asks POST /apis/certificates.k8s.io/v1/certificatesigningrequests as its token
      And each certificate is asked for a key of its own, which is not sent

  @JOIN-007 @MUST
  Rule: A join ends with the CA and a kubeconfig of the kubelet, and without the bootstrap kubeconfig

    Why: these two files are the node's lasting trust and identity; the token was lent for a moment.
    Repair, for makers: remove the bootstrap kubeconfig when the kubelet has its certificate.

    Scenario: by token and by file
      When it is before each of these servers, in each way:
        | ok-pin |
      Then the CA of the cluster is saved
      And a kubeconfig of the kubelet is left
      And the bootstrap kubeconfig is gone in the end

    Scenario: without rotation
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-unrotated-signed |
      Then a kubeconfig of the kubelet is left
      And the bootstrap kubeconfig is gone in the end

  @JOIN-008 @MUST
  Rule: With an expired, deleted or wrong token nothing is joined

    Why: a token ends so that who has found it cannot join machines any more.
    Repair, for makers: end with an error where no signature is there for the token, or its login is refused.

    Scenario: each of them
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | sign-only          |
        | no-jws             |
        | token-other-secret |
      Then it joins none of them

  @JOIN-009 @SHOULD
  Rule: The name of a node that is ready is not taken

    Why: the new machine would take over the Node, and with it the Pods and Secrets, of a machine that works.
    Repair, for makers: look for the Node with the token before the kubelet is started.

    Scenario: it is ready
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | node-taken-ready   |
        | node-taken-leaving |
      Then it joins none of them
      And the kubelet is not started

    Scenario: it is there, and is not
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | node-taken-not     |
        | node-taken-unknown |
        | node-taken-none    |
      Then it joins each of them

  @JOIN-010 @MUST
  Rule: Discovery is done once

    Why: a second discovery may find somebody else.
    Repair, for makers: keep what was discovered, and use it in every later step.

    Scenario: for a worker and for a control plane
      Given a client that joins "file-ok"
      When it is before each of these servers:
        | ok-pin                |
        | cli-ok                |
        | old-ok                |
        | node-dotted           |
        | cp-download-certs     |
        | cp-dotted             |
        | old-cp-download-certs |
      Then it looks at cluster-info at once, and 2 times in all

  @KUBECM-018 @MUST
  Rule: kubelet-config is read with the token

    Why: the machine has nothing else yet, and the configuration is none of strangers.
    Repair, for makers: ask for it with the credentials of TLS bootstrap.

    Scenario: as the token
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it asks GET /api/v1/namespaces/kube-system/configmaps/kubelet-config as its token

    Scenario: where it cannot be had
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | no-kubelet-config-cm      |
        | no-kubelet-config-binding |
        | kubelet-config-garbage    |
      Then it joins none of them

  @BOOT-009 @MUST
  Rule: A kubelet waits until its request is approved and carries a certificate

    Why: an approval is not yet a certificate, and approvals may take people.
    Repair, for makers: look at the request, or watch it, until status.certificate is there.

    Scenario: servers that take their time
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | signed-late    |
        | approved-first |
      Then it joins each of them
      And the certificate that it names is there with its key

    Scenario: a request of which more is said
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | csr-said-more-of |
      Then it joins each of them
      And the certificate that it names is there with its key

    Scenario: servers that never sign
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | no-autoapprove |
        | csr-denied     |
        | signer-off     |
        | csr-unapproved |
        | csr-failed     |
        | csr-other-key  |
      Then it joins none of them

  @CSR-008 @MUST
  Rule: A kubelet makes its key itself, and never sends it

    Why: who has the key is the node.
    Repair, for makers: make the key on the node, and send the request for a certificate alone.

    Scenario: several joins
      Given a kubelet of the client itself
      When it is before each of these servers, in each way:
        | ok-pin      |
        | signed-late |
      Then each certificate is asked for a key of its own, which is not sent
      And the certificate that it names is there with its key

  @TOK-016 @MUST
  Rule: A kubelet sends its token as it is

    Why: only the API server knows what forms its tokens have.
    Repair, for makers: do not parse the token of a kubeconfig.

    Scenario: a token of another form
      Given a kubelet of the client itself
      And a client that joins "file-token-inside"
      When it is before each of these servers:
        | file-token-opaque |
      Then it asks POST /apis/certificates.k8s.io/v1/certificatesigningrequests as its token

  @BOOT-005 @MUST
  Rule: A kubelet that bootstraps connects over TLS that is verified with the CA it was given

    Why: whoever gets the token can join machines of his own.
    Repair, for makers: verify with the CA of the bootstrap kubeconfig, and with nothing else.

    Scenario: servers with another certificate
      Given a kubelet of the client itself
      And a client that joins "ok-unsafe"
      When it is before each of these servers, in each way:
        | cert-other-ca-unsafe |
        | cert-host-ca-unsafe  |
        | cert-changes-unsafe  |
        | cert-changes-late    |
      Then it shows a credential to the right server only

    Scenario: the right server
      Given a kubelet of the client itself
      And a client that joins "ok-unsafe"
      When it is before each of these servers:
        | ok-pin            |
        | ok-unsafe         |
        | cli-ok            |
        | old-ok            |
        | node-dotted       |
        | cp-download-certs |
        | cp-unsafe         |
        | cp-dotted         |
      Then it shows a credential to the right server only

    Scenario: with a discovery file, and of a control plane
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | file-changes-after-configuration   |
        | file-changes-after-node            |
        | cert-changes-after-node            |
        | cp-changes-after-node              |
        | unsafe-changes-after-configuration |
        | unsafe-changes-after-node          |
        | https-changes-after-configuration  |
        | https-changes-after-node           |
        | https-changes-after-file           |
      Then it shows a credential to the right server only

    Scenario: without rotation
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-unrotated-changes |
      Then it shows a credential to the right server only

  @BOOT-006 @MUST
  Rule: A server whose certificate is not trusted is not spoken to

    Why: permissions are of no use where nobody knows who grants them.
    Repair, for makers: break off the handshake, send nothing, and end with an error.

    Scenario: certificates that are wrong in some way
      Given a kubelet of the client itself
      And a client that joins "ok-unsafe"
      When it is before each of these servers, in each way:
        | cert-other-ca-unsafe    |
        | cert-host-ca-unsafe     |
        | cert-expired-unsafe     |
        | cert-self-signed-unsafe |
        | cert-other-name-unsafe  |
        | cert-changes-unsafe     |
      Then it trusts none of them

