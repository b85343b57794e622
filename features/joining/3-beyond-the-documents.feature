Feature: What kubeadm makes of a machine beside its credentials

  No document says it, and no machine is a node of its cluster without it: what the machine was told of itself reaches
  its kubelet, and what cannot become a node ends with an error.

  @P-100 @MUST
  Rule: What a machine is told of itself reaches its kubelet

    Why: without the socket of its runtime a kubelet starts no Pod, and without its taints it runs those of others.
    Repair, for makers: write runtime, name, taints of a worker and arguments to config.yaml and kubeadm-flags.env.

    Scenario: a worker, and a control plane, whose taints are of another phase
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | node-told         |
        | old-node-told     |
        | node-dotted       |
        | cp-download-certs |
      Then the kubelet is told what the machine was told

    Scenario: a cluster that names another runtime
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-configured-much |
      Then the kubelet is told what the machine was told

  @P-101 @MUST
  Rule: A kubelet is stopped before it is configured anew

    Why: one that runs reads half of the new configuration, and bootstraps with what an earlier join has left.
    Repair, for makers: stop it, and nothing else, first, and start it when everything is written.

    Scenario: in this order
      When it is before each of these servers, in each way:
        | ok-pin |
      Then the kubelet is stopped before its configuration is written

  @P-102 @SHOULD
  Rule: No word of a join holds its token or its certificate key

    Why: what a join says is kept in logs, which more people may read than may join machines.
    Repair, for makers: name the token by its id, or not at all.

    Scenario: joins that succeed
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it joins each of them
      And it says its token to nobody

    Scenario: with another token for TLS bootstrap
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | token-tls-other |
      Then it says its token to nobody

    Scenario: those that do not
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | jws-wrong-secret     |
        | no-jws               |
        | pin-wrong            |
        | cert-other-ca        |
        | second-differs       |
        | missing              |
        | sign-only            |
        | node-taken-ready     |
        | no-kubelet-config-cm |
        | no-autoapprove       |
        | csr-denied           |
        | csr-401              |
        | csr-500-once         |
        | cp-wrong-key         |
        | cp-bad-tag           |
        | cp-certs-expired     |
        | disk-closed          |
        | refused              |
        | hang-configuration   |
        | file-404             |
        | file-wrong-ca        |
        | https-unknown-ca     |
        | kc-ca-garbage        |
      Then it says its token to nobody

    Scenario: kubelets and control planes that do not become well
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-unhealthy |
        | cp-marks-refused  |
        | cp-etcd-sick      |
      Then it says its token to nobody

    Scenario: a client that is told to say more
      When it is before each of these servers:
        | ok-verbose     |
        | cp-verbose     |
        | no-jws-verbose |
      Then it says its token to nobody

    Scenario: a client that is told to change nothing
      When it is before each of these servers, in each way:
        | dry-run |
      Then it says its token to nobody

  @P-103 @MUST
  Rule: A join fails where the kubelet does not become well in its time

    Why: whoever is told that the machine has joined looks no further; whoever has told a time wants to know then.
    Repair, for makers: wait for 127.0.0.1:10248/healthz, or where kubelet-config says, as long as
    timeouts.kubeletHealthCheck says, then end with an error.

    Scenario: a kubelet that is started, and is never well
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-unhealthy |
      Then it waits for its kubelet until its time is over

    Scenario: a kubelet that says elsewhere that it is well
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-elsewhere |
      Then it joins each of them

    Scenario: a kubelet that says it nowhere, as it is told
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-silent |
      Then it joins each of them

  @P-104 @MUST
  Rule: A machine joins by the name that it is told, in lower case

    Why: the authorizer of nodes knows a node by its name, and no node has a name in capitals.
    Repair, for makers: bring the name to lower case first, then demand a DNS subdomain of it.

    Scenario: a name in capitals
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | node-upper-case |
      Then it first asks GET /api/v1/nodes/worker-9 as its token

    Scenario: a name with dots
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | node-dotted |
      Then it first asks GET /api/v1/nodes/worker-9.rack.example as its token

    Scenario: a name that no node may have
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | node-no-name |
      Then it asks nobody anything

  @P-105 @MUST
  Rule: Two ways of discovery at once are refused

    Why: nobody knows which of them was meant, and one of them may be a stranger's.
    Repair, for makers: demand a token or a file, and not both.

    Scenario: a token and a file
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | discovery-both     |
        | cli-file-and-token |
      Then it asks nobody anything

  @P-106 @MUST
  Rule: The CA is written where the machine is told, and one that a control plane has is kept

    Why: what signs and what verifies on a machine belong together, and other programs look for it there.
    Repair, for makers: write to caCertPath, and only where nothing is.

    Scenario: another place
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ca-elsewhere |
      Then the CA of the cluster is saved to "/etc/kubernetes/pki/of-the-cluster.crt"

    Scenario: a control plane that has one
      Given a client that joins "cp-by-hand"
      When it is before each of these servers:
        | cp-other-ca |
      Then "/etc/kubernetes/pki/ca.crt" is kept

    Scenario: a control plane that has them all, and does not join
      Given a client that joins "cp-by-hand"
      When it is before each of these servers:
        | cp-by-hand-taken |
      Then these files of the others stay as they are:
        | ca.crt             |
        | ca.key             |
        | sa.key             |
        | sa.pub             |
        | front-proxy-ca.crt |
        | front-proxy-ca.key |
        | etcd/ca.crt        |
        | etcd/ca.key        |

  @P-107 @MUST
  Rule: A control plane joins only a cluster, and with keys, that control planes can share

    Why: without a common endpoint the machines of the cluster are lost with the first control plane; without the keys
    there would be two clusters.
    Repair, for makers: refuse it before anything is written.

    Scenario: no common endpoint, and neither key nor files
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-no-endpoint |
        | cp-no-key      |
      Then it joins none of them

    Scenario: files that were given by hand
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-by-hand |
      Then it joins each of them

  @P-108 @SHOULD
  Rule: Who waits for a cluster lets time pass between two looks

    Why: a thousand machines that look without a pause keep the control plane down that they wait for.
    Repair, for makers: pause between looks; kubeadm does so for five seconds.

    Scenario: nothing is there yet
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | missing |
        | no-jws  |
      Then it pauses between its looks

    Scenario: nothing is there yet, beside a discovery file
      Given a client that joins "file-ok"
      When it is before each of these servers, in each way:
        | file-404 |
        | file-500 |
      Then where it looks again it pauses

    Scenario: nothing is there yet, by token and beside a discovery file
      Given a client that joins "file-ok"
      When it is before each of these servers, in each way:
        | missing  |
        | no-jws   |
        | file-404 |
        | file-500 |
      Then a client that needs what kubeadm needs pauses between its looks

  @P-109 @MUST
  Rule: Who may not look for the Node of its name does not join

    Why: a control plane whose name is taken unnoticed brings its cluster down.
    Repair, for makers: go on where there is no such Node, and nowhere else.

    Scenario: Nodes are forbidden
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | no-get-nodes |
      Then it joins none of them

    Scenario: nobody knows whether there is one
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | node-unavailable |
        | node-broken      |
        | node-status      |
      Then it joins none of them

  @P-110 @MUST
  Rule: An endpoint that is none is refused at once

    Why: a mistake in writing that is waited out for five minutes looks like a server that does not come.
    Repair, for makers: read the endpoint as host:port before anything is asked.

    Scenario: endpoints that are none
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | endpoint-no-port |
        | endpoint-scheme  |
      Then it ends with an error at once

  @P-111 @MUST @since:1.33
  Rule: The kubelet of a control plane speaks to the API server beside it

    Why: a newer kubelet that speaks to an older API server behind the common endpoint is against the version skew.
    Repair, for makers: name the own endpoint in its bootstrap kubeconfig.

    Scenario: a control plane
      When it is before each of these servers, in each way:
        | cp-download-certs |
        | cp-own-port       |
      Then the bootstrap kubeconfig has the own server of a control plane

  @P-112 @SHOULD
  Rule: Discovery by file waits for its cluster too

    Why: a machine that is started together with its control plane must not be started again by hand.
    Repair, for makers: look again until the discovery timeout, whatever the way of discovery.

    Scenario: a server that never comes round
      Given a client that joins "file-ok"
      When it is before each of these servers, in each way:
        | file-500  |
        | file-404  |
        | file-401  |
        | file-html |
      Then where it does not go on without it keeps asking until its time is over

  @P-113 @MUST
  Rule: A worker finds its cluster anew, whatever an administrator has left on it

    Why: credentials of another cluster that lie there would take the machine back to it.
    Repair, for makers: take an admin.conf for discovery on control planes alone.

    Scenario: a worker with an admin.conf
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | node-has-admin.conf |
      Then it joins each of them

    Scenario: a worker with what an earlier kubelet was told
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | node-was-another |
      Then the kubelet is told what the machine was told
      And the kubelet is configured as the cluster says

  @P-114 @MUST
  Rule: A machine asks for the certificate of a node, and for nothing more

    Why: what is asked for in another name, for another signer or for more usages is not approved by itself, or makes
    something else than a node.
    Repair, for makers: CN system:node:<name>, O system:nodes, the signer kube-apiserver-client-kubelet, client auth.

    Scenario: a worker and a control plane
      Given a kubelet of the client itself
      When it is before each of these servers, in each way:
        | ok-pin |
      Then each certificate is asked for a node of this name, and for nothing more

    Scenario: other names
      Given a kubelet of the client itself
      When it is before each of these servers, in each way:
        | node-upper-case |
        | node-dotted     |
      Then each certificate is asked for a node of this name, and for nothing more

    Scenario: requests that are refused, or lost
      Given a kubelet of the client itself
      When it is before each of these servers, in each way:
        | csr-denied     |
        | csr-failed     |
        | csr-unapproved |
        | csr-500-once   |
        | csr-gone       |
      Then each certificate is asked for a node of this name, and for nothing more

    Scenario: without rotation
      Given a kubelet of the client itself
      When it is before each of these servers, in each way:
        | kubelet-unrotated-signed |
      Then each certificate is asked for a node of this name, and for nothing more

  @P-374 @SHOULD
  Rule: A machine looks at its own request alone

    Why: whoever joins with a token may read every request; a thousand machines that list all of them again and again load
    the API server, and one that takes what it finds takes what is not its own.
    Repair, for makers: get the request by its name, or list and watch with the field selector metadata.name.

    Scenario: servers that sign at once, and late
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | ok-pin         |
        | approved-first |
      Then it looks at no request but its own

  @P-375 @MUST
  Rule: Each request has a name of its own

    Why: a request by the name of the machine is there already when the machine joins again, and stays for an hour.
    Repair, for makers: let the API server choose by metadata.generateName, or derive the name from the key.

    Scenario: one machine that joins again and again
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin         |
        | signed-late    |
        | approved-first |
      Then no two keys are asked for by one name

    Scenario: one machine that joins again, without rotation
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-unrotated        |
        | kubelet-unrotated-signed |
      Then no two keys are asked for by one name

  @P-376 @SHOULD
  Rule: A request that was denied is waited for no longer

    Why: a refusal is never taken back, and an operator who has denied a machine sees it wait for ever.
    Repair, for makers: end with an error once the request has the condition Denied or Failed; ask anew later, if at all.

    Scenario: requests that are denied, or fail
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | csr-denied |
        | csr-failed |
      Then it waits for none of them

  @P-400 @SHOULD
  Rule: Who waits for a certificate lets time pass between two looks at his request

    Why: an operator may approve hours later, and machines that look without a pause until then keep the API server busy.
    Repair, for makers: watch the request, or pause between looks.

    Scenario: requests that nobody signs for long
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | csr-unapproved |
      Then it pauses between its looks at its request

  @P-572 @SHOULD
  Rule: Who is refused what a join needs lets time pass before asking for it again

    Why: what is refused now is refused a moment later; machines that join together and ask without a pause keep the API
    server from whoever could help.
    Repair, for makers: end with an error, or pause before the next try.

    Scenario: configurations, and the Node of its name
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | no-kubeadm-config-cm |
        | no-kubelet-config-cm |
        | config-403-true      |
        | no-get-nodes         |
      Then it pauses before it asks again for what it was refused

    Scenario: what control planes share
      Given a client that joins "cp-download-certs"
      When it is before each of these servers:
        | cp-certs-forbidden |
        | cp-certs-expired   |
      Then it pauses before it asks again for what it was refused

  @P-115 @MUST
  Rule: No machine joins a cluster whose configuration it cannot have or does not fit

    Why: a node that is set up by guesses, or is too new for its API server, fails when it is needed.
    Repair, for makers: end with an error where kubeadm-config is missing, forbidden, unreadable or too old.

    Scenario: none that can be read, or an older cluster
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | no-kubeadm-config-cm |
        | no-group             |
        | config-403-true      |
        | config-v1beta2       |
        | config-garbage       |
        | config-key-missing   |
        | version-skew-old     |
        | version-skew-two     |
        | kube-proxy-500       |
      Then a client that needs what kubeadm needs joins none of them

    Scenario: what a join can do without
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | version-skew-one      |
        | version-skew-new      |
        | no-kube-proxy-cm      |
        | no-kube-proxy-binding |
        | config-v1beta3        |
        | config-more-fields    |
      Then it joins each of them

    Scenario: what fails once
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | config-late |
      Then a client whose calls are quick joins each of them

  @P-116 @MUST @since:1.36
  Rule: Who renounces pins still needs a CA

    Why: without one the authorities of the host are believed, or everybody.
    Repair, for makers: refuse a cluster-info without a CA that can be read, whatever was said of pins.

    Scenario: none, or none that can be read
      Given a client that joins "ok-unsafe"
      When it is before each of these servers, in each way:
        | kc-no-ca-unsafe       |
        | kc-no-ca-host         |
        | kc-ca-file            |
        | kc-insecure-skip-noca |
      Then it trusts none of them

  @P-117 @MUST
  Rule: A download that is no kubeconfig is refused

    Why: what a web server says of a page that it has not is no cluster.
    Repair, for makers: end with an error where the body is none.

    Scenario: pages
      Given a client that joins "https-ok"
      When it is before each of these servers, in each way:
        | https-404  |
        | https-html |
      Then it trusts none of them

  @P-118 @MUST
  Rule: The bootstrap kubeconfig is made of what was validated, and of nothing else

    Why: a proxy, another name of the server or another user would decide whom the kubelet shows its token.
    Repair, for makers: write server, CA and token; leave out what cluster-info says besides.

    Scenario: whatever cluster-info says
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin            |
        | kc-proxy-url      |
        | kc-users          |
        | file-ok           |
        | cp-download-certs |
      Then the bootstrap kubeconfig says nothing else

    Scenario: another name that the server may have
      Given a client that joins "ok-unsafe"
      When it is before each of these servers:
        | kc-tls-server-name |
      Then a client that needs what kubeadm needs joins none of them

  @P-119 @MUST
  Rule: No file holds the token or the certificate key once the join is over

    Why: a copy that nobody knows of still joins machines.
    Repair, for makers: write the token to the bootstrap kubeconfig alone, and remove that, not rename it.

    Scenario: joins that succeed
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it joins each of them
      And no file is left that holds its token

    Scenario: those that do not
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | no-autoapprove    |
        | kubelet-unhealthy |
        | cp-marks-refused  |
      Then no file is left that holds its token

    Scenario: without rotation, and control planes that find their cluster in other ways
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kubelet-unrotated-signed |
        | cp-unsafe                |
        | cp-file                  |
        | cp-https                 |
      Then no file is left that holds its token

  @P-120 @MUST
  Rule: Nobody else may write what a join leaves

    Why: who may write the CA decides whom the kubelet believes; who may write its configuration, whom it obeys.
    Repair, for makers: mode 0644 at most, and 0755 for folders.

    Scenario: a worker and a control plane
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it joins each of them
      And nobody else may write what it leaves

  @P-121 @MUST
  Rule: A shared entry that is no key and no certificate is an error

    Why: a control plane that starts with it serves nobody, and its kubelet starts it again and again.
    Repair, for makers: read what was decrypted as PEM before it is written.

    Scenario: text that was rightly encrypted
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-no-pem |
      Then it joins none of them

  @P-122 @MUST
  Rule: A discovery file, and what cluster-info says, is read as a kubeconfig is

    Why: files that it names do not lie where the kubelet looks, and another cluster than the one that its context names is
    another cluster.
    Repair, for makers: take the cluster and the user of the current context, and none of several without one; embed what is
    named.

    Scenario: files that are named, and a context
      Given a client that joins "file-ok"
      When it is before each of these servers, in each way:
        | file-ca-path         |
        | file-ca-path-403     |
        | file-token-path      |
        | file-current-context |
        | file-several-users   |
        | file-other-token     |
        | file-token-known     |
      Then the bootstrap kubeconfig has the CA of the cluster
      And the bootstrap kubeconfig has the token of TLS bootstrap

    Scenario: a certificate and its key that are named
      Given a client that joins "file-ok"
      When it is before each of these servers, in each way:
        | file-client-paths |
      Then the bootstrap kubeconfig has its credential in itself

    Scenario: the context of cluster-info
      Given a client that joins "ok-unsafe"
      When it is before each of these servers:
        | kc-context-second-unsafe |
      Then the bootstrap kubeconfig is of the cluster that the context names

    Scenario: a cluster without a name, which counts for more than the context
      Given a client that joins "ok-unsafe"
      When it is before each of these servers:
        | kc-unnamed-unsafe |
      Then the bootstrap kubeconfig is of the cluster that the context names

    Scenario: several clusters, and no context
      Given a client that joins "ok-unsafe"
      When it is before each of these servers, in each way:
        | file-two-named      |
        | kc-two-named-unsafe |
      Then it trusts none of them

    Scenario: several clusters, and the context names one that is not there
      Given a client that joins "file-ok"
      When it is before each of these servers, in each way:
        | file-context-other |
        | file-context-first |
      Then it trusts none of them

  @P-123 @MUST
  Rule: The wait for a certificate ends when its time is over

    Why: whoever has told a time wants to know then; a join that ends earlier leaves a machine that becomes a node later.
    Repair, for makers: wait for timeouts.tlsBootstrap, then end with an error.

    Scenario: a server that never signs
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | no-autoapprove |
      Then it waits for its certificate until its time is over

  @P-124 @MUST
  Rule: What a control plane runs with is there before its kubelet is started

    Why: a kubelet that finds half of it runs half of a control plane, or one with keys of its own.
    Repair, for makers: write certificates and manifests first, then start the kubelet.

    Scenario: in this order
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then certificates and manifests are written before the kubelet is started

  @P-221 @SHOULD
  Rule: What a join starts is given neither its token nor its certificate key

    Why: who may look at a service sees its environment and its arguments, and other programs inherit them.
    Repair, for makers: pass secrets in files of mode 0600, and in nothing else.

    Scenario: a worker and a control plane
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it joins each of them
      And what it starts is not given its token

  @P-220 @MUST
  Rule: A discovery file that came in part is none

    Why: whoever can end a connection decides how much of the file is believed.
    Repair, for makers: take a download that ends before its length for a failure.

    Scenario: what has come reads like one
      Given a client that joins "https-ok"
      When it is before each of these servers:
        | https-cut |
      Then it trusts none of them

  @P-222 @MUST
  Rule: Keys of another cluster that lie on a control plane do not stay

    Why: with another key for service accounts each control plane refuses the tokens that the others have signed.
    Repair, for makers: write what was downloaded over what is there, or refuse the machine.

    Scenario: the key of service accounts is there already
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-stale-keys |
      Then a control plane that joins has these files of the others:
        | sa.key |
        | sa.pub |

  @P-250 @MUST
  Rule: Patches reach what they are for

    Why: whoever has told the machine more than the cluster knows relies on it: limits, addresses, what Pods may do.
    Repair, for makers: apply the files of patches.directory to the kubelet's configuration and to each manifest.

    Scenario: a worker, and a control plane with its manifests
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | node-patched               |
        | node-patched-by-operations |
        | node-patched-twice         |
        | cp-patched                 |
        | cp-patched-by-operations   |
      Then its patches are in its files

    Scenario: a control plane with its etcd
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-etcd-patched |
      Then its patches are in its files

    Scenario: it joins
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-patched-by-operations |
        | cp-etcd-patched          |
      Then it joins each of them

  @P-251 @MUST
  Rule: A dry run changes nothing

    Why: it is asked for where nobody is sure yet, also on machines that work.
    Repair, for makers: write below /etc/kubernetes/tmp, leave the services alone, and send nothing that writes.

    Scenario: a worker and a control plane
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | dry-run |
      Then nothing is changed on the machine
      And it only reads, and ends well

    Scenario: a control plane that would join the etcd of others
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-dry-run-etcd |
      Then nothing is changed on the machine
      And it only reads, and ends well

    Scenario: the etcd of others
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-dry-run-etcd |
      Then it leaves their etcd alone

  @P-252 @MUST @since:1.29
  Rule: RBAC holds whoever administers from a control plane that has joined

    Why: members of system:masters cannot be held by any right, and their certificates cannot be taken back.
    Repair, for makers: admin.conf in the group kubeadm:cluster-admins; make super-admin.conf where a cluster is made,
    and nowhere else.

    Scenario: a control plane that joins
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then RBAC holds the administrator of the machine

    Scenario: whoever else works there
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then nobody of the machine is one whom RBAC does not hold

  @P-280 @MUST
  Rule: Certificates that a control plane makes are for what they are shown for, and for nothing more

    Why: whoever gets the key of an API server's certificate could log in with it, where it is for clients as well.
    Repair, for makers: serverAuth for who serves, clientAuth for who asks, and both for etcd alone.

    Scenario: a control plane that joins
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then its certificates are for what they are shown for alone

  @P-281 @MUST
  Rule: What a control plane asks itself alone listens to nobody else

    Why: metrics and profiles tell of every object and request; nobody has told the cluster to show them.
    Repair, for makers: --bind-address=127.0.0.1 for controller manager and scheduler, --listen-metrics-urls on loopback
    for etcd, unless extraArgs say otherwise.

    Scenario: a control plane that joins
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
        | cp-etcd           |
      Then its controllers and its etcd show themselves on loopback alone

  @P-253 @MUST
  Rule: The Node of a control plane that has joined is marked as one

    Why: without its taint it runs Pods of everybody beside the keys of the cluster; a taint of somebody else that is
    lost runs them on a machine that is not ready.
    Repair, for makers: add the labels and the taint of control planes to what the Node has.

    Scenario: its labels and taints
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-marked |
      Then its Node is marked as that of a control plane

    Scenario: labels that come late, and a conflict
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-marks-late |
      Then it joins each of them
      And its Node is marked as that of a control plane

    Scenario: a machine that is told to have no taint
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-untainted |
      Then it joins each of them
      And its Node is labelled, and gets no taint

    Scenario: marks that nobody may give
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-marks-refused |
      Then it does not say that it has joined unmarked

  @P-313 @MUST @since:1.33
  Rule: A control plane has joined when what runs on it is well

    Why: whoever is told that it has joined looks no further, and leads clients to an API server that never came.
    Repair, for makers: ask the own API server, and on loopback controller manager and scheduler, how they are, again
    and again; end with an error when timeouts.controlPlaneComponentHealthCheck is over.

    Scenario: it takes them a moment
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-well             |
        | cp-well-at-its-port |
      Then it joins each of them
      And it has heard that what runs on it is well

    Scenario: one of them is never well
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-server-sick      |
        | cp-controllers-sick |
        | cp-scheduler-sick   |
      Then it waits for what runs on it until its time is over

  @P-314 @MUST
  Rule: What works beside an API server asks that one, and who administers asks the cluster

    Why: a newer controller manager that speaks to an older API server is against the version skew; an administrator
    whose kubeconfig names one machine is lost with it.
    Repair, for makers: localAPIEndpoint in controller-manager.conf and scheduler.conf, controlPlaneEndpoint in
    admin.conf.

    Scenario: a control plane that joins
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-download-certs |
        | cp-own-port       |
      Then its kubeconfigs name the servers that they are for

  @P-315 @MUST
  Rule: A machine that is a control plane already is not made one again

    Why: its kubelet runs what the manifests say, of another cluster or of one that works, until they are overwritten.
    Repair, for makers: refuse a machine on which a manifest of a control plane lies.

    Scenario: one of its manifests is left
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-has-kube-apiserver          |
        | cp-has-kube-controller-manager |
        | cp-has-kube-scheduler          |
        | cp-has-etcd                    |
      Then it joins none of them
      And nothing on a machine that kubeadm refuses is changed

  @P-554 @SHOULD
  Rule: What an earlier join has left is written anew where a machine is told to pass over it

    Why: a kubelet bootstraps with the file that lies there, and runs the Pods that lie there: of another cluster, by a token
    that is gone.
    Repair, for makers: write bootstrap-kubelet.conf and manifests whether they are there or not, once checks let it pass.

    Scenario: whom it bootstraps at
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | node-bootstrap-before |
      Then the bootstrap kubeconfig has the server of the cluster

    Scenario: with what it bootstraps
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | node-bootstrap-before |
      Then the bootstrap kubeconfig has the token of TLS bootstrap

    Scenario: once it has joined
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | node-bootstrap-before |
      Then the bootstrap kubeconfig is gone in the end

    Scenario: manifests of a control plane
      Given a client that joins "cp-download-certs"
      When it is before each of these servers:
        | cp-manifests-before |
      Then what an earlier join has left is written anew

  @P-570 @MUST
  Rule: A machine joins whatever key, name and life the authority of its cluster has

    Why: kubeadm's are of RSA, managed clusters have names of their own, and many have a hundred years to be left alone;
    whoever knows one kind alone joins none of them.
    Repair, for makers: believe the CA that was discovered, and take the certificate that comes if it is for the key that
    was asked for.

    Scenario: by token and by file
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | ca-rsa          |
        | unsafe-ca-rsa   |
        | cli-ca-rsa      |
        | file-ca-rsa     |
        | ca-named        |
        | unsafe-ca-named |
        | cli-ca-named    |
        | file-ca-named   |
      Then it joins each of them

    Scenario: which CA its kubelet is told
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | ca-rsa        |
        | file-ca-rsa   |
        | ca-named      |
        | file-ca-named |
      Then the bootstrap kubeconfig has the CA of the cluster

  @P-325 @MUST
  Rule: A control plane has its images before it is made one

    Why: a machine that cannot run what it is to run is a control plane that is down, and a member of etcd that is missing.
    Repair, for makers: pull the images among the preflight checks, and refuse a machine that cannot have them.

    Scenario: no container runtime
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-no-images |
      Then it joins none of them

  @P-327 @MUST
  Rule: A control plane runs as the cluster is configured

    Why: an API server with other networks, names or arguments than the others answers otherwise than they do, one time
    in three.
    Repair, for makers: take networks, names, images, folders and arguments from kubeadm-config.

    Scenario: it joins
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-configured      |
        | cp-configured-etcd |
      Then it joins each of them

    Scenario: arguments
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-configured |
      Then what runs on it is told:
        | kube-apiserver          | audit-log-maxage         | 7                                           |
        | kube-apiserver          | service-cluster-ip-range | 172.20.0.0/16                               |
        | kube-apiserver          | service-account-issuer   | https://kubernetes.default.svc.blue.example |
        | kube-apiserver          | client-ca-file           | /etc/kubernetes/certs/ca.crt                |
        | kube-controller-manager | node-cidr-mask-size      | 25                                          |
        | kube-controller-manager | cluster-name             | blue                                        |
        | kube-controller-manager | cluster-cidr             | 10.32.0.0/12                                |
        | kube-controller-manager | service-cluster-ip-range | 172.20.0.0/16                               |
        | kube-scheduler          | kube-api-qps             | 60                                          |

    Scenario: variables
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-configured |
      Then what runs on it has these variables:
        | kube-apiserver          | GOGC | 80 |
        | kube-controller-manager | GOGC | 81 |
        | kube-scheduler          | GOGC | 82 |

    Scenario: images
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-configured |
      Then its images are of "registry.example/blue":
        | kube-apiserver          |
        | kube-controller-manager |
        | kube-scheduler          |

    Scenario: folders
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-configured |
      Then these have folders of their machine:
        | kube-apiserver | /var/log/audit        |
        | kube-apiserver | /etc/kubernetes/certs |

    Scenario: names
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-configured |
      Then "/etc/kubernetes/certs/apiserver.crt" is a certificate for:
        | api.blue.example                    |
        | kubernetes.default.svc.blue.example |
        | 172.20.0.1                          |

    Scenario: how long its certificates live
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-configured |
      Then these live for 30 days:
        | /etc/kubernetes/certs/apiserver.crt                |
        | /etc/kubernetes/certs/apiserver-kubelet-client.crt |
        | /etc/kubernetes/certs/front-proxy-client.crt       |

    Scenario: the kind of its keys
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-configured |
      Then these have keys of "ECDSA-P384":
        | /etc/kubernetes/certs/apiserver.crt                |
        | /etc/kubernetes/certs/apiserver-kubelet-client.crt |
        | /etc/kubernetes/certs/front-proxy-client.crt       |
        | /etc/kubernetes/admin.conf                         |
        | /etc/kubernetes/controller-manager.conf            |
        | /etc/kubernetes/scheduler.conf                     |

    Scenario: its etcd
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-configured-etcd |
      Then what runs on it is told:
        | etcd | data-dir            | /var/lib/etcd-blue                |
        | etcd | quota-backend-bytes | 4294967296                        |
        | etcd | trusted-ca-file     | /etc/kubernetes/certs/etcd/ca.crt |

    Scenario: the image of its etcd
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-configured-etcd |
      Then its images are:
        | etcd | registry.example/blue/etcd:3.6.4-0 |

    Scenario: variables of its etcd
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-configured-etcd |
      Then what runs on it has these variables:
        | etcd | GOGC | 83 |

    Scenario: the folder of its etcd
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-configured-etcd |
      Then these have folders of their machine:
        | etcd | /var/lib/etcd-blue |

  @P-328 @MUST
  Rule: Who joins writes nothing to the cluster but his request

    Why: a machine that takes away or changes what others need to join is the last one that joins.
    Repair, for makers: read with the token, and write the request for the certificate alone.

    Scenario: a worker and a control plane
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it writes nothing with its token but its request

  @P-309 @MUST
  Rule: Discovery by a token alone is refused, unless pins are renounced

    Why: whoever knows the token, or makes a cluster of his own with it, would be believed silently.
    Repair, for makers: refuse a token without a pin before anything is asked, unless unsafeSkipCAVerification says so.

    Scenario: by a configuration, and by flags
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | pin-none   |
        | cli-no-pin |
      Then it asks nobody anything

  @P-310 @MUST
  Rule: The token is shown in the header of a request, and in no other place

    Why: addresses are kept in the logs of every server and proxy, and objects are read by others.
    Repair, for makers: Authorization: Bearer; put the token neither into the URL nor into an object.

    Scenario: joins that succeed
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it joins each of them
      And no request holds its token but in its header

  @P-311 @MUST
  Rule: A kubelet that has joined verifies its API server by the CA of the cluster

    Why: whoever stands between could tell it which Pods to run, and see their Secrets.
    Repair, for makers: put the CA of the bootstrap kubeconfig, all of it, into kubelet.conf, or name its file; skip nothing,
    and name no other server name and no proxy.

    Scenario: by token and by file
      When it is before each of these servers, in each way:
        | ok-pin       |
        | kc-proxy-url |
      Then it joins each of them
      And the kubeconfig of the kubelet believes the CA of the cluster alone
      And the kubeconfig of the kubelet says nothing besides

    Scenario: all of it, where there are several
      When it is before each of these servers:
        | kc-ca-bundle-right-first        |
        | unsafe-kc-ca-bundle-right-first |
        | cli-kc-ca-bundle-right-first    |
        | old-kc-ca-bundle-right-first    |
        | dotted-kc-ca-bundle-right-first |
        | file-ca-bundle                  |
        | https-file-ca-bundle            |
      Then it joins each of them
      And the kubeconfig of the kubelet believes the CA of the cluster alone

  @P-312 @SHOULD
  Rule: Manifests of a control plane are for root alone

    Why: they tell every user of the machine what the control plane runs with, and where its keys lie.
    Repair, for makers: mode 0600.

    Scenario: a control plane that joins
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
        | cp-etcd           |
      Then its manifests are for root alone

  @P-290 @MUST
  Rule: A control plane joins the etcd of the others when that is well, and knows it by its authority

    Why: a member more is one more that has to agree; an etcd without a leader stays without one, and a stranger's etcd
    gets the members and the certificates of clients.
    Repair, for makers: verify etcd with pki/etcd/ca.crt, ask each member for its status before the kubelet is started,
    end with an error where most are not well, and ask again when the new member has its vote.

    Scenario: an etcd that is well
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-etcd |
      Then it asks the etcd of the others how it is, before and in the end

    Scenario: one that is not, and one of another authority
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-etcd-sick     |
        | cp-etcd-stranger |
      Then it leaves their etcd alone

  @P-291 @MUST
  Rule: The etcd of a control plane is added as a learner, and gets its vote when it has caught up

    Why: a voter that has not started yet is counted as one that is lost: with one other member nothing is written
    until it has, and if it never does, nothing ever is.
    Repair, for makers: add it as a learner by its peer URL, start it, wait until it has a name, then promote it, again
    and again until it is in sync with the leader.

    Scenario: one that is promoted at once, and one that is not
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-etcd      |
        | cp-etcd-slow |
      Then its etcd is added as a learner
      And the learner is given its vote

    Scenario: not before it can be started
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-etcd |
      Then its etcd is added when its kubelet runs

  @P-292 @MUST
  Rule: The etcd of a control plane is told all members of the cluster that is there

    Why: an etcd that is told of itself alone, or of a new cluster, begins one of its own with nothing in it.
    Repair, for makers: --initial-cluster with name and peer URL of each member, its own and learners
    among them, by its number in hex one that has no name yet, and --initial-cluster-state=existing.

    Scenario: its manifest
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-etcd       |
        | cp-etcd-there |
      Then its etcd is told all members of an existing cluster

    Scenario: another machine that joins at the same time
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-etcd-learner |
      Then it joins each of them
      And its etcd is told all members of an existing cluster

  @P-293 @MUST
  Rule: A machine whose peer URL is that of a member already is not added again

    Why: a join that is repeated would add a member that never starts, or fail for ever.
    Repair, for makers: list the members first, and go on with the one that has the peer URL of the machine.

    Scenario: a learner that an earlier join has left
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-etcd-there |
      Then no member of their etcd is added
      And the learner is given its vote
