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
      When it is before each of these servers:
        | kubelet-stays |
      Then each certificate is asked for a key of its own, which is not sent
      And no file is left that holds its token
      And no request holds its token but in its header
      And no request speaks for somebody else

    Scenario: servers that speak nothing better by then
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-renews-at-old-tls |
      Then it asks nothing over such a connection

  @P-517 @MUST
  Rule: A kubelet that renews leaves on its machine what it has joined with

    Why: a bootstrap kubeconfig that comes back, a configuration that is written anew or keys that pile up make of the
    machine what nobody has looked at since.
    Repair, for makers: write the new pair, and nothing else; remove the key that is no longer needed.

    Scenario: its files
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-stays |
      Then the bootstrap kubeconfig is gone in the end
      And the kubelet is configured as the cluster says

    Scenario: its keys, where it renews and where it does not
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-unrotated-signed |
        | kubelet-stays            |
      Then it keeps the keys that it needs

  @P-518 @SHOULD
  Rule: A kubelet that renews asks for no more, and no more often, than it needs

    Why: what every node reads, and each failed renewal repeats at once, an API server serves for all of them.
    Repair, for makers: look at the own request alone, and let a second pass before another one.

    Scenario: what it reads
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-stays |
      Then it reads what joining needs, and nothing else

    Scenario: when it asks, also after a renewal that fails
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-stays        |
        | kubelet-renewed-late |
      Then it lets a second pass between two of them

    Scenario: renewals that take their time, and months of them
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-renewed-late |
        | kubelet-stays-long   |
      Then it asks for no more certificates than it needs
