Feature: How machines that have joined find the API server

  A machine that has joined runs kube-proxy as it is told, and its Pods go by names and Services. Whoever changes them
  leads what runs there, with its credentials, to somebody else.

  @P-182 @MUST
  Rule: The DNS of the cluster answers for its names

    Why: without the plugin for Kubernetes no Pod finds a Service, and with another answer before it the API server is
    somebody else.
    Repair: correct the Corefile in the ConfigMap coredns, or run "kubeadm init phase addon coredns".

    Scenario: the ConfigMap coredns
      Given how machines of a cluster that kubeadm has set up find the API server
      Then the DNS of the cluster answers for its names

  @P-183 @MUST
  Rule: Services that every Pod relies on lead to what they are for

    Why: each EndpointSlice that bears the name of a Service adds to where it leads, a Service with the address of
    another one takes over what is sent there, and nobody but the API server knows where it is.
    Repair: delete the EndpointSlice, the selector or the externalIPs, and make kube-dns again with
    "kubeadm init phase addon coredns".

    Scenario: kubernetes and kube-dns
      Given how machines of a cluster that kubeadm has set up find the API server
      Then the Services that every Pod relies on lead to what they are for

  @P-317 @SHOULD
  Rule: No Service or route leads from beyond the cluster to etcd or to controllers

    Why: etcd knows no roles: who has any certificate of its authority reads every token and key there. It is for control
    planes alone, and so are the controllers and the scheduler. An Ingress to the API server ends TLS: it hears the tokens
    of all who join, and nobody comes in with a certificate.
    Repair: delete the Service or the Ingress, make it one of the type ClusterIP, or let TLS pass through to the API server.

    Scenario: Services and routes that are open to others
      Given how machines of a cluster that kubeadm has set up find the API server
      Then none leads from beyond the cluster to etcd or to controllers, or reads along

  @P-321 @SHOULD
  Rule: Policies of the network leave the DNS of the cluster to its Pods

    Why: one policy for all Pods of kube-system keeps every Pod elsewhere from asking for names, and a machine that joins
    looks well while nothing on it finds anything.
    Repair: let in UDP and TCP at port 53 from all namespaces in a policy for the Pods of CoreDNS, and let these ask the
    API server and the DNS beyond the cluster.

    Scenario: NetworkPolicies of kube-system
      Given how machines of a cluster that kubeadm has set up find the API server
      Then policies of the network let Pods ask it

  @P-184 @MUST
  Rule: kube-proxy is that of the cluster

    Why: it runs as root on every machine, and believes the server of its kubeconfig.
    Repair: run "kubeadm init phase addon kube-proxy" with the configuration of the cluster.

    Scenario: the ConfigMap and the DaemonSet
      Given how machines of a cluster that kubeadm has set up find the API server
      Then kube-proxy is that of the cluster

  @P-185 @SHOULD
  Rule: API servers beside the own one believe whom it believes

    Why: metrics, webhooks and every aggregated API take the ConfigMap extension-apiserver-authentication at its word:
    who is named there may say that he is anybody.
    Repair: delete the ConfigMap; kube-apiserver, which adds to what it finds, writes it again.

    Scenario: the ConfigMap extension-apiserver-authentication
      Given whom API servers beside that of kubeadm believe
      Then it is nobody whom the API server itself does not believe

  @P-259 @MUST
  Rule: What kubeadm has deployed for every machine can run

    Why: without its ConfigMap, its account or the rights of that, kube-proxy and CoreDNS start on no machine or know no
    Service, and what runs there finds neither the API server nor a name.
    Repair: run "kubeadm init phase addon all" with the configuration of the cluster. Where a network does the work of
    kube-proxy, delete the ConfigMap kube-proxy.

    Scenario: kube-proxy and CoreDNS
      Given how machines of a cluster that kubeadm has set up find the API server
      Then what kubeadm has deployed can run

  @P-270 @MUST
  Rule: Every namespace publishes the authority of the cluster

    Why: Pods believe whoever has a certificate of an authority in kube-root-ca.crt, and hand him their tokens.
    Repair: start kube-controller-manager with --root-ca-file, which writes what differs again.

    Scenario: the ConfigMaps kube-root-ca.crt
      Given how machines of a cluster that kubeadm has set up find the API server
      Then every namespace publishes the authority of the cluster
