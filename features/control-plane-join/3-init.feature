Feature: What kubeadm init leaves in the cluster for those who join

  No document of these says it all, and nobody joins without it: who joins needs rights, an address, an authority, a
  token and two configurations, and nobody else may get more by them.

  @P-304 @MUST
  Rule: Init gives those who join, nodes and strangers the rights that joining needs, and no more

    Why: with less nobody joins, or a node falls out when its certificate ends; with more whoever has found a token is
    let into the cluster.
    Repair, for makers: the Roles and bindings of the phases upload-config, bootstrap-token and addon, each for one
    resource, its name, the verb get, and the group of kubeadm's tokens, of nodes, or system:anonymous.

    Scenario: the bindings that it makes
      When it sets up a cluster
      Then those who join have the rights that they need
      And nobody is given more than that

  @P-305 @MUST
  Rule: Init publishes where the cluster is and its authority, and no secret

    Why: everybody reads cluster-info, and every machine that joins reads kubeadm-config.
    Repair, for makers: put server and CA into cluster-info, without users; no token and no key into a ConfigMap.

    Scenario: cluster-info, and the other ConfigMaps
      When it sets up a cluster
      Then cluster-info says where the cluster is, and by which authority
      And what everybody reads holds no secret

  @P-306 @MUST
  Rule: The token that init is told is good for joining, for a day

    Why: a token that signs nothing or is in no group joins nobody; one without an end joins whoever finds it.
    Repair, for makers: both usages, the group system:bootstrappers:kubeadm:default-node-token, and 24 hours, unless
    something else was told.

    Scenario: as it is stored
      When it sets up a cluster
      Then its token is good for joining, for a day

  @P-307 @MUST
  Rule: Init writes down how the cluster is reached, and how its kubelets are closed

    Why: who joins takes both as they are: without the common endpoint no control plane joins, and every kubelet is as
    open as kubelet-config says.
    Repair, for makers: ClusterConfiguration in kubeadm-config; KubeletConfiguration with Webhook, without anonymous,
    with the CA and with renewal of certificates in kubelet-config.

    Scenario: both ConfigMaps
      When it sets up a cluster
      Then it writes down what those who join read

  @P-308 @MUST
  Rule: Init marks its Node as that of a control plane

    Why: without its taint it runs Pods of everybody beside the keys of the cluster.
    Repair, for makers: add the labels and the taint of control planes to what the Node has.

    Scenario: labels and taint
      When it sets up a cluster
      Then its own Node is marked as that of a control plane

  @P-466 @MUST
  Rule: What init is told reaches its token, its Node and what those who join read

    Why: a token that lives a day where an hour was told joins whoever finds it; Pods of everybody run on a Node whose taint
    is lost; machines that are told of other networks than the control plane has reach nothing.
    Repair, for makers: take life and groups of the token, taints of the Node, and networks from the configuration.

    Scenario: a token of two hours with a group of its own, a taint, and networks
      When it sets up a cluster and is told of its token, its Node and its networks
      Then what it is told is in its cluster

  @P-469 @MUST
  Rule: The DNS and kube-proxy are run as kubeadm runs them

    Why: with one copy of the DNS, or none that a control plane takes, nothing finds a Service where one machine is away;
    a kube-proxy that may not change its machine, or is not on all of them, leads nobody anywhere.
    Repair, for makers: the Deployment, the DaemonSet, the Service and the ConfigMaps of the phases addon/coredns and
    addon/kube-proxy.

    Scenario: the DNS
      Then a whole init leaves in its cluster:
        | Deployment kube-system/coredns | spec.replicas: 2                                                                |
        |                                | spec.template.spec.serviceAccountName: coredns                                  |
        |                                | spec.template.spec.priorityClassName: system-cluster-critical                   |
        |                                | spec.template.spec.dnsPolicy: Default                                           |
        |                                | spec.template.spec.nodeSelector.kubernetes.io/os: linux                         |
        |                                | spec.template.spec.tolerations.0.key: CriticalAddonsOnly                        |
        |                                | spec.template.spec.tolerations.0.operator: Exists                               |
        |                                | spec.template.spec.containers.0.securityContext.allowPrivilegeEscalation: false |
        |                                | spec.template.spec.containers.0.securityContext.readOnlyRootFilesystem: true    |
        |                                | spec.template.spec.containers.0.volumeMounts.0.mountPath: /etc/coredns          |
        |                                | spec.template.spec.volumes.0.configMap.name: coredns                            |
        |                                | spec.selector.matchLabels.k8s-app: kube-dns                                     |
        |                                | spec.strategy.rollingUpdate.maxUnavailable: 1                                   |
        | Service kube-system/kube-dns   | spec.clusterIP: 10.96.0.10                                                      |
        |                                | spec.selector.k8s-app: kube-dns                                                 |
        |                                | spec.ports.0.port: 53                                                           |
        |                                | spec.ports.0.protocol: UDP                                                      |
        |                                | spec.ports.1.protocol: TCP                                                      |
        | ConfigMap kube-system/coredns  | Corefile: kubernetes cluster.local in-addr.arpa ip6.arpa {                      |
        |                                | Corefile: pods insecure                                                         |
        |                                | Corefile: fallthrough in-addr.arpa ip6.arpa                                     |
        |                                | Corefile: forward . /etc/resolv.conf {                                          |
        |                                | Corefile: ready                                                                 |
        |                                | Corefile: loop                                                                  |
        |                                | Corefile: reload                                                                |

    @since:1.26
    Scenario: the DNS beside a control plane
      Then a whole init leaves in its cluster:
        | Deployment kube-system/coredns | spec.template.spec.tolerations.1.key: node-role.kubernetes.io/control-plane |
        |                                | spec.template.spec.tolerations.1.effect: NoSchedule                         |

    Scenario: kube-proxy
      Then a whole init leaves in its cluster:
        | DaemonSet kube-system/kube-proxy | spec.template.spec.hostNetwork: true                                                        |
        |                                  | spec.template.spec.serviceAccountName: kube-proxy                                           |
        |                                  | spec.template.spec.priorityClassName: system-node-critical                                  |
        |                                  | spec.template.spec.tolerations.0.operator: Exists                                           |
        |                                  | no spec.template.spec.tolerations.0.key                                                     |
        |                                  | no spec.template.spec.tolerations.0.effect                                                  |
        |                                  | spec.template.spec.containers.0.securityContext.privileged: true                            |
        |                                  | spec.template.spec.containers.0.command.1: --config=/var/lib/kube-proxy/config.conf         |
        |                                  | spec.template.spec.containers.0.command.2: --hostname-override=$(NODE_NAME)                 |
        |                                  | spec.template.spec.containers.0.env.0.valueFrom.fieldRef.fieldPath: spec.nodeName           |
        |                                  | spec.template.spec.nodeSelector.kubernetes.io/os: linux                                     |
        |                                  | spec.updateStrategy.type: RollingUpdate                                                     |
        | ConfigMap kube-system/kube-proxy | config.conf.clientConnection.kubeconfig: /var/lib/kube-proxy/kubeconfig.conf                |
        |                                  | config.conf.bindAddress: 0.0.0.0                                                            |
        |                                  | config.conf.hostnameOverride:                                                               |
        |                                  | kubeconfig.conf.users.0.user.tokenFile: /var/run/secrets/kubernetes.io/serviceaccount/token |
        |                                  | no kubeconfig.conf.users.0.user.token:                                                      |
        |                                  | no kubeconfig.conf.users.0.user.client                                                      |

    Scenario: marks without values, beside a taint that the Node has
      Then a whole init leaves in its cluster:
        | Node cp-1 | labels.node-role.kubernetes.io/control-plane:                     |
        |           | labels.node.kubernetes.io/exclude-from-external-load-balancers:   |
        |           | spec.taints.0.key: node-role.kubernetes.io/control-plane          |
        |           | spec.taints.1.key: node.cloudprovider.kubernetes.io/uninitialized |
        |           | no spec.taints.2                                                  |

  @P-470 @MUST
  Rule: What init is told reaches its addons, each of its tokens, and what it writes down

    Why: images that nobody may pull start nowhere; names of Services of another domain, and addresses of another
    network, are answered by nobody; a token that was told and is not there joins nobody.
    Repair, for makers: take domain, networks and images of the addons from the configuration; make every token as it is
    told; and write down the whole configuration of the cluster, and nothing of its first machine.

    Scenario: the addons
      Then a whole init that is told more leaves in its cluster:
        | Deployment kube-system/coredns   | spec.template.spec.containers.0.image from registry.example/mirror/coredns    |
        | DaemonSet kube-system/kube-proxy | spec.template.spec.containers.0.image from registry.example/mirror/kube-proxy |
        | Service kube-system/kube-dns     | spec.clusterIP: 10.100.0.10                                                   |
        | ConfigMap kube-system/coredns    | Corefile: kubernetes blue.example in-addr.arpa ip6.arpa {                     |
        | ConfigMap kube-system/kube-proxy | config.conf.clusterCIDR: 10.32.0.0/12                                         |

    @since:1.25
    Scenario: the images that are told nowhere
      Then a whole init leaves in its cluster:
        | Deployment kube-system/coredns   | spec.template.spec.containers.0.image from registry.k8s.io/coredns/coredns |
        | DaemonSet kube-system/kube-proxy | spec.template.spec.containers.0.image from registry.k8s.io/kube-proxy      |
        | ConfigMap kube-system/kube-proxy | config.conf.clusterCIDR:                                                   |

    Scenario: tokens
      Then a whole init that is told more leaves in its cluster:
        | Secret kube-system/bootstrap-token-abcdef | description: for rack 7                              |
        |                                           | in "system:bootstrappers:blue"                       |
        |                                           | in "system:bootstrappers:kubeadm:default-node-token" |
        |                                           | it lives 2 hours                                     |
        |                                           | usage-bootstrap-signing: true                        |
        |                                           | usage-bootstrap-authentication: true                 |
        | Secret kube-system/bootstrap-token-fedcba | description: for rack 8                              |
        |                                           | in "system:bootstrappers:blue"                       |
        |                                           | in "system:bootstrappers:green"                      |
        |                                           | no in "system:bootstrappers:kubeadm                  |
        |                                           | no it ends                                           |
        |                                           | usage-bootstrap-authentication: true                 |
        |                                           | no usage-bootstrap-signing                           |

    Scenario: what is written down
      Then a whole init that is told more leaves in its cluster:
        | ConfigMap kube-system/kubeadm-config | ClusterConfiguration.imageRepository: registry.example/mirror       |
        |                                      | ClusterConfiguration.certificatesDir: /etc/kubernetes/pki           |
        |                                      | ClusterConfiguration.etcd.local.dataDir: /var/lib/etcd              |
        |                                      | ClusterConfiguration.kind: ClusterConfiguration                     |
        |                                      | ClusterConfiguration.featureGates.RootlessControlPlane: true        |
        |                                      | ClusterConfiguration.apiServer.certSANs.0: api.blue.example         |
        |                                      | ClusterConfiguration.apiServer.certSANs.1: 192.0.2.77               |
        |                                      | ClusterConfiguration.apiServer.extraVolumes.0.hostPath: /srv/host   |
        |                                      | ClusterConfiguration.apiServer.extraVolumes.0.mountPath: /srv/pod   |
        |                                      | ClusterConfiguration.apiServer.extraVolumes.0.readOnly: true        |
        |                                      | ClusterConfiguration.etcd.local.serverCertSANs.0: etcd.blue.example |
        |                                      | ClusterConfiguration.etcd.local.peerCertSANs.0: peer.blue.example   |

    @since:1.31
    Scenario: what is written down of flags
      Then a whole init that is told more leaves in its cluster:
        | ConfigMap kube-system/kubeadm-config | ClusterConfiguration.apiServer.extraArgs.0.name: audit-log-maxage            |
        |                                      | ClusterConfiguration.apiServer.extraArgs.0.value: 7                          |
        |                                      | ClusterConfiguration.controllerManager.extraArgs.0.name: node-monitor-period |
        |                                      | ClusterConfiguration.controllerManager.extraArgs.0.value: 6s                 |
        |                                      | ClusterConfiguration.scheduler.extraArgs.0.name: kube-api-qps                |
        |                                      | ClusterConfiguration.scheduler.extraArgs.0.value: 51                         |
        |                                      | ClusterConfiguration.etcd.local.extraArgs.0.name: quota-backend-bytes        |
        |                                      | ClusterConfiguration.etcd.local.extraArgs.0.value: 8589934592                |

    @until:1.30
    Scenario: what is written down of flags, as maps
      Then a whole init that is told more leaves in its cluster:
        | ConfigMap kube-system/kubeadm-config | ClusterConfiguration.apiServer.extraArgs.audit-log-maxage: 7              |
        |                                      | ClusterConfiguration.controllerManager.extraArgs.node-monitor-period: 6s  |
        |                                      | ClusterConfiguration.scheduler.extraArgs.kube-api-qps: 51                 |
        |                                      | ClusterConfiguration.etcd.local.extraArgs.quota-backend-bytes: 8589934592 |

    @since:1.31
    Scenario: what is written down of keys
      Then a whole init that is told more leaves in its cluster:
        | ConfigMap kube-system/kubeadm-config | ClusterConfiguration.encryptionAlgorithm: ECDSA-P256         |
        |                                      | ClusterConfiguration.certificateValidityPeriod: 240h0m0s     |
        |                                      | ClusterConfiguration.caCertificateValidityPeriod: 87600h0m0s |

    @since:1.27
    Scenario: what is of the first machine alone
      Then a whole init leaves in its cluster:
        | ConfigMap kube-system/kubelet-config | kubelet.containerRuntimeEndpoint:    |
        |                                      | kubelet.clusterDomain: cluster.local |
        |                                      | its hash is that of its text         |
        | ConfigMap kube-system/kube-proxy     | its hash is that of its text         |
