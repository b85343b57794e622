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
