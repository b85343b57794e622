Feature: The flags of the API server

  The manifest says how the API server is started. Where a flag comes twice the last one counts.

  @KAPI-001 @MUST
  Rule: The advertised address is one that others reach

    Why: other machines find the API server by the Endpoints of the Service kubernetes.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then the API server advertises an address that others reach
      And "kube-apiserver" is annotated "kube-apiserver.advertise-address.endpoint" by "advertise-address"

  @KAPI-002 @MUST
  Rule: The API server listens at the port that its machine asks

    Why: controller manager and scheduler do not find it otherwise.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then the API server listens where the machine itself asks

  @KAPI-003 @MUST
  Rule: API server and controller manager have the same subnet of services

    Why: addresses of services are given by one and reckoned with by the other.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver, kube-controller-manager" are told the same --service-cluster-ip-range
      And "kube-apiserver" is told subnets with --service-cluster-ip-range

  @KAPI-004 @MUST
  Rule: The API server is told etcd's address and all files for TLS

    Why: a certificate without its key, or TLS without an authority, and the API server does not start; an etcd elsewhere
    does not let in one that has expired.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then the API server is told all that it needs to ask etcd
      And what it shows an etcd elsewhere is valid, for clients, and with its key

  @KAPI-005 @MUST
  Rule: No cloud provider is named

    Why: the flags are gone since 1.31: the API server does not start with them.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" has none of these flags:
        | cloud-provider |
        | cloud-config   |

  @KAPI-006 @MUST
  Rule: No insecure port is named

    Why: the flag is gone since 1.24: the API server does not start with it.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" has none of these flags:
        | insecure-port         |
        | insecure-bind-address |

  @KAPI-007 @MUST
  Rule: Bootstrap tokens are accepted

    Why: every join gets 401 otherwise.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" has --enable-bootstrap-token-auth=true

  @KAPI-008 @MUST
  Rule: Privileged Pods are allowed

    Why: kube-proxy and most networks need it.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" has --allow-privileged=true

  @KAPI-009 @MUST
  Rule: Front proxies are believed by the front proxy's authority

    Why: with the CA of the cluster every client could say that it is somebody else.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" finds "front-proxy-ca.crt" with --requestheader-client-ca-file

  @KAPI-010 @MUST
  Rule: Namespaces of the system cannot be deleted

    Why: kube-system could be deleted, and things could be made in namespaces that end.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" lists none of "NamespaceLifecycle" with --disable-admission-plugins

  @KAPI-011 @MUST
  Rule: Limits of a namespace are put on its Pods

    Why: a namespace with limits takes Pods that have none.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" lists none of "LimitRanger" with --disable-admission-plugins

  @KAPI-012 @MUST
  Rule: Quotas are kept

    Why: one namespace could take all that the cluster has.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" lists none of "ResourceQuota" with --disable-admission-plugins

  @KAPI-013 @MUST
  Rule: Pods get a service account

    Why: Pods have no token, and nothing that talks to the API server works.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" lists none of "ServiceAccount" with --disable-admission-plugins

  @KAPI-014 @MUST
  Rule: PersistentVolumeLabel is not asked for

    Why: the plug-in is gone since 1.31: the API server does not start with it.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" lists none of "PersistentVolumeLabel" with --enable-admission-plugins

  @KAPI-015 @MUST
  Rule: Claims without a class get the default one

    Why: they wait for a volume for ever.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" lists none of "DefaultStorageClass" with --disable-admission-plugins

  @KAPI-016 @MUST
  Rule: Pods stay for a while on a node that is gone

    Why: they are evicted at once when a node is not ready for a moment.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" lists none of "DefaultTolerationSeconds" with --disable-admission-plugins

  @KAPI-017 @MUST
  Rule: NodeRestriction is on, and nodes are authorized as nodes

    Why: without it a node may relabel and change every other node, and with AlwaysAllow everybody may do everything.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" lists "NodeRestriction" with --enable-admission-plugins
      And "kube-apiserver" lists none of "AlwaysAdmit, AlwaysDeny" with --enable-admission-plugins
      And the API server authorizes by Node and RBAC

  @KAPI-018 @MUST
  Rule: Admission plugins are named by --enable-admission-plugins

    Why: the older flag sets the whole list, so that defaults which nobody named are off.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" has none of these flags:
        | admission-control |

  @KAPI-019 @MUST
  Rule: Kubelets are asked at their internal address first

    Why: names of hosts are often not known where the API server runs.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" has --kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname

  @KAPI-020 @MUST
  Rule: Clients are believed by ca.crt

    Why: certificates of nodes and administrators are refused otherwise.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" finds "ca.crt" with --client-ca-file

  @KAPI-021 @MUST
  Rule: The API server shows apiserver.crt

    Why: without it the API server makes a certificate that nobody believes.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" finds "apiserver.crt" with --tls-cert-file

  @KAPI-022 @MUST
  Rule: The API server has apiserver.key

    Why: the key of another certificate and it does not start.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" finds "apiserver.key" with --tls-private-key-file

  @KAPI-023 @MUST
  Rule: Kubelets are shown apiserver-kubelet-client.crt

    Why: kubelets refuse another one.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" finds "apiserver-kubelet-client.crt" with --kubelet-client-certificate

  @KAPI-024 @MUST
  Rule: Kubelets are shown it with apiserver-kubelet-client.key

    Why: the key of another certificate and the API server does not start.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" finds "apiserver-kubelet-client.key" with --kubelet-client-key

  @KAPI-025 @MUST
  Rule: Tokens of service accounts are signed with sa.key and verified with sa.pub

    Why: Pods get 401 otherwise.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" finds "sa.pub" with --service-account-key-file
      And "kube-apiserver" finds "sa.key" with --service-account-signing-key-file
      And "kube-apiserver" is told --service-account-issuer

  @KAPI-026 @MUST
  Rule: Extension API servers are shown front-proxy-client.crt

    Why: they refuse the proxy otherwise.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" finds "front-proxy-client.crt" with --proxy-client-cert-file

  @KAPI-027 @MUST
  Rule: Extension API servers are shown it with front-proxy-client.key

    Why: the key of another certificate and the API server does not start.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" finds "front-proxy-client.key" with --proxy-client-key-file

  @KAPI-028 @MUST
  Rule: The front proxy names users by X-Remote-User

    Why: extension API servers read that header.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" has --requestheader-username-headers=X-Remote-User

  @KAPI-029 @MUST
  Rule: The front proxy names groups by X-Remote-Group

    Why: groups are lost at extension API servers otherwise.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" has --requestheader-group-headers=X-Remote-Group

  @KAPI-030 @MUST
  Rule: The front proxy names the rest by X-Remote-Extra-

    Why: what comes with another prefix is lost.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" has --requestheader-extra-headers-prefix=X-Remote-Extra-

  @KAPI-031 @MUST
  Rule: Only front-proxy-client may speak for others

    Why: with an empty list every certificate of that authority may.
    Repair: correct the manifest, or run "kubeadm init phase control-plane apiserver".

    Scenario: as it lies there
      Given the disk of a control plane
      Then "kube-apiserver" has --requestheader-allowed-names=front-proxy-client

  @P-150 @MUST
  Rule: No flag takes away what a program of the control plane is safe by

    Why: tokens of accounts that are gone, broken ciphers and paths that are open to everybody are one word in a manifest,
    and nothing else tells of them.
    Repair: take the flag away, or run "kubeadm init phase control-plane all" and "kubeadm init phase etcd local".

    Scenario: of the control plane
      Given the disk of a control plane
      Then no flag takes away what a program of the control plane is safe by
      And no program of the control plane takes TLS that is broken

    Scenario: of the kubelet
      Given the disk of a node
      Then the kubelet takes no TLS that is broken
      And nothing takes away what the kubelet is safe by
      And the kubelet has no staticPodURL
