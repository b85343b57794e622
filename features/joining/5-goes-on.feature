Feature: What becomes of a machine that has joined, and what is told of one that has not

  A kubelet finds again what it has asked for, renews in time and registers its Node until it is there. Whoever looks after
  a machine that has not joined reads why.

  @P-460 @SHOULD
  Rule: Who has not joined says why

    Why: an expired token, a wrong pin and a closed port look alike from outside, and each is mended elsewhere.
    Repair, for makers: name the step that has failed, and what the server has said.

    Scenario: the signature
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | jws-blank        |
        | jws-wrong-secret |
        | jws-stale        |
      Then a client that speaks like kubeadm says "failed to verify JWS signature"

    Scenario: no signature for the token
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | jws-empty |
      Then a client that speaks like kubeadm says "is invalid for this cluster or it has expired"

    Scenario: the pin
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | pin-wrong   |
        | kc-ca-other |
      Then a client that speaks like kubeadm says "are pinned"

    Scenario: a pin that is none
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cli-bad-pin |
      Then a client that speaks like kubeadm says "invalid discovery token CA certificate hash"

    Scenario: the second look
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | second-differs |
      Then a client that speaks like kubeadm says "was different from the first"

    Scenario: cluster-info that nobody may read
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | 403 |
      Then a client that speaks like kubeadm says "is forbidden"

    Scenario: no kubeconfig in it
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | kubeconfig-empty |
      Then a client that speaks like kubeadm says "there is no kubeconfig key in the cluster-info ConfigMap"

    Scenario: a token that does not log in
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | sign-only |
      Then a client that speaks like kubeadm says "Unauthorized"

    Scenario: a token that may not read
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | no-group                  |
        | no-kubelet-config-binding |
        | no-get-nodes              |
      Then a client that speaks like kubeadm says "is forbidden"

    Scenario: a name that is taken
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | node-taken-ready |
      Then a client that speaks like kubeadm says "already exists in the cluster"

    Scenario: shared certificates that are gone
      Given a client that joins "cp-download-certs"
      When it is before each of these servers:
        | cp-certs-expired |
      Then a client that speaks like kubeadm says "was not found"

    Scenario: shared certificates under another key
      Given a client that joins "cp-download-certs"
      When it is before each of these servers:
        | cp-wrong-key |
        | cp-bad-tag   |
      Then a client that speaks like kubeadm says "message authentication failed"

    Scenario: one of them is missing
      Given a client that joins "cp-download-certs"
      When it is before each of these servers:
        | cp-missing-sa.key |
      Then a client that speaks like kubeadm says "does not include the required certificate or key"

    Scenario: a server that nobody listens at
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | refused |
      Then a client that speaks like kubeadm says "connection refused"

    Scenario: a certificate that never comes
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | no-autoapprove |
        | csr-denied     |
        | signer-off     |
      Then a client that speaks like kubeadm says "deadline exceeded"

    Scenario: a file that lies there
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | node-has-bootstrap-kubelet.conf |
        | node-has-pki-ca.crt             |
      Then a client that speaks like kubeadm says "already exists"

    Scenario: a cluster without a configuration of kubelets
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | no-kubelet-config-cm |
      Then a client that speaks like kubeadm says "not found"

    Scenario: a cluster that no control plane can join
      Given a client that joins "cp-download-certs"
      When it is before each of these servers:
        | cp-no-endpoint |
      Then a client that speaks like kubeadm says "stable controlPlaneEndpoint address"

    Scenario: that it has not joined
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | pin-wrong         |
        | node-taken-ready  |
        | no-autoapprove    |
        | csr-denied        |
        | kubelet-unhealthy |
      Then a client that speaks like kubeadm does not say "has joined the cluster"

  @P-461 @MUST
  Rule: A kubelet whose certificate has ended asks for another one

    Why: with a certificate that has ended nobody is let in, however short a time ago that was.
    Repair, for makers: look at the end of each certificate in kubelet.conf before it is used, and bootstrap where one is over.

    Scenario: it has ended a minute ago
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-ended |
      Then it joins each of them
      And the certificate that it names is there with its key

    Scenario: one of two has ended
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-ended-second |
        | kubelet-ended-first  |
      Then it joins each of them
      And the certificate that it names is there with its key

  @P-462 @SHOULD
  Rule: Without rotation a key is asked for by one name

    Why: a kubelet that is started again asks for what it has asked for before; by another name there are two requests, and
    who approves them knows of one machine.
    Repair, for makers: keep the key until its certificate is there, derive the name from it, and take up what is there.

    Scenario: the answer to the first request never comes
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-unrotated |
      Then the certificate that it names is there with its key
      And it asks for one key by one name

  @P-463 @MUST
  Rule: A kubelet registers its Node until it is there

    Why: rights of nodes may come a moment later; a machine that gives up runs, and is no node.
    Repair, for makers: ask again after any failure, at growing pauses of seven seconds at most.

    Scenario: it is forbidden twice
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-stays          |
        | kubelet-registers-late |
      Then its Node is registered
      And a moment passes before it registers it once more

  @P-553 @SHOULD
  Rule: A Node that is there already is as good as registered

    Why: a machine that joins once more, or whose disk was lost, finds the Node that it had; a kubelet that ends there is no
    node, and one that registers it for ever is load for nothing.
    Repair, for makers: after "already exists" read the Node, and go on with that.

    Scenario: workers and a control plane
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-node-there |
      Then a Node that is there already is as good as registered

  @P-464 @MUST
  Rule: A certificate is renewed after seven to nine tenths of its life

    Why: earlier it is load for nothing; later an hour's trouble of the control plane is the end of the node.
    Repair, for makers: choose the instant by chance between 70 and 90 percent of the life, from notBefore on.

    Scenario: certificates of four hours
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-stays |
      Then it renews each certificate in time

    Scenario: certificates of four hours, where the first renewal fails
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-renewed-late |
      Then it renews each certificate in time

    Scenario: certificates of twenty days
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-stays-long |
      Then it renews each certificate in time

  @P-465 @SHOULD
  Rule: The pair of a kubelet is renewed without a moment in which half of it is there

    Why: a kubelet that is started while the pair is written finds half of it; one that finds a file where it has made a
    link does not go on.
    Repair, for makers: write certificate and key into a new file with a date, let kubelet-client-current.pem link to it, and
    name that in kubelet.conf.

    Scenario: the pair that kubelet.conf names
      Given a kubelet of the client itself
      When it is before each of these servers, in each way:
        | ok-pin |
      Then the current pair is that of a date

    Scenario: a certificate that comes with that of its issuer
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-issued-between |
      Then its pair holds 2 certificates

  @P-471 @SHOULD
  Rule: A look that is put off or broken off once is taken again

    Why: an API server that has just got much to do, or a load balancer that changes its place, is there a second later; a
    join that ends for it leaves a machine that somebody has to clean up.
    Repair, for makers: ask again where the server says when, and where a connection is reset, within the time of a call.

    Scenario: the look for its Node
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | node-429-once   |
        | node-503-once   |
        | node-reset-once |
      Then it joins each of them

  @P-472 @MUST
  Rule: A certificate is renewed with another key

    Why: whoever has read a key once would be the node for as long as it is renewed.
    Repair, for makers: make a key for each request.

    Scenario: certificates of twenty days
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-stays-long |
      Then each certificate is of another key

    Scenario: in each way of joining
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | unsafe-kubelet-stays |
        | cli-kubelet-stays    |
        | file-kubelet-stays   |
        | https-kubelet-stays  |
        | cp-kubelet-stays     |
        | dotted-kubelet-stays |
      Then each certificate is of another key

    Scenario: certificates of four hours, where the first renewal fails
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-renewed-late |
      Then each certificate is of another key

    Scenario: certificates of four hours, where the first renewal is refused
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-renewal-denied |
        | kubelet-renewal-failed |
      Then each certificate is of another key
