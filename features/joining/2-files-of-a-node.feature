Feature: What a join writes on the machine, and what it takes away

  For as long as it takes bootstrap-kubelet.conf lends the token to the kubelet; kubelet.conf and the CA stay.

  @LIFE-001 @MUST
  Rule: The bootstrap kubeconfig lies at /etc/kubernetes/bootstrap-kubelet.conf

    Why: the kubelet is started with that path.
    Repair, for makers: write it there.

    Scenario: a worker and a control plane
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it writes a bootstrap kubeconfig to its place

  @LIFE-002 @MUST
  Rule: Server and CA in it are those of the validated cluster-info, and the token is that of TLS bootstrap

    Why: what was not validated is anybody's.
    Repair, for makers: take both from cluster-info; a control plane may name its own API server.

    Scenario: cluster-info names the server otherwise than the endpoint does
      When it is before each of these servers, in each way:
        | ok-pin                |
        | server-by-name        |
        | unsafe-server-by-name |
        | cli-server-by-name    |
        | kc-server-path        |
        | data-more-unsafe      |
      Then the bootstrap kubeconfig has the server of the cluster
      And the bootstrap kubeconfig has the CA of the cluster
      And the bootstrap kubeconfig has the token of TLS bootstrap

    Scenario: all of its CA, where there are several
      When it is before each of these servers, in each way:
        | kc-ca-bundle-right-first |
        | file-ca-bundle           |
      Then the bootstrap kubeconfig has the CA of the cluster

    Scenario: what is asked for with the token
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | server-by-name        |
        | unsafe-server-by-name |
        | cli-server-by-name    |
        | https-server-by-name  |
        | cp-server-by-name     |
        | old-cp-download-certs |
      Then it shows its token to the server of the cluster alone

    Scenario: a control plane
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then the bootstrap kubeconfig has the server of the cluster
      And the bootstrap kubeconfig has the CA of the cluster

    Scenario: with a discovery file
      When it is before each of these servers, in each way:
        | file-ok              |
        | file-other-ca        |
        | file-other-server    |
        | https-server-by-name |
      Then the bootstrap kubeconfig has the server of the cluster
      And the bootstrap kubeconfig has the CA of the cluster
      And the bootstrap kubeconfig has the token of TLS bootstrap

  @LIFE-003 @MUST
  Rule: Cluster and user in it have the names that kubeadm gives

    Why: tools look for them.
    Repair, for makers: one cluster "kubernetes", and the user "tls-bootstrap-token-user".

    Scenario: by token
      When it is before each of these servers, in each way:
        | ok-pin |
      Then the bootstrap kubeconfig has the names that kubeadm gives

  @LIFE-004 @MUST
  Rule: A token for TLS bootstrap is used, whichever way the cluster was found

    Why: a discovery file has no credentials of its own, or has those of somebody else.
    Repair, for makers: prefer the token of the configuration.

    Scenario: a file without a token, and one with another
      When it is before each of these servers, in each way:
        | file-ok           |
        | file-token-both   |
        | file-client-both  |
        | token-tls-other   |
        | cli-tls-other     |
        | token-tls-missing |
      Then it asks POST /apis/certificates.k8s.io/v1/certificatesigningrequests as its token
      And the bootstrap kubeconfig has the token of TLS bootstrap

  @LIFE-005 @MUST
  Rule: It is written before the kubelet is started

    Why: a kubelet without credentials ends at once, and is started again and again.
    Repair, for makers: write first, then restart.

    Scenario: in this order
      When it is before each of these servers, in each way:
        | ok-pin |
      Then the bootstrap kubeconfig is written before the kubelet is started

  @LIFE-006 @MUST
  Rule: Where it cannot be written the join fails

    Why: a kubelet without it never gets its certificate.
    Repair, for makers: end with an error.

    Scenario: the disk does not take it
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | disk-closed |
      Then it joins none of them
      And it does not ask POST /apis/certificates.k8s.io/v1/certificatesigningrequests
      And the kubelet is not started

  @LIFE-007 @MUST
  Rule: After TLS bootstrap it is removed

    Why: it holds a token that still joins machines.
    Repair, for makers: remove it when the certificate is there.

    Scenario: it is gone
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it joins each of them
      And the bootstrap kubeconfig is gone in the end

    Scenario: without rotation
      When it is before each of these servers, in each way:
        | kubelet-unrotated-signed |
      Then it joins each of them
      And the bootstrap kubeconfig is gone in the end

  @LIFE-008 @MUST
  Rule: It is removed also where the bootstrap fails

    Why: a join that has failed is tried again tomorrow, and the token lies there until then.
    Repair, for makers: remove it however the wait for the kubelet ends.

    Scenario: no certificate ever comes
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | no-autoapprove       |
        | csr-denied           |
        | signer-off           |
        | no-node-bootstrapper |
      Then the bootstrap kubeconfig is gone in the end

  @LIFE-009 @MUST
  Rule: The lasting credential lies at /etc/kubernetes/kubelet.conf

    Why: the kubelet is started with that path, and kubeadm waits for it.
    Repair, for makers: write it there.

    Scenario: it is there
      Given a kubelet of the client itself
      When it is before each of these servers, in each way:
        | ok-pin |
      Then a kubeconfig of the kubelet is left

  @LIFE-010 @MUST
  Rule: kubelet.conf authenticates with a certificate, not with the token

    Why: the token expires, and it may do what no node may.
    Repair, for makers: name the certificate and its key, and leave the token out.

    Scenario: a certificate
      Given a kubelet of the client itself
      When it is before each of these servers, in each way:
        | ok-pin          |
        | file-token-both |
      Then the kubeconfig of the kubelet shows a certificate

    Scenario: without rotation
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-unrotated-signed |
      Then the kubeconfig of the kubelet shows a certificate

  @LIFE-011 @MUST
  Rule: A join has succeeded when kubelet.conf and the certificate that it names are there

    Why: before that nobody knows whether the machine becomes a node.
    Repair, for makers: wait for both, and end with an error where they do not come.

    Scenario: both are there
      When it is before each of these servers, in each way:
        | ok-pin |
      Then the certificate that it names is there with its key

    Scenario: the certificate never comes
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | signer-off     |
        | no-autoapprove |
      Then it joins none of them

    Scenario: one of them cannot be written
      Given a client that joins "ok-pin"
      And a kubelet of the client itself
      When it is before each of these servers:
        | kubelet-conf-closed |
        | pair-closed         |
      Then it ends with an error before each of them

    Scenario: kubelet.conf is there, and what it names is not
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-no-pair |
      Then it joins none of them

    Scenario: without rotation the certificate comes first
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-unrotated-unsigned |
      Then no kubeconfig of the kubelet is left

  @LIFE-012 @MUST
  Rule: The CA of the cluster is saved as ca.crt

    Why: the kubelet verifies its clients with it.
    Repair, for makers: write what discovery has found to /etc/kubernetes/pki/ca.crt.

    Scenario: it is that of the cluster
      When it is before each of these servers, in each way:
        | ok-pin      |
        | kc-ca-again |
      Then the CA of the cluster is saved

    Scenario: where it cannot be written
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | ca-closed |
      Then it joins none of them

    Scenario: all of it, where there are several
      When it is before each of these servers:
        | kc-ca-bundle-right-first        |
        | unsafe-kc-ca-bundle-right-first |
        | cli-kc-ca-bundle-right-first    |
        | old-kc-ca-bundle-right-first    |
        | dotted-kc-ca-bundle-right-first |
        | file-ca-bundle                  |
        | https-file-ca-bundle            |
      Then the CA of the cluster is saved

  @LIFE-013 @MUST
  Rule: The kubelet gets the configuration that the cluster has for it

    Why: kubelets of one cluster behave alike.
    Repair, for makers: write kubelet-config to /var/lib/kubelet/config.yaml; only what is the node's own may differ.

    Scenario: it says the same
      When it is before each of these servers, in each way:
        | ok-pin |
      Then the kubelet is configured as the cluster says

    Scenario: where the cluster says much
      When it is before each of these servers, in each way:
        | kubelet-configured-much |
      Then the kubelet is configured as the cluster says

    Scenario: what the server has instead of it
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | kubelet-config-status |
      Then a client that needs what kubeadm needs joins none of them

    Scenario: where it cannot be written
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | configuration-closed |
        | flags-closed         |
      Then it joins none of them

  @LIFE-014 @MUST
  Rule: The kubelet is restarted, and its unit is loaded before

    Why: a kubelet that runs already has read its configuration, and systemd its unit.
    Repair, for makers: systemctl daemon-reload, then systemctl restart kubelet.

    Scenario: in this order
      When it is before each of these servers, in each way:
        | ok-pin |
      Then the service manager is told in this order:
        | daemon-reload   |
        | restart kubelet |

  @LIFE-015 @MUST
  Rule: Without a service manager the join goes on, and says so

    Why: in a container somebody else starts the kubelet.
    Repair, for makers: tell it, and go on.

    Scenario: there is none
      When it is before each of these servers:
        | services-none |
      Then it joins each of them
      And a client that speaks like kubeadm tells "no supported init system detected"

  @LIFE-016 @MUST
  Rule: Where the service manager knows no kubelet it is told to restart it all the same

    Why: it may know it under another name, and people want to see that it was tried.
    Repair, for makers: tell that there is none, and try.

    Scenario: there is no such service
      When it is before each of these servers:
        | services-no-kubelet |
      Then it joins each of them
      And a client that speaks like kubeadm tells "couldn't detect a kubelet service"
      And the service manager is told in this order:
        | daemon-reload   |
        | restart kubelet |

  @LIFE-017 @MUST
  Rule: A restart that fails is a warning

    Why: people can start the kubelet by hand while the join waits.
    Repair, for makers: warn, and go on.

    Scenario: it fails
      When it is before each of these servers, in each way:
        | services-failing |
      Then it joins each of them
      And a client that speaks like kubeadm tells "WARNING: unable to start the kubelet service"

  @LIFE-018 @MUST
  Rule: Where discovery gives nothing, nothing is written

    Why: an empty kubeconfig makes the next join fail, and says nothing of why.
    Repair, for makers: write after discovery only.

    Scenario: servers that give nothing, or nothing that can be believed
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | refused          |
        | missing          |
        | jws-wrong-secret |
        | kc-ca-garbage    |
        | file-refused     |
        | https-unknown-ca |
      Then it trusts none of them

  @LIFE-019 @SHOULD
  Rule: Kubeconfigs and keys are for root alone

    Why: every user of the machine could take the token, or the node's identity.
    Repair, for makers: mode 0600.

    Scenario: of a worker and of a control plane
      When it is before each of these servers, in each way:
        | ok-pin |
      Then whatever holds a token or a key is for root alone

    Scenario: a key that waits for its certificate
      Given a kubelet of the client itself
      When it is before each of these servers, in each way:
        | kubelet-unrotated-signed |
      Then whatever holds a token or a key is for root alone

    Scenario: from the beginning on, also where it cannot be written whole
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | disk-full |
      Then the bootstrap kubeconfig is made for root alone

    Scenario: control planes that find their cluster in other ways
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-unsafe |
        | cp-file   |
        | cp-https  |
      Then whatever holds a token or a key is for root alone
