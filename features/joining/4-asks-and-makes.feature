Feature: What a joining client asks for, and what it makes of its machine

  No document says it. Whatever a client asks is held against what joining needs, by what it shows; whatever it leaves is
  held against what kubeadm leaves.

  @P-430 @MUST
  Rule: Who joins changes nothing in the cluster that is not of its own Node

    Why: what is deleted or written beside it was somebody's: a Node that is down for a moment, the configuration of all.
    Repair, for makers: write the request for the certificate with the token, and with certificates the own Node.

    Scenario: joins that succeed
      When it is before each of these servers, in each way:
        | ok-pin         |
        | node-taken-not |
        | signed-late    |
      Then it joins each of them
      And it changes nothing but what is of its own Node

    Scenario: a control plane that is marked, or not, and a kubelet that is not well
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-marked         |
        | cp-marks-refused  |
        | kubelet-unhealthy |
      Then it changes nothing but what is of its own Node

    Scenario: a control plane with its etcd, and with what runs on it
      Given a client that joins "cp-download-certs"
      When it is before each of these servers:
        | cp-etcd |
        | cp-well |
      Then it changes nothing but what is of its own Node

    Scenario: those that do not
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | no-autoapprove       |
        | csr-denied           |
        | csr-failed           |
        | csr-401              |
        | no-node-bootstrapper |
        | node-taken-ready     |
        | cp-certs-expired     |
        | sign-only            |
        | missing              |
        | no-jws               |
        | second-differs       |
        | pin-wrong            |
        | file-404             |
      Then it changes nothing but what is of its own Node

  @P-431 @SHOULD
  Rule: Who joins reads what joining needs

    Why: a token is seldom bound as tightly as it could be; who looks around with it cannot be told from whoever stole it.
    Repair, for makers: read cluster-info, the three configurations, the Node of the name, the own request and, for a control
    plane, kubeadm-certs.

    Scenario: joins that succeed
      When it is before each of these servers, in each way:
        | ok-pin         |
        | node-taken-not |
      Then it joins each of them
      And it reads what joining needs, and nothing else

    Scenario: those that do not
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | missing              |
        | no-jws               |
        | 403                  |
        | jws-wrong-secret     |
        | pin-wrong            |
        | file-404             |
        | no-kubeadm-config-cm |
        | node-taken-ready     |
        | sign-only            |
        | no-autoapprove       |
        | csr-denied           |
        | cp-certs-expired     |
        | file-no-credentials  |
      Then it reads what joining needs, and nothing else

    Scenario: a name with dots
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | node-dotted |
      Then it reads what joining needs, and nothing else

  @P-432 @MUST
  Rule: No question of a join is waited for without end

    Why: a server that takes requests and never answers is seen after each failure of a disk; the machine is then to be told.
    Repair, for makers: give every call a limit; kubeadm gives it ten seconds.

    Scenario: whatever is never answered once discovery is over
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | hang-configuration  |
        | hang-kubelet-config |
        | hang-node           |
      Then a client that needs what kubeadm needs joins none of them

    Scenario: requests for certificates
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | hang-requests |
      Then it joins none of them

    Scenario: shared certificates
      Given a client that joins "cp-download-certs"
      When it is before each of these servers:
        | hang-shared |
      Then it joins none of them

    Scenario: what is answered at once, and is none
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | no-kubeadm-config-cm |
        | no-kubelet-config-cm |
      Then a client that needs what kubeadm needs gives up when its time is over

  @P-433 @MUST
  Rule: A token of discovery is for discovery

    Why: who has told two tokens wants to know what each has done; that of discovery may log in nowhere.
    Repair, for makers: take the token of TLS bootstrap for everything that follows discovery.

    Scenario: two tokens, and a file with one of its own
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | token-tls-other   |
        | cli-tls-other     |
        | token-tls-refused |
        | file-token-both   |
      Then it shows the token of TLS bootstrap alone

    Scenario: a token in cluster-info
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | kc-context-token |
      Then it shows the token of TLS bootstrap alone

  @P-434 @MUST
  Rule: The key of a node is one that nobody can compute

    Why: whoever computes it is the node, and nobody sees it.
    Repair, for makers: make an ECDSA key on P-256, or RSA of 2048 bits at least.

    Scenario: several joins
      Given a kubelet of the client itself
      When it is before each of these servers, in each way:
        | ok-pin |
      Then each certificate is asked for a strong key

    Scenario: without rotation
      Given a kubelet of the client itself
      When it is before each of these servers, in each way:
        | kubelet-unrotated-signed |
      Then each certificate is asked for a strong key

  @P-435 @SHOULD
  Rule: Who gets no certificate does not ask for one after the other

    Why: each request stays for an hour at least; thousands of them hide the one that an operator is to see, and fill etcd.
    Repair, for makers: look at the request that there is; after a refusal let time pass, and ever more.

    Scenario: servers that sign nothing
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers:
        | no-autoapprove         |
        | unsafe-no-autoapprove  |
        | file-no-autoapprove    |
        | https-no-autoapprove   |
        | cp-no-autoapprove      |
        | dotted-no-autoapprove  |
        | cp-file-no-autoapprove |
        | csr-denied             |
        | unsafe-csr-denied      |
        | file-csr-denied        |
        | https-csr-denied       |
        | cp-csr-denied          |
        | dotted-csr-denied      |
        | cp-file-csr-denied     |
        | csr-failed             |
        | unsafe-csr-failed      |
        | file-csr-failed        |
        | https-csr-failed       |
        | cp-csr-failed          |
        | dotted-csr-failed      |
        | cp-file-csr-failed     |
        | csr-unapproved         |
        | unsafe-csr-unapproved  |
        | file-csr-unapproved    |
        | https-csr-unapproved   |
        | cp-csr-unapproved      |
        | dotted-csr-unapproved  |
        | cp-file-csr-unapproved |
        | signer-off             |
        | no-node-bootstrapper   |
      Then it makes few requests
      And it lets a second pass between two of them

    Scenario: servers whose first answer is none
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | csr-cut       |
        | csr-500-once  |
        | csr-429-twice |
      Then it lets a second pass between two of them

    Scenario: servers that sign at once
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it makes one request

    Scenario: a server that takes a while to sign
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | signed-in-a-while |
      Then it makes one request

    Scenario: a look at the request that fails once
      Given a kubelet of the client itself
      And a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | csr-look-503-once |
        | csr-look-cut-once |
      Then it makes one request

  @P-436 @SHOULD
  Rule: Who is told when to come again does not come earlier

    Why: a server that sheds load sheds it for all; who comes at once takes the turn of another machine.
    Repair, for makers: wait as long as Retry-After says.

    Scenario: servers that have no time
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | 429-for-ever    |
        | 503-retry-after |
      Then it comes again after 1 s, as it is told

    Scenario: servers that have no time for longer
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | 503-retry-after-4 |
      Then it comes again after 4 s, as it is told

    Scenario: one that sends everybody to itself
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | redirect-loop |
      Then it leaves the circle

  @P-437 @MUST
  Rule: A kubelet that has joined asks the server that was validated

    Why: whoever is asked tells a node what to run; another address is somebody else's, or nobody's.
    Repair, for makers: put the server of the bootstrap kubeconfig into kubelet.conf.

    Scenario: workers and a control plane
      When it is before each of these servers, in each way:
        | ok-pin                  |
        | file-other-server       |
        | server-by-name          |
        | unsafe-server-by-name   |
        | cli-server-by-name      |
        | file-server-by-name     |
        | https-server-by-name    |
        | cp-server-by-name       |
        | cp-file-server-by-name  |
        | cp-https-server-by-name |
        | kc-server-path          |
      Then it joins each of them
      And its kubelet asks the validated server

  @P-438 @MUST
  Rule: A machine has the keys that it needs, where they belong, and no other

    Why: a copy that nobody knows of is the node, or the cluster, for as long as its certificates live.
    Repair, for makers: write the key of the kubelet where kubelet.conf names it, keys of a control plane into its folder of
    certificates and its kubeconfigs, and none anywhere else.

    Scenario: workers
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | ok-pin      |
        | ok-unsafe   |
        | cli-ok      |
        | file-ok     |
        | https-ok    |
        | old-ok      |
        | node-dotted |
        | node-told   |
      Then it keeps the keys that it needs

    Scenario: a control plane
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then it keeps the keys that it needs

  @P-439 @MUST
  Rule: Whom a kubelet needs is there before it is started, and what it bootstraps with stays until then

    Why: a kubelet without the CA lets nobody in or ends at once; one that is started again without a certificate and
    without the bootstrap kubeconfig never becomes a node.
    Repair, for makers: write ca.crt before the restart, and remove the bootstrap kubeconfig once the certificate is there.

    Scenario: workers
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | ok-pin      |
        | ok-unsafe   |
        | cli-ok      |
        | file-ok     |
        | https-ok    |
        | old-ok      |
        | node-dotted |
      Then ca.crt is written before the kubelet is started

    Scenario: until a certificate was asked for
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin |
      Then the bootstrap kubeconfig stays until then

  @P-440 @MUST
  Rule: A control plane runs with what kubeadm tells it, and with nothing else

    Why: one API server of three that lets more in, or one controller manager without its signer, is found by chance.
    Repair, for makers: tell API server, controller manager, scheduler and etcd what the other control planes tell them.

    Scenario: a cluster that says nothing of it
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then what runs on it is told as kubeadm tells it
      And what runs on it has no more of its machine
      And nothing runs beside it

    Scenario: with its etcd
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-etcd |
      Then what runs on it is told as kubeadm tells it

    Scenario: what that has of its machine
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-etcd |
      Then what runs on it has no more of its machine

    Scenario: how it is kept
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then what runs on it is kept as kubeadm keeps it

    Scenario: how its etcd is kept
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-etcd |
      Then what runs on it is kept as kubeadm keeps it

  @P-441 @MUST
  Rule: Certificates of a control plane are issued by the authorities that all of them share

    Why: with another authority each machine is a cluster of its own, which its clients refuse or, worse, believe.
    Repair, for makers: issue them by ca, front-proxy-ca and etcd/ca, each beside its key, for the names of the machine.

    Scenario: by whom
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then its certificates are issued by the authorities of the cluster

    Scenario: for whom
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-download-certs     |
        | cp-unsafe             |
        | cp-file               |
        | cp-https              |
        | old-cp-download-certs |
      Then "/etc/kubernetes/pki/apiserver.crt" is a certificate for:
        | 192.0.2.20                           |
        | 10.96.0.1                            |
        | kubernetes                           |
        | kubernetes.default                   |
        | kubernetes.default.svc               |
        | kubernetes.default.svc.cluster.local |
        | worker-9                             |

    Scenario: for whom, where its name has dots
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-dotted |
      Then "/etc/kubernetes/pki/apiserver.crt" is a certificate for:
        | 192.0.2.20            |
        | worker-9.rack.example |
      And "/etc/kubernetes/pki/etcd/server.crt" is a certificate for:
        | 127.0.0.1             |
        | worker-9.rack.example |
      And "/etc/kubernetes/pki/etcd/peer.crt" is a certificate for:
        | 192.0.2.20            |
        | worker-9.rack.example |

    Scenario: for whom its etcd is
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-download-certs     |
        | cp-unsafe             |
        | cp-file               |
        | cp-https              |
        | old-cp-download-certs |
      Then "/etc/kubernetes/pki/etcd/server.crt" is a certificate for:
        | 192.0.2.20 |
        | 127.0.0.1  |
        | localhost  |
        | worker-9   |

    Scenario: for whom it is to its peers
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-download-certs     |
        | cp-unsafe             |
        | cp-file               |
        | cp-https              |
        | old-cp-download-certs |
      Then "/etc/kubernetes/pki/etcd/peer.crt" is a certificate for:
        | 192.0.2.20 |
        | worker-9   |

    Scenario: a name with dots
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-dotted |
      Then "/etc/kubernetes/pki/apiserver.crt" is a certificate for:
        | 192.0.2.20                           |
        | 10.96.0.1                            |
        | kubernetes                           |
        | kubernetes.default                   |
        | kubernetes.default.svc               |
        | kubernetes.default.svc.cluster.local |
        | worker-9.rack.example                |

    Scenario: a name with dots, of its etcd
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-dotted |
      Then "/etc/kubernetes/pki/etcd/server.crt" is a certificate for:
        | 192.0.2.20            |
        | 127.0.0.1             |
        | localhost             |
        | worker-9.rack.example |

    Scenario: a name with dots, of its etcd to its peers
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | cp-dotted |
      Then "/etc/kubernetes/pki/etcd/peer.crt" is a certificate for:
        | 192.0.2.20            |
        | worker-9.rack.example |

  @P-555 @MUST
  Rule: A control plane of IPv6 serves, and is asked, at its addresses of IPv6

    Why: without brackets what stands behind the last colon is a port, and etcd that listens at a loopback of the other
    family is asked in vain.
    Repair, for makers: write [address]:port into URLs, and the address alone into flags and certificates; let etcd, and
    who asks it, use [::1].

    Scenario: flags and kubeconfigs
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-of-ipv6 |
      Then it joins each of them
      And what runs on it is told as kubeadm tells it
      And its kubeconfigs name the servers that they are for

    Scenario: certificates
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-of-ipv6 |
      Then "/etc/kubernetes/pki/apiserver.crt" is a certificate for:
        | fd00:20::20                          |
        | fd00:10:96::1                        |
        | kubernetes                           |
        | kubernetes.default.svc.cluster.local |
      And "/etc/kubernetes/pki/etcd/server.crt" is a certificate for:
        | fd00:20::20 |
        | ::1         |
        | localhost   |
      And "/etc/kubernetes/pki/etcd/peer.crt" is a certificate for:
        | fd00:20::20 |

    Scenario: its etcd
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-of-ipv6 |
      Then its etcd is added as a learner
      And its etcd is told all members of an existing cluster

  @P-571 @MUST
  Rule: A machine joins an API server at an address of IPv6

    Why: a machine that takes the first colon for the one before the port, or writes the address without its brackets, asks
    nobody.
    Repair, for makers: keep the brackets in URLs and in endpoints, and look for the address without them in the
    certificate of the server.

    Scenario: by token and by file
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | server-of-ipv6        |
        | unsafe-server-of-ipv6 |
        | cli-server-of-ipv6    |
        | old-server-of-ipv6    |
        | dotted-server-of-ipv6 |
        | file-server-of-ipv6   |
        | https-server-of-ipv6  |
      Then it joins each of them

    Scenario: what its kubelet is told
      Given a client that joins "ok-pin"
      When it is before each of these servers:
        | server-of-ipv6       |
        | file-server-of-ipv6  |
        | https-server-of-ipv6 |
      Then the bootstrap kubeconfig has the server of the cluster
      And its kubelet asks the validated server

  @P-442 @MUST
  Rule: Kubeconfigs of a control plane are of those that they are for, and believe the CA of the cluster

    Why: a scheduler that is an administrator may do everything; whoever skips TLS tells his key's power to anybody between.
    Repair, for makers: one certificate of the cluster's CA for each, with the name that RBAC knows; embed that CA.

    Scenario: administrator, controller manager and scheduler
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then its kubeconfigs are of those that they are for

  @P-443 @MUST
  Rule: No kubeconfig is written that believes everybody

    Why: for a moment is enough: whoever stands between sees the first thing that is shown, and answers it.
    Repair, for makers: write no insecure-skip-tls-verify; write a kubeconfig when the CA is known.

    Scenario: joins by token and by file, and as a control plane
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin           |
        | kc-insecure-skip |
      Then no kubeconfig is written that believes everybody

  @P-444 @MUST
  Rule: A join writes into the folders of Kubernetes alone

    Why: what it leaves elsewhere nobody takes away with them, and a CA among those of the host is believed by all of it.
    Repair, for makers: write below /etc/kubernetes, /var/lib/kubelet and /var/lib/etcd.

    Scenario: a worker, and a control plane
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin |
      Then it writes nothing elsewhere

  @P-529 @MUST
  Rule: Keys that control planes share lie in the folder of certificates, and nowhere else

    Why: a copy beside it is left by who takes a control plane away, and is the cluster for as long as its CA lives.
    Repair, for makers: write each of them to its place, and keep no copy of one, be it for a moment later on.

    Scenario: in each way of joining
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then no key that control planes share lies elsewhere

  @P-536 @MUST
  Rule: Who makes a certificate of an API server makes it for those who ask that

    Why: Pods ask by the first address of the Services and by the names of the Service kubernetes, everybody else by the
    endpoint of the cluster, or one machine; a control plane whose certificate is for none of them fails one request of three.
    Repair, for makers: take serviceSubnet, dnsDomain and controlPlaneEndpoint of kubeadm-config, beside the name and the
    addresses of the machine.

    Scenario: in each way of joining
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then where it makes a certificate of an API server that is for:
        | 10.96.0.1                            |
        | kubernetes                           |
        | kubernetes.default                   |
        | kubernetes.default.svc               |
        | kubernetes.default.svc.cluster.local |
      And none of its names stands for many

  @P-541 @SHOULD
  Rule: The key of a node lies where its kubelet looks for it, and nowhere else

    Why: whoever finds it in a folder for temporary files, or in a home, is that node until its certificate ends.
    Repair, for makers: write it once, into the folder of the kubelet.

    Scenario: in each way of joining
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | ok-pin |
      Then the key of the node lies nowhere else

  @P-542 @MUST
  Rule: Each certificate of a control plane has a key of its own

    Why: certificates are read by everybody; who has the key of the one that an API server shows is whoever else has that key.
    Repair, for makers: make a key for each certificate.

    Scenario: in each way of joining
      Given a client that joins "ok-pin"
      When it is before each of these servers, in each way:
        | cp-download-certs |
      Then each certificate that it makes has a key of its own

  @P-537 @MUST
  Rule: Who is given a key that is not that of its certificate makes no control plane of it

    Why: what such a key signs nobody believes; a control plane that comes up with it refuses the others, and is refused.
    Repair, for makers: compare each key of an authority with its certificate before anything is made.

    Scenario: an authority of the cluster, of extension API servers, of etcd
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-other-ca.key             |
        | cp-other-front-proxy-ca.key |
        | cp-other-etcd-ca.key        |
      Then it joins none of them

  @P-538 @SHOULD
  Rule: Who makes a control plane writes nothing over what makes the machine a node of another cluster

    Why: a machine that was told to join by mistake is lost to the cluster that it works for, and so are its keys.
    Repair, for makers: refuse a machine that has a kubelet.conf; keep an authority that was put there by hand.

    Scenario: it is a node already
      Given a client that joins "cp-download-certs"
      When it is before each of these servers, in each way:
        | cp-has-kubelet.conf |
      Then "/etc/kubernetes/kubelet.conf" stays as it was

    Scenario: it has a CA, and its key
      Given a client that joins "cp-by-hand"
      When it is before each of these servers:
        | cp-other-ca |
      Then "/etc/kubernetes/pki/ca.crt" stays as it was
      And "/etc/kubernetes/pki/ca.key" stays as it was
