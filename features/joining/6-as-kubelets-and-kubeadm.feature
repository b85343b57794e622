Feature: What kubelets ask for and kubeadm leaves, where others may do otherwise

  No document says it, and each of it is what kubeadm and its kubelet do. Another client may have its reasons; one that is
  kubeadm or its kubelet, and does otherwise, has been changed.

  @P-500 @SHOULD
  Rule: What everybody is to verify by may be read by everybody

    Why: control planes without root, network plug-ins and agents verify by the CA and by sa.pub; what they cannot read
    ends them, and somebody then opens the folder with the keys.
    Repair, for makers: mode 0644 for certificates and public keys.

    Scenario: a worker, and a control plane
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin |
      Then everybody may read what is not secret

  @P-501 @SHOULD
  Rule: The life of a certificate is left to the signer

    Why: who runs a cluster says how long its certificates live (--cluster-signing-duration); a shorter life is renewed all
    day, a longer one is a key that nobody takes back.
    Repair, for makers: send no spec.expirationSeconds.

    Scenario: workers and a control plane
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it leaves the life of its certificate to the signer

    Scenario: without rotation
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-unrotated-signed |
      Then it leaves the life of its certificate to the signer

  @P-502 @SHOULD @since:1.27
  Rule: A certificate is asked for what its key can

    Why: a key of an elliptic curve enciphers no keys; a certificate that says so is refused by libraries that hold to RFC
    8813, and by signers of other makers.
    Repair, for makers: leave key encipherment out, unless the key is one of RSA.

    Scenario: workers and a control plane
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin |
      Then each certificate is asked for what its key can

    Scenario: without rotation
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-unrotated-signed |
      Then each certificate is asked for what its key can

  @P-503 @SHOULD
  Rule: Who has a certificate that has not ended asks for no other with a token

    Why: a kubelet that is started again every hour would ask every hour, and who approves requests learns to say yes.
    Repair, for makers: look for kubelet.conf before the bootstrap kubeconfig, and at the end of its certificates alone.

    Scenario: a machine that was a node before
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-there       |
        | kubelet-there-early |
      Then it asks for no certificate

  @P-504 @SHOULD
  Rule: A look that was broken off is taken again after a moment

    Why: a thousand machines that try at once what has just broken off keep a server down that comes up.
    Repair, for makers: wait for a second before a request is repeated on another connection.

    Scenario: a server that resets each connection after the request
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | reset |
      Then it tries again after a moment

  @P-505 @SHOULD @since:1.34
  Rule: What is the machine's own is kept apart from what is the cluster's

    Why: an upgrade writes the configuration of the kubelet anew, as the cluster has it; what is not kept apart is lost then.
    Repair, for makers: write the socket of the runtime to /var/lib/kubelet/instance-config.yaml, too.

    Scenario: a machine that is told its runtime, and one that is not
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin    |
        | node-told |
      Then what is its own is kept apart

  @P-506 @MUST
  Rule: No request speaks for somebody else

    Why: headers that name a user are for proxies and administrators, and a server behind one believes them; those that name
    an address are what audit logs have for the one who asked; a cookie of a server that is not verified yet is told to
    whoever comes next.
    Repair, for makers: send Authorization, or show a certificate, and leave out Impersonate-*, X-Remote-*, X-Forwarded-For
    and Cookie.

    Scenario: workers and a control plane, and a server that gives a cookie
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin |
        | cookie |
      Then no request speaks for somebody else

  @P-507 @MUST
  Rule: What was renewed is used from then on

    Why: a kubelet that goes on with the certificate before on a connection that it has kept is cut off at its end, while the
    new one lies on its disk.
    Repair, for makers: close every connection when there is a new certificate, and load that for the next ones.

    Scenario: certificates of four hours
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-stays |
      Then each certificate is asked for with the one before it

  @P-508 @SHOULD
  Rule: Who finds his request gone makes another one

    Why: administrators delete requests, and so does whoever cleans up; a machine that waits for one that is gone waits for
    nothing.
    Repair, for makers: take a deletion for a refusal, pause, and ask with another key.

    Scenario: the first request is deleted
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | csr-gone |
      Then it joins each of them

  @P-511 @MUST
  Rule: Once there is a certificate nothing is asked with the token

    Why: a token is lent for the one request that cannot be made otherwise; whoever goes on with it is a machine that nobody
    can tell from others, and needs a token that does not end.
    Repair, for makers: forget the token when the certificate is there, and ask with that, whatever it is asked for.

    Scenario: a machine that has just joined
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin |
      Then nothing is asked with the token once there is a certificate

    Scenario: without rotation
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-unrotated-signed |
      Then nothing is asked with the token once there is a certificate

  @P-512 @MUST
  Rule: A Node is registered with what is its own, and in nobody's place

    Why: a node that chooses its network, its labels or who may be scheduled on it gets Pods and traffic that are not meant
    for it, or keeps off those that are; one that is deleted first takes its Pods and its history along.
    Repair, for makers: register name, addresses, labels of the machine and taints that it was told; leave the rest to
    controllers and administrators.

    Scenario: a kubelet that goes on
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin        |
        | kubelet-stays |
      Then its Node is registered as itself
      And it changes nothing but what is of its own Node

    Scenario: a kubelet that stays for a minute
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-seconds |
      Then its Node is registered as itself
      And it changes nothing but what is of its own Node

    Scenario: a Node of its name that is there already
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-renewed-late |
      Then it changes nothing but what is of its own Node

  @P-513 @MUST
  Rule: An answer is read whichever way HTTP carries it

    Why: load balancers and proxies before an API server send what they got in chunks or without a length, and tell
    beforehand that an answer takes a while.
    Repair, for makers: leave HTTP to a library of one's language.

    Scenario: answers in each form
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | answers-chunked      |
        | answers-until-closed |
        | answers-in-pieces    |
        | answers-after-hints  |
      Then it joins each of them

  @P-514 @MUST
  Rule: No TLS is spoken that protects nothing

    Why: TLS 1.1 and before can be broken, NULL ciphers encipher nothing, and in an anonymous handshake nobody shows who he
    is; whoever stands between chooses what both offer.
    Repair, for makers: offer TLS 1.2 and newer, with ciphers that encipher and are authenticated.

    Scenario: servers that speak nothing better
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | tls-old       |
        | tls-null      |
        | tls-anonymous |
      Then it trusts none of them

    Scenario: what is asked of them
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | tls-old       |
        | tls-null      |
        | tls-anonymous |
      Then it asks nothing over such a connection

    Scenario: servers that speak nothing better later on
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | tls-old-after-look          |
        | tls-old-once-found          |
        | tls-old-after-configuration |
        | tls-old-after-node          |
      Then it asks nothing over such a connection

  @P-515 @SHOULD
  Rule: A server is told by which name it is asked

    Why: one address serves several clusters behind a load balancer that goes by the name in the handshake; without it the
    machine gets the certificate of another one.
    Repair, for makers: send the extension server_name (RFC 6066) where the server has a name.

    Scenario: cluster-info names the server otherwise than the endpoint does
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | server-by-name        |
        | unsafe-server-by-name |
        | https-server-by-name  |
        | cp-server-by-name     |
        | cli-server-by-name    |
        | old-server-by-name    |
      Then it tells each server by which name it is asked

  @P-519 @SHOULD
  Rule: What kubeadm and client-go take is taken

    Why: clusters are there that say it so; a machine that takes less joins none of them, and its maker looks for the fault
    in the cluster.
    Repair, for makers: ask a server at port 443 where it names none, and by its address of IPv6; read
    cluster-info by its data alone, and leave certificates that nobody uses to their place.

    Scenario: cluster-info
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | other-name               |
        | json-of-utf-8            |
        | huge                     |
        | kc-named-cluster-context |
        | kc-ca-bundle-ended       |
      Then a client that needs what kubeadm needs joins each of them

    Scenario: its server
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | server-no-port |
        | server-slash   |
        | server-mapped  |
      Then a client that needs what kubeadm needs joins each of them

  @P-520 @SHOULD
  Rule: Nothing is written on a request for a certificate

    Why: whoever holds a token of bootstrap may read all requests, and what is written on one tells him of its machine.
    Repair, for makers: send the PEM alone, without text around it, and without labels and annotations.

    Scenario: workers and a control plane
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin |
      Then nothing is written on its requests

    Scenario: without rotation
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-unrotated-signed |
      Then nothing is written on its requests

  @P-521 @MUST
  Rule: Nobody is asked but the server of the cluster, and the machine itself

    Why: whoever else is asked learns that a machine joins, and may learn by what.
    Repair, for makers: ask the endpoint or the discovery file, the server that they name, and what listens on loopback.

    Scenario: joins that succeed
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it asks nobody else

    Scenario: those that do not
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | no-jws         |
        | pin-wrong      |
        | no-autoapprove |
        | file-404       |
      Then it asks nobody else
