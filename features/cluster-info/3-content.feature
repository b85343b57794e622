Feature: What cluster-info says

  cluster-info publishes a kubeconfig with two facts: the address of the API server, and the CA that it can be
  recognised by. Everybody who reaches the server can read it, so it must hold nothing else.

  @INFO-001 @MUST
  Rule: cluster-info is in kube-public

    Why: joining with a token begins by reading it there.
    Repair: run "kubeadm init phase bootstrap-token".

    Scenario: the ConfigMap
      Then kube-public holds the ConfigMap "cluster-info"

  @INFO-002 @MUST
  Rule: It holds a kubeconfig

    Why: machines that join parse the value of its key "kubeconfig".
    Repair: write a kubeconfig of apiVersion v1 and kind Config under that key, as text and not as quoted JSON.

    Scenario: the text
      Given the ConfigMap cluster-info
      Then it publishes a kubeconfig

  @INFO-003 @MUST
  Rule: The kubeconfig describes a cluster and nobody

    Why: an administrator's file, copied as it is, gives the cluster to everybody who can reach it.
    Repair: publish the cluster entry alone; renew every credential that has stood there.

    Scenario: users, contexts and the current context
      Given the ConfigMap cluster-info
      Then its kubeconfig has clusters, and neither users nor contexts

  @INFO-004 @MUST
  Rule: The kubeconfig holds no credential

    Why: it is public.
    Repair: remove it, and renew the credential: it has been public.

    Scenario: every part of the text
      Given the ConfigMap cluster-info
      Then its kubeconfig holds no credential

  @INFO-005 @MUST
  Rule: The kubeconfig has a cluster

    Why: address and CA are looked for in a cluster entry; kubeadm gives it the empty name.
    Repair: write one cluster entry.

    Scenario: the cluster entries
      Given the ConfigMap cluster-info
      Then its kubeconfig has a cluster

  @P-03 @MUST
  Rule: The kubeconfig has one cluster, which has no name

    Why: machines up to 1.31 take exactly one. Newer ones take that of the empty name, and may compare the CA of another
    one with what they were told.
    Repair: write one cluster entry, named "", and no current context.

    Scenario: the cluster entries
      Given the ConfigMap cluster-info
      Then its kubeconfig has one cluster, without a name

  @INFO-006 @MUST
  Rule: The cluster carries the certificate of its CA

    Why: a path means nothing on another machine, and the server's own certificate cannot vouch for its successor.
    Repair: put the PEM of the CA, in base64, under certificate-authority-data.

    Scenario: the CA
      Given the ConfigMap cluster-info
      Then its cluster carries the certificate of the cluster CA

  @INFO-007 @MUST
  Rule: The CA is the one that the API server can be recognised by

    Why: a joining machine reads cluster-info a second time, trusting this CA alone.
    Repair: publish the CA that has issued the serving certificate; after a change of the CA run "kubeadm init phase
    bootstrap-token" again.

    Scenario: a TLS handshake that trusts nothing else
      Given the ConfigMap cluster-info
      Then who trusts only its CA can speak to the API server

    Scenario: what else is to be trusted
      Given the ConfigMap cluster-info
      Then it publishes no CA but those that the cluster gives to its Pods

  @INFO-008 @MUST
  Rule: The address is one that other machines can use

    Why: "localhost" is another machine for each of them, names and addresses of Services are known inside only, and
    plain HTTP shows the token to the network.
    Repair: publish the control plane's endpoint with https, under a name that its certificate has.

    Scenario: the address
      Given the ConfigMap cluster-info
      Then its server is an https address that other machines can reach

    Scenario: the host
      Given the ConfigMap cluster-info
      Then the API server's certificate names that host

    Scenario: the door
      Given the ConfigMap cluster-info
      Then somebody answers there

  @P-339 @SHOULD
  Rule: The address is a host and a port, and nothing else

    Why: "kubeadm token create --print-join-command" takes it as it is for the command, and refuses a slash behind it.
    Repair: run "kubeadm init phase bootstrap-token" with an admin.conf whose server is https://<host>:<port>.

    Scenario: the text of the address
      Given a cluster that kubeadm has set up
      And the ConfigMap cluster-info
      Then its server is written as https, a host and a port

  @INFO-009 @MUST
  Rule: The verification of TLS is not switched off

    Why: clients that take the whole entry would then believe any server.
    Repair: remove insecure-skip-tls-verify.

    Scenario: the cluster entry
      Given the ConfigMap cluster-info
      Then its cluster does not switch off the verification of TLS

  @P-80 @SHOULD
  Rule: The cluster is reached by its address, and by no detour

    Why: a proxy that everybody is told to take sees who joins, and another server name has everybody expect another
    certificate. Machines that join with a token drop both; those that are given the text as a file do not.
    Repair: remove proxy-url and tls-server-name; publish a name that the certificate has.

    Scenario: the cluster entry
      Given the ConfigMap cluster-info
      Then its cluster names no proxy and no other server name

  @P-134 @SHOULD
  Rule: cluster-info can be written, and stays

    Why: the signer writes nothing into an immutable ConfigMap: tokens made from now on are never signed for, and
    signatures of revoked ones stay. One that belongs to something is deleted with it.
    Repair: delete it, without finalizers and owners, and run "kubeadm init phase bootstrap-token".

    Scenario: the ConfigMap
      Given the ConfigMap cluster-info
      Then it can be written, and stays

  @P-135 @SHOULD
  Rule: The CA that is published is valid now

    Why: a machine that trusts a CA that has ended trusts nobody, and joins no more.
    Repair: renew the CA, publish it with "kubeadm init phase bootstrap-token", and remove what has ended.

    Scenario: every certificate of the cluster entry
      Given the ConfigMap cluster-info
      Then each CA that it publishes has begun and has not ended

  @P-534 @SHOULD
  Rule: What joining machines are to trust has not almost ended

    Why: kubelets renew in time what is theirs; the CA and the certificate of the API server are renewed by people, and
    where nobody does, no machine joins any more, and those that have joined are on their own.
    Repair: run "kubeadm certs renew all" and restart the control plane; publish the successor of a CA beside it first.

    Scenario: every certificate of the cluster entry
      Given the ConfigMap cluster-info
      Then a CA that it publishes has not almost ended

    Scenario: the API server
      Then the certificate that the API server presents has not almost ended

  @P-551 @MUST
  Rule: Pods recognise the API server by its Service

    Why: they ask for it by the address of the Service kubernetes in default, or by its names. Where the certificate lacks
    them no Pod is let know who answers, and on a machine that joins the network never comes up.
    Repair: add them with --apiserver-cert-extra-sans; with kubeadm remove apiserver.crt and apiserver.key, run "kubeadm
    init phase certs apiserver" and restart the API server.

    Scenario: its addresses
      Then the certificate that the API server presents names the addresses of its Service

    Scenario: its names
      Given a cluster that kubeadm has set up
      Then the certificate that the API server presents names its Service as the DNS of the cluster does

  @INFO-011 @SHOULD
  Rule: cluster-info holds the kubeconfig and signatures, and nothing else

    Why: whatever else somebody keeps there is public.
    Repair: move it elsewhere; if it was a secret, renew it.

    Scenario: the keys of the ConfigMap
      Given the ConfigMap cluster-info
      Then it holds a kubeconfig and signatures, and nothing else

  @INFO-022 @MUST
  Rule: Publishing it a second time is no error

    Why: init is run again after every failure; the second run must end where the first would have.
    Repair: create or update the ConfigMap.

    Scenario: the phase runs twice
      Given a cluster of ours without bootstrap token authentication and without a signer
      When the bootstrap-token phase of init runs a second time
      Then the second run succeeds
      And cluster-info publishes the same kubeconfig as before
