Feature: What joining machines are told

  A machine that joins reads kubeadm-config, kubelet-config and kube-proxy with its token, and runs what they say. Who
  changes them has rules of its own; these look at what they hold.

  @P-165 @MUST
  Rule: Joining machines find the configuration of the cluster and of kubelets

    Why: without one of them, or with one that is not what it should be, every "kubeadm join" ends in an error.
    Repair: run "kubeadm init phase upload-config all" with the configuration of the cluster.

    Scenario: kubeadm-config and kubelet-config
      Given what a cluster that kubeadm has set up tells joining machines
      Then machines find the configuration of the cluster and of kubelets there
      And kubeadm reads the configuration of the cluster

  @P-166 @MUST
  Rule: What joining machines read holds no credential

    Why: every token and every node reads it; a key or a token there makes more of them than they are.
    Repair: remove it, and renew the credential: it has been read.

    Scenario: kubeadm-config, kubelet-config and kube-proxy
      Given what a cluster that kubeadm has set up tells joining machines
      Then nothing of it is a credential

  @P-167 @SHOULD
  Rule: Kubelets are told to let in nobody unknown

    Why: every machine that joins takes it over: strangers, or all who reach it, then run commands in its Pods, or it
    runs what an address gives it.
    Repair: set authentication.anonymous.enabled false, authorization.mode Webhook and readOnlyPort 0, and remove
    staticPodURL, in kubelet-config and in /var/lib/kubelet/config.yaml of every node.

    Scenario: kubelet-config
      Given what a cluster that kubeadm has set up tells joining machines
      Then kubelets let in nobody unknown by it

  @P-172 @SHOULD
  Rule: Control planes that join are told to guard what those that stand guard

    Why: "kubeadm join --control-plane" writes the flags of the new API server and controller manager from
    kubeadm-config: what is open or off there is so at one of them, whatever those that stand do.
    Repair: change apiServer.extraArgs and controllerManager.extraArgs of kubeadm-config, by
    "kubeadm init phase upload-config kubeadm".

    Scenario: kubeadm-config
      Given what a cluster that kubeadm has set up tells joining machines
      Then control planes that join are guarded by it

  @P-174 @MUST
  Rule: What a control plane shows of its flags gives nothing away

    Why: a control plane that runs looks sound to whoever joins, and its Pods tell by which flags it is not.
    Repair: mend the flags in /etc/kubernetes/manifests of that control plane, and in kubeadm-config.

    Scenario Outline: <component>
      Given <component> publishes its flags
      Then the flags of <component> are sound

      Examples:
        | component               |
        | kube-apiserver          |
        | kube-controller-manager |
        | kube-scheduler          |
        | etcd                    |

    Scenario: who speaks for others
      Given kube-apiserver publishes its flags
      Then the flags of kube-apiserver let no client speak for others

  @P-176 @MUST
  Rule: What a control plane shows of its flags belongs together

    Why: a certificate with the key of another one signs nothing, an authority of proxies lets no client in, and with
    controllers switched off what has joined never becomes a node that works.
    Repair: give the flag the file that kubeadm makes for it, in the manifest of every control plane and in extraArgs of
    kubeadm-config.

    Scenario Outline: <component>
      Given <component> publishes its flags
      Then the flags of <component> name what belongs together
      And what the flags of <component> say lets machines become nodes

      Examples:
        | component               |
        | kube-apiserver          |
        | kube-controller-manager |

  @P-316 @SHOULD
  Rule: What a control plane shows of its Pods is as good as root nowhere

    Why: who gets into a Pod with the disk, the processes or the container runtime of its machine has every key of the
    control plane, what runs beside a component has its keys, and variables of Go and of the loader change whom it
    believes, whatever its flags say.
    Repair: take it out of the manifest in /etc/kubernetes/manifests of that control plane, and out of extraVolumes and
    extraEnvs in kubeadm-config.

    Scenario Outline: <component>
      Given <component> publishes its flags
      Then nothing but its flags has power over <component>, and it has none over its machine

      Examples:
        | component               |
        | kube-apiserver          |
        | kube-controller-manager |
        | kube-scheduler          |
        | etcd                    |

  @P-178 @MUST
  Rule: Kubelets that join start with what they are told

    Why: every machine that joins writes kubelet-config to its disk, and a kubelet that does not take it ends, or passes
    over what it does not know.
    Repair: correct the ConfigMap kubelet-config, and /var/lib/kubelet/config.yaml of the nodes that have joined since.

    Scenario: kubelet-config
      Given what a cluster that kubeadm has set up tells joining kubelets
      Then kubelets start with it

  @P-179 @SHOULD
  Rule: Kubelets that join are told of this cluster

    Why: with the DNS, the domain or the authority of another cluster, Pods of new nodes find no Service, and the API
    server does not get in to its kubelets.
    Repair: set clusterDNS, clusterDomain, authentication.x509.clientCAFile and staticPodPath in kubelet-config as
    kubeadm-config and the Service kube-dns have them.

    Scenario: kubelet-config
      Given what a cluster that kubeadm has set up tells joining kubelets
      Then it is of this cluster

  @P-257 @SHOULD
  Rule: Kubelets are told to guard what they serve

    Why: with TLS 1.0 others read along what the API server gets from kubelets, and whoever has lost a right keeps it
    at a kubelet for as long as it is not asked for again.
    Repair: leave tlsMinVersion, tlsCipherSuites and the times of both webhooks out of kubelet-config, and of
    /var/lib/kubelet/config.yaml of every node.

    Scenario: kubelet-config
      Given what a cluster that kubeadm has set up tells joining kubelets
      Then kubelets guard by it what they serve

  @P-318 @SHOULD
  Rule: Kubelets are told what lets a machine be a node

    Why: a machine whose Pods are put out as soon as they come, or whose Lease comes too late, is a node by name alone;
    one that runs what everybody may write is whoever writes it.
    Repair: correct evictionHard, nodeLeaseDurationSeconds, maxPods and folders in kubelet-config, and in
    /var/lib/kubelet/config.yaml of the nodes that have joined since.

    Scenario: kubelet-config
      Given what a cluster that kubeadm has set up tells joining kubelets
      Then machines are nodes by it

  @P-258 @SHOULD
  Rule: Control planes that join are told of this cluster what kubeadm knows

    Why: kubeadm passes over a field that it does not know, and writes a new control plane for the name and the Services
    that it is told, whatever those that stand have.
    Repair: correct kubeadm-config, by "kubeadm init phase upload-config kubeadm".

    Scenario: kubeadm-config
      Given what a cluster that kubeadm has set up tells joining control planes
      Then they are told of this cluster what kubeadm knows
