Feature: Nodes as they stand

  A Node is what the cluster knows of a machine that has joined. Who goes by a wrong one asks another machine, or leaves
  Pods where none should be.

  @P-266 @SHOULD
  Rule: Each Node is a machine of its own

    Why: two Nodes of one address, provider id or Pod network are one machine for the API server, for clouds and for
    networks: what is meant for one of them comes to the other.
    Repair: delete the Node that is left over, or have its kubelet registered anew with --hostname-override and --node-ip.

    Scenario: the Nodes of the cluster
      Given the Nodes of the cluster, machine by machine
      Then each stands for one machine

  @P-267 @SHOULD
  Rule: The API server goes with every kubelet

    Why: a kubelet that is newer than the API server, or too old for it, asks for what that does not know; one at the port
    of something else is never reached, and what listens there is shown the certificate of the API server. A Node without
    the labels of its kubelet gets no proxy and no network.
    Repair: upgrade the API servers first, then the kubelets, by one minor at a time; correct port and runtime of the
    kubelet; have it restarted where labels are lost.

    Scenario: the Nodes of the cluster
      Given the Nodes of the cluster, machine by machine
      Then each has a kubelet that the API server goes with

  @P-319 @SHOULD
  Rule: Machines that have joined become nodes that work

    Why: a machine without a network for its Pods, or without a controller that takes its taint away, has joined, and
    nothing runs there; its operator believes that it does.
    Repair: look at the condition Ready with "kubectl describe node"; deploy a network, mend the kubelet, or see whether
    kube-controller-manager runs with its nodelifecycle controller.

    Scenario: the Nodes of the cluster
      Given the Nodes of the cluster, machine by machine
      Then each has become ready

  @P-275 @SHOULD
  Rule: The API server goes with what runs beside it

    Why: controllers, a scheduler or proxies that are newer than the API server ask for what that does not know, and those
    that are too old write what it has given up.
    Repair: upgrade with "kubeadm upgrade", API servers first, by one minor at a time.

    Scenario: images of the control plane
      Given the Nodes of the cluster, machine by machine
      Then controllers, schedulers and proxies are of versions that the API server goes with
      And images of the control plane say which version they are

  @P-268 @SHOULD
  Rule: Control planes are marked, and nothing else is

    Why: what tolerates or selects control planes, and load balancers, come to every machine that bears the mark.
    Repair: remove the label node-role.kubernetes.io/control-plane from machines that are none; on a control plane run
    "kubeadm init phase mark-control-plane".

    Scenario: the Nodes of the cluster
      Given the Nodes of the cluster, machine by machine
      Then those with an API server are marked as control planes, and no others

  @P-269 @MAY
  Rule: Control planes are kept free where there are workers

    Why: a Pod that breaks out there has the keys of the cluster.
    Repair: taint them with node-role.kubernetes.io/control-plane:NoSchedule, where that was not taken away on purpose.

    Scenario: the Nodes of the cluster
      Given the Nodes of the cluster, machine by machine
      Then control planes are kept free where there are workers

  @P-276 @SHOULD
  Rule: Machines that say that they are alive are Nodes

    Why: a machine that renews a Lease without a Node was taken away and still has its certificate; a Lease that somebody
    else holds makes a machine that is gone look alive, and so does who writes the status of its Node.
    Repair: end the kubelet of the machine, or start it anew, and delete the Lease.

    Scenario: the Leases of machines
      Given the Nodes of the cluster, machine by machine
      Then each Lease of a machine is that of a Node, and its own

  @P-373 @MUST
  Rule: Somebody leads the controllers and the schedulers

    Why: without them no request is approved, no token is signed for, and nothing runs on a machine that has joined.
    Repair: look at kube-controller-manager and kube-scheduler on the control planes, and at what their logs say.

    Scenario: Leases of the control plane
      Given the Leases of a cluster that kubeadm has set up
      Then controllers and schedulers are led
