Feature: The certificates of a control plane

  kubeadm takes what lies there: of certificates it looks at the chain, and at nothing else. What does not fit
  together shows when a component restarts.

  @PKI-001 @MUST
  Rule: ca.crt is an authority that is valid, and ca.key is its key

    Why: what it signs verifies nowhere otherwise, and joins find out first.
    Repair: restore both from another control plane or from a backup; an authority that has expired has to be
    replaced everywhere.

    Scenario: as it lies there
      Given the disk of a control plane
      Then "ca.crt" holds an authority
      And "ca.crt" is valid now
      And "ca.key" is the key of "ca.crt", where it is there

  @PKI-002 @MUST
  Rule: apiserver.crt is issued by ca.crt, for servers, and is valid

    Why: everybody who talks to the API server believes that CA alone.
    Repair: move both files of the pair away, run "kubeadm init phase certs apiserver" and restart kube-apiserver.

    Scenario: as it lies there
      Given the disk of a control plane
      Then "apiserver.crt" is issued by "ca.crt"
      And "apiserver.crt" is valid now
      And "apiserver.crt" may be used for "serverAuth"
      And "apiserver.key" is the key of "apiserver.crt"
      And the common name of "apiserver.crt" is "kube-apiserver"

  @PKI-003 @MUST
  Rule: apiserver.crt is for the first address of the service subnet

    Why: Pods reach the API server by that address.
    Repair: move apiserver.crt and apiserver.key away, run "kubeadm init phase certs apiserver" with the name in
    certSANs where it is one of your own, and restart kube-apiserver.

    Scenario: as it lies there
      Given the disk of a control plane
      Then "apiserver.crt" is issued for "the first address of the service subnet"

  @PKI-004 @MUST
  Rule: apiserver.crt is for kubernetes, kubernetes.default and kubernetes.default.svc

    Why: Pods and aggregated API servers ask for it by these names.
    Repair: move apiserver.crt and apiserver.key away, run "kubeadm init phase certs apiserver" with the name in
    certSANs where it is one of your own, and restart kube-apiserver.

    Scenario: as it lies there
      Given the disk of a control plane
      Then "apiserver.crt" is issued for "the names of the service"

  @PKI-005 @MUST
  Rule: apiserver.crt is for kubernetes.default.svc in the domain of the cluster

    Why: Pods may ask for it by its whole name.
    Repair: move apiserver.crt and apiserver.key away, run "kubeadm init phase certs apiserver" with the name in
    certSANs where it is one of your own, and restart kube-apiserver.

    Scenario: as it lies there
      Given the disk of a control plane
      Then "apiserver.crt" is issued for "the name of the service in the cluster domain"

  @PKI-006 @MUST
  Rule: apiserver.crt is for the name of the node

    Why: machines of the control plane ask each other by name.
    Repair: move apiserver.crt and apiserver.key away, run "kubeadm init phase certs apiserver" with the name in
    certSANs where it is one of your own, and restart kube-apiserver.

    Scenario: as it lies there
      Given the disk of a control plane
      Then "apiserver.crt" is issued for "the name of the node"

  @PKI-007 @MUST
  Rule: apiserver.crt is for the address that the API server advertises

    Why: machines that join verify it by that address.
    Repair: move apiserver.crt and apiserver.key away, run "kubeadm init phase certs apiserver" with the name in
    certSANs where it is one of your own, and restart kube-apiserver.

    Scenario: as it lies there
      Given the disk of a control plane
      Then "apiserver.crt" is issued for "the address that the API server advertises"

  @PKI-008 @MUST
  Rule: apiserver.crt is for the name that administrators use

    Why: a load balancer's name that the certificate lacks ends every join and every kubectl in an error.
    Repair: move apiserver.crt and apiserver.key away, run "kubeadm init phase certs apiserver" with the name in
    certSANs where it is one of your own, and restart kube-apiserver.

    Scenario: as it lies there
      Given the disk of a control plane
      Then "apiserver.crt" is issued for "the host that administrators ask"

  @PKI-009 @MUST
  Rule: apiserver-kubelet-client.crt is issued by ca.crt, for clients, and is valid

    Why: kubelets believe clients of that CA alone.
    Repair: move both files of the pair away, run "kubeadm init phase certs apiserver-kubelet-client" and restart
    kube-apiserver.

    Scenario: as it lies there
      Given the disk of a control plane
      Then "apiserver-kubelet-client.crt" is issued by "ca.crt"
      And "apiserver-kubelet-client.crt" is valid now
      And "apiserver-kubelet-client.crt" may be used for "clientAuth"
      And "apiserver-kubelet-client.key" is the key of "apiserver-kubelet-client.crt"
      And the common name of "apiserver-kubelet-client.crt" is "kube-apiserver-kubelet-client"

  @PKI-010 @MUST
  Rule: The API server's client certificate for kubelets has the group that kubeadm gives it, or none

    Why: another group may do too little, and then logs are refused, or too much.
    Repair: move both files of the pair away, run "kubeadm init phase certs apiserver-kubelet-client" and restart
    kube-apiserver.

    Scenario: as it lies there
      Given the disk of a control plane
      Then the group of "apiserver-kubelet-client.crt" is one that kubeadm gives

  @PKI-011 @MUST
  Rule: sa.pub is the public half of sa.key

    Why: otherwise every token of a service account is refused.
    Repair: restore both from another control plane, or write sa.pub anew with "openssl rsa -in sa.key -pubout".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "sa.key" is the key of "sa.pub"
      And "sa.pub" holds a public key alone
      And "sa.pub" and "ca.crt" have different keys
      And "sa.pub" and "apiserver.crt" have different keys

  @PKI-012 @MUST
  Rule: front-proxy-ca.crt is an authority, and valid

    Why: extension API servers refuse what the front proxy says otherwise.
    Repair: move the pairs front-proxy-ca and front-proxy-client away and run "kubeadm init phase certs
    front-proxy-ca". Then "kubeadm init phase certs front-proxy-client".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "front-proxy-ca.crt" holds an authority
      And "front-proxy-ca.crt" is valid now
      And "front-proxy-ca.key" is the key of "front-proxy-ca.crt", where it is there

  @PKI-013 @MUST
  Rule: The front proxy's authority is not that of the cluster

    Why: with one authority for both every client of the cluster could say that it is somebody else.
    Repair: move the pairs front-proxy-ca and front-proxy-client away and run "kubeadm init phase certs
    front-proxy-ca". Then "kubeadm init phase certs front-proxy-client".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "front-proxy-ca.crt" and "ca.crt" are different authorities

  @PKI-014 @MUST
  Rule: front-proxy-client.crt is issued by the front proxy's authority, for clients, and is valid

    Why: extension API servers believe that authority alone.
    Repair: move both files of the pair away, run "kubeadm init phase certs front-proxy-client" and restart
    kube-apiserver.

    Scenario: as it lies there
      Given the disk of a control plane
      Then "front-proxy-client.crt" is issued by "front-proxy-ca.crt"
      And "front-proxy-client.crt" is valid now
      And "front-proxy-client.crt" may be used for "clientAuth"
      And "front-proxy-client.key" is the key of "front-proxy-client.crt"
      And the common name of "front-proxy-client.crt" is "front-proxy-client"

  @PKI-015 @MUST
  Rule: All certificates lie in one folder, which the flags name

    Why: flags that still name another folder start the control plane with other keys, or not at all.
    Repair: name the folder of certificatesDir in all flags, or run "kubeadm init phase control-plane all".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" finds "apiserver.crt" with --tls-cert-file
      And "kube-apiserver" finds "ca.crt" with --client-ca-file
      And "kube-controller-manager" finds "ca.crt" with --root-ca-file
      And "kube-controller-manager" finds "ca.crt" with --client-ca-file
      And "kube-controller-manager" finds "front-proxy-ca.crt" with --requestheader-client-ca-file

  @PKI-024 @MUST
  Rule: Only the owner may read keys, and write what others believe

    Why: whoever has the key of an authority makes himself an administrator, and so does whoever writes a manifest.
    Repair: chmod 600 what holds a key or a token and 644 the rest, and take the keys from nodes that are no control
    plane.

    Scenario: as it lies there
      Given the disk of a node
      Then only their owner may read what holds a key or a token
      And only their owner may write what others obey or believe
      And what holds a key or a token, and what others obey or believe, belongs to root
      And a worker has none of these files:
        | ca.key                       |
        | front-proxy-ca.key           |
        | etcd/ca.key                  |
        | sa.key                       |
        | apiserver.key                |
        | apiserver-kubelet-client.key |
        | front-proxy-client.key       |
        | apiserver-etcd-client.key    |
        | etcd/server.key              |
        | etcd/peer.key                |
        | etcd/healthcheck-client.key  |
      And a worker has none of these files:
        | /etc/kubernetes/admin.conf              |
        | /etc/kubernetes/super-admin.conf        |
        | /etc/kubernetes/controller-manager.conf |
        | /etc/kubernetes/scheduler.conf          |

  @P-14 @MUST
  Rule: What kubeadm keeps belongs together

    Why: kubeadm uses what lies there as it is, and says nothing of a certificate that outlives its authority, of the
    key of an authority in a program's hands, or of a group that opens more than was meant.
    Repair: move the files of the pair away and run "kubeadm init phase certs all".

    Scenario: of the cluster
      Given the disk of a control plane
      Then "apiserver.crt" does not outlive "ca.crt"
      And "apiserver-kubelet-client.crt" does not outlive "ca.crt"
      And "front-proxy-client.crt" does not outlive "front-proxy-ca.crt"
      And the certificate of none of these kubeconfigs outlives "ca.crt":
        | admin.conf              |
        | super-admin.conf        |
        | controller-manager.conf |
        | scheduler.conf          |
      And "apiserver.crt" is for hosts that it names, and not for any
      And none of these has the key of an authority:
        | apiserver.crt                |
        | apiserver-kubelet-client.crt |
        | front-proxy-client.crt       |
        | apiserver-etcd-client.crt    |
        | etcd/server.crt              |
        | etcd/peer.crt                |
        | etcd/healthcheck-client.crt  |
        | sa.pub                       |
      And these are in no group of the system:
        | apiserver.crt               |
        | front-proxy-client.crt      |
        | apiserver-etcd-client.crt   |
        | etcd/server.crt             |
        | etcd/peer.crt               |
        | etcd/healthcheck-client.crt |

    Scenario: of etcd
      Given the disk of a control plane with its own etcd
      Then "apiserver-etcd-client.crt" does not outlive "etcd/ca.crt"
      And "etcd/server.crt" does not outlive "etcd/ca.crt"
      And "etcd/peer.crt" does not outlive "etcd/ca.crt"
      And "etcd/healthcheck-client.crt" does not outlive "etcd/ca.crt"
      And "etcd/server.crt" is for hosts that it names, and not for any
      And "etcd/peer.crt" is for hosts that it names, and not for any

    Scenario: of the kubelet
      Given the disk of a node
      Then "/var/lib/kubelet/pki/kubelet.key" is the key of "/var/lib/kubelet/pki/kubelet.crt", where one of both is there

    Scenario: of who the kubelet is
      Given the disk of a node
      Then the certificate of none of these kubeconfigs outlives "ca.crt":
        | kubelet.conf |

  @P-15 @MUST
  Rule: No key stays below /etc/kubernetes/tmp

    Why: a dry run leaves keys and kubeconfigs there, which nobody looks after.
    Repair: remove the folders below /etc/kubernetes/tmp.

    Scenario: as it lies there
      Given the disk of a node
      Then no key is left below "/etc/kubernetes/tmp"

  @PKI-025 @SHOULD
  Rule: etcd has an authority of its own, and its certificates are of that one

    Why: etcd lets in whoever has a certificate of its authority.
    Repair: move the files of the pair away and run "kubeadm init phase certs all".

    Scenario: as it lies there
      Given the disk of a control plane with its own etcd
      Then "etcd/ca.crt" holds an authority
      And "etcd/ca.crt" is valid now
      And "etcd/ca.key" is the key of "etcd/ca.crt", where it is there
      And "etcd/ca.key" is there where "ca.key" is
      And "etcd/ca.crt" and "ca.crt" are different authorities
      And "etcd/server.crt" is issued by "etcd/ca.crt"
      And "etcd/peer.crt" is issued by "etcd/ca.crt"
      And "etcd/healthcheck-client.crt" is issued by "etcd/ca.crt"
      And "apiserver-etcd-client.crt" is issued by "etcd/ca.crt"
      And "etcd/server.key" is the key of "etcd/server.crt"
      And "etcd/peer.key" is the key of "etcd/peer.crt"
      And "etcd/healthcheck-client.key" is the key of "etcd/healthcheck-client.crt"
      And "apiserver-etcd-client.key" is the key of "apiserver-etcd-client.crt"
      And "etcd/server.crt" is valid now
      And "etcd/peer.crt" is valid now
      And "etcd/healthcheck-client.crt" is valid now
      And "apiserver-etcd-client.crt" is valid now
      And "etcd/server.crt" may be used for "serverAuth, clientAuth"
      And "etcd/peer.crt" may be used for "serverAuth, clientAuth"
      And "apiserver-etcd-client.crt" may be used for "clientAuth"
      And "etcd/healthcheck-client.crt" may be used for "clientAuth"
      And the common name of "etcd/healthcheck-client.crt" is "kube-etcd-healthcheck-client"
      And the common name of "apiserver-etcd-client.crt" is "kube-apiserver-etcd-client"
      And "etcd/server.crt" is issued for "what clients ask etcd by"
      And "etcd/peer.crt" is issued for "what its members ask etcd by"
      And "kube-apiserver" finds "etcd/ca.crt" with --etcd-cafile
      And "kube-apiserver" finds "apiserver-etcd-client.crt" with --etcd-certfile
      And "kube-apiserver" finds "apiserver-etcd-client.key" with --etcd-keyfile
      And "etcd" finds "etcd/server.crt" with --cert-file
      And "etcd" finds "etcd/server.key" with --key-file
      And "etcd" finds "etcd/ca.crt" with --trusted-ca-file
      And "etcd" finds "etcd/peer.crt" with --peer-cert-file
      And "etcd" finds "etcd/peer.key" with --peer-key-file
      And "etcd" finds "etcd/ca.crt" with --peer-trusted-ca-file
      And "etcd" has --peer-client-cert-auth=true

  @PKI-021 @MUST
  Rule: Nobody signs certificates where the key of the cluster's CA is not

    Why: a controller manager that is told to sign with a key which is not there does not start.
    Repair: leave both flags --cluster-signing-cert-file and --cluster-signing-key-file empty, or put ca.key back.

    Scenario: as it lies there
      Given the disk of a control plane
      Then nobody signs where the key is not

  @P-531 @SHOULD
  Rule: A certificate of the control plane is for what kubeadm makes it for, and no more

    Why: a client's certificate that servers may show, or a server's that logs in, is worth more to whoever takes its key.
    Repair: move both files of the pair away and run "kubeadm init phase certs all".

    Scenario: as they lie there
      Given the disk of a control plane
      Then these are for no more than they are made for:
        | apiserver.crt                | serverAuth            |
        | apiserver-kubelet-client.crt | clientAuth            |
        | front-proxy-client.crt       | clientAuth            |
        | apiserver-etcd-client.crt    | clientAuth            |
        | etcd/server.crt              | serverAuth clientAuth |
        | etcd/peer.crt                | serverAuth clientAuth |
        | etcd/healthcheck-client.crt  | clientAuth            |
