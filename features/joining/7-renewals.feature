Feature: Renewals

  A kubelet that has joined asks for further certificates as long as it lives. What holds for its first one holds for
  those, and nobody looks on by then.

  @P-516 @MUST
  Rule: A kubelet that renews gives no more away than when it joined

    Why: a token that is kept for later, a key that is sent along or a request in another name is what a join must not
    show, and whoever listens has all the life of the node for it.
    Repair, for makers: renew with a new key and with the certificate alone, over TLS 1.2 or newer.

    Scenario: what it shows and leaves
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-stays          |
        | kubelet-renewal-denied |
        | kubelet-renewal-failed |
      Then each certificate is asked for a key of its own, which is not sent
      And no file is left that holds its token
      And no request holds its token but in its header
      And no request speaks for somebody else
      And nothing is asked with the token once there is a certificate
      And it asks nobody else

    Scenario: servers that speak nothing better by then
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-renews-at-old-tls |
      Then it asks nothing over such a connection

  @P-517 @MUST
  Rule: A kubelet that renews leaves on its machine what it has joined with

    Why: a bootstrap kubeconfig that comes back, a configuration that is written anew or keys that pile up make of the
    machine what nobody has looked at since; one that is started while its pair is gone is no node any more.
    Repair, for makers: write the new pair, and nothing else; remove the key that is no longer needed once it is there.

    Scenario: its files
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-stays |
      Then the bootstrap kubeconfig is gone in the end
      And the kubelet is configured as the cluster says
      And the kubeconfig of the kubelet shows a certificate
      And the kubeconfig of the kubelet believes the CA of the cluster alone

    Scenario: its keys, where it renews and where it does not
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-unrotated-signed |
        | kubelet-stays            |
      Then it keeps the keys that it needs

    Scenario: its pair, also after a renewal that fails
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-renewal-denied |
      Then its pair stays until another one is there

    Scenario: its pair, where certificates live for seconds
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-seconds        |
        | kubelet-seconds-denied |
      Then its pair stays until another one is there

  @P-518 @SHOULD
  Rule: A kubelet that renews asks for no more, and no more often, than it needs

    Why: what every node reads, and each failed renewal repeats at once, an API server serves for all of them.
    Repair, for makers: look at the own request alone, and let a second pass before another one.

    Scenario: what it reads
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-stays |
      Then it reads what joining needs, and nothing else
      And it looks at no request but its own

    Scenario: when it asks, also after a renewal that fails
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-stays          |
        | kubelet-renewed-late   |
        | kubelet-renewal-denied |
        | kubelet-renewal-failed |
      Then it lets a second pass between two of them

    Scenario: renewals that take their time, and months of them
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-renewed-late |
        | kubelet-stays-long   |
      Then it asks for no more certificates than it needs

    Scenario: a first certificate that takes its time
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | cli-signed-in-minutes |
      Then it joins each of them
      And it makes one request

  @P-522 @MUST
  Rule: A kubelet that renews asks for the certificate of its node, and for nothing more

    Why: whoever looks at first requests alone does not see what a node makes itself by its second or tenth one.
    Repair, for makers: ask for each certificate as for the first one: CN system:node:<name>, O system:nodes, the signer
    kube-apiserver-client-kubelet, client auth, and a key that nobody can compute.

    Scenario: in each way of joining, for months, and after renewals that were refused
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-stays          |
        | kubelet-stays-long     |
        | kubelet-renewal-denied |
        | kubelet-renewal-failed |
      Then each certificate is asked for a node of this name, and for nothing more
      And each certificate is asked for a strong key

  @P-523 @SHOULD
  Rule: A kubelet that renews leaves to others what is theirs

    Why: how long certificates live is for who signs them to say, and what is written on requests all who hold a token read.
    Repair, for makers: send no spec.expirationSeconds, no usage that the key cannot have, and nothing beside the PEM.

    Scenario: in each way of joining, for months, and after renewals that were refused
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-stays          |
        | kubelet-stays-long     |
        | kubelet-renewal-denied |
        | kubelet-renewal-failed |
      Then it leaves the life of its certificate to the signer
      And each certificate is asked for what its key can
      And nothing is written on its requests

  @P-524 @MUST
  Rule: A kubelet that renews verifies its server as it has done when it joined

    Why: whoever takes the place of the API server years later gets what the node shows and writes.
    Repair, for makers: verify each connection with the CA of kubelet.conf, by name, dates and usage.

    Scenario: certificates that are wrong in some way
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-renews-at-other-ca   |
        | kubelet-renews-at-other-name |
        | kubelet-renews-at-expired    |
        | kubelet-renews-at-client-eku |
        | kubelet-renewed-at-other-ca  |
      Then it shows a credential to the right server only

    Scenario: before it is registered
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-registers-at-other-ca |
      Then it shows a credential to the right server only

    Scenario: in each way of joining
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | unsafe-kubelet-renews-at-other-ca |
        | cli-kubelet-renews-at-other-ca    |
        | file-kubelet-renews-at-other-ca   |
        | https-kubelet-renews-at-other-ca  |
        | cp-kubelet-renews-at-other-ca     |
      Then it shows a credential to the right server only

  @P-525 @SHOULD
  Rule: A renewed pair lies on the machine as the first one did

    Why: a pair that everybody may read, or half of one, is as bad in a year as it was on the first day.
    Repair, for makers: write each pair into a file of its own with mode 0600, and turn the link when it is whole.

    Scenario: in each way of joining
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-stays |
      Then whatever holds a token or a key is for root alone
      And each pair has a file of its own
      And the current pair is that of a date

    Scenario: certificates for other keys
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-renewed-for-others |
      Then whatever is written as a pair fits

    Scenario: certificates of seconds
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-seconds |
      Then whatever is written as a pair fits
      And each pair has a file of its own

  @P-526 @SHOULD
  Rule: A request for a certificate that fails once is made again

    Why: an API server that is rolled, or loses its etcd for a second, answers 500; a machine that gives up then has to be
    joined by hand.
    Repair, for makers: ask again after a pause, until the time of the bootstrap is over.

    Scenario: in each way of joining
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | csr-500-once |
        | csr-503-once |
      Then it joins each of them

    Scenario: a look at the request that fails once
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | csr-look-503-once |
        | csr-look-cut-once |
      Then it joins each of them

  @P-527 @MUST
  Rule: A certificate is renewed before it ends, however short its life is, and by its holder alone

    Why: who has minutes only is cut off by the first renewal that comes late; and what a program does when it renews is
    then seen while it runs.
    Repair, for makers: go by notBefore and notAfter, renew at seven tenths of the life, with a new key and the certificate,
    and again after a pause where that is refused.

    Scenario: certificates of seconds
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-seconds |
      Then it renews each certificate before that ends
      And nothing is asked with the token once there is a certificate
      And no request speaks for somebody else
      And no file is left that holds its token
      And whatever holds a token or a key is for root alone
      And the kubeconfig of the kubelet shows a certificate
      And the kubeconfig of the kubelet believes the CA of the cluster alone
      And its kubelet asks the validated server
      And the certificate that it names is a renewed one, with its key
      And the CA of the cluster is saved
      And the bootstrap kubeconfig does not come back
      And the key of the node lies nowhere else

    Scenario: what is asked with which
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-seconds |
      Then each certificate is asked for with the one before it

    Scenario: keys of its own
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-seconds        |
        | kubelet-seconds-denied |
        | kubelet-seconds-broken |
      Then each certificate is asked for a key of its own, which is not sent

    Scenario: what is asked for, also where the first renewal is refused
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-seconds        |
        | kubelet-seconds-denied |
        | kubelet-seconds-broken |
      Then each certificate is of another key
      And each certificate is asked for a node of this name, and for nothing more
      And each certificate is asked for a strong key

    Scenario: a renewal that is refused
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-seconds-denied |
        | kubelet-seconds-broken |
      Then it asks again with its certificate

    Scenario: a renewal that nobody has approved
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-seconds-unapproved |
      Then what nobody has approved is not shown

    Scenario: certificates for other keys
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-seconds-for-others |
      Then whatever is written as a pair fits

    Scenario: somebody else in its place
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-seconds-at-other-ca |
      Then it shows a credential to the right server only

    Scenario: a server that speaks nothing better by then
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-seconds-at-old-tls |
      Then it asks nothing over such a connection

  @P-528 @SHOULD
  Rule: A renewal of seconds is no more load than one of months

    Why: a renewal that fails is repeated by every node of a cluster at once, while its API server has enough to do.
    Repair, for makers: let a second pass before another request, and leave the life of the certificate to the signer.

    Scenario: certificates of seconds, also where the first renewal is refused
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-seconds        |
        | kubelet-seconds-denied |
        | kubelet-seconds-broken |
      Then it lets a second pass between two of them
      And it asks for no more certificates than it needs
      And each certificate is asked for what its key can
      And it changes nothing but what is of its own Node

    Scenario: what it reads
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-seconds        |
        | kubelet-seconds-denied |
      Then it reads what joining needs, and nothing else
      And it looks at no request but its own

    Scenario: what others may do otherwise
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-seconds        |
        | kubelet-seconds-denied |
        | kubelet-seconds-broken |
      Then it leaves the life of its certificate to the signer
      And nothing is written on its requests

  @P-539 @MUST
  Rule: A kubelet that is told to asks for what it serves with as its Node, for its own names, and for nothing more

    Why: what is for other names stands in for the API server; what a token asks for, or is for clients too, is an identity.
    Repair, for makers: once there is a certificate ask kubelet-serving with it, for CN system:node:<name>, O system:nodes,
    server auth, the names and addresses of the Node, and another key.

    Scenario: where kubelet-config has serverTLSBootstrap
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-serves            |
        | kubelet-serves-unapproved |
      Then it joins each of them
      And as its Node it asks for a certificate to serve with

    Scenario: its keys
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-serves            |
        | kubelet-serves-unapproved |
      Then each certificate is asked for a key of its own, which is not sent
      And each certificate is asked for a strong key
      And each certificate is of another key

    Scenario: with what it asks, and what else
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-serves            |
        | kubelet-serves-unapproved |
      Then nothing is asked with the token once there is a certificate
      And it changes nothing but what is of its own Node

    Scenario: what lies on its machine
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-serves |
      Then whatever holds a token or a key is for root alone

  @P-540 @SHOULD
  Rule: What a kubelet serves with is renewed in time, and waited for where nobody approves it

    Why: nobody approves it by himself, so that it may take days; a node that ends or asks without a pause is lost or loud
    until then, and one that asks once has no logs and no metrics when the first one ends.
    Repair, for makers: serve with a certificate of one's own until then, and make another request after minutes.

    Scenario: certificates of seconds
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-serves |
      Then it renews what it serves with before that ends

    Scenario: where nobody approves it
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-serves-unapproved |
      Then it stays, and waits for what it is to serve with
