Feature: What kubeadm init has written into its cluster

  Two configurations, the marks of its Node, kube-proxy and the DNS. Where joinproof has just had kubeadm set up a cluster,
  nobody has changed them yet, and they are as kubeadm writes them; elsewhere people choose otherwise, and may.

  @KUBECM-001 @MUST
  Rule: The configuration of kubelets is in kube-system

    Why: a machine that joins asks for it by this name, and stops where it is not there.
    Repair, for makers: run "kubeadm init phase upload-config kubelet".

    Scenario: its kind
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there it says:
        | field | value                |
        | kind  | KubeletConfiguration |

  @KUBECM-002 @MUST
  Rule: The configuration of kubelets is under the key "kubelet"

    Why: kubeadm join reads that key and no other.
    Repair, for makers: write the document under the key "kubelet".

    Scenario: the key
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there it says:
        | field | value                |
        | kind  | KubeletConfiguration |

  @KUBECM-003 @MUST
  Rule: The configuration of kubelets is of the API that kubelets read

    Why: a kubelet does not start with a document of another API.
    Repair, for makers: write it as kubelet.config.k8s.io/v1beta1, KubeletConfiguration.

    Scenario: API and kind
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there it says:
        | field      | value                         |
        | apiVersion | kubelet.config.k8s.io/v1beta1 |
        | kind       | KubeletConfiguration          |

  @KUBECM-004 @MUST
  Rule: Configurations carry the hash of their text

    Why: by it an upgrade tells what a person has changed from what kubeadm has written.
    Repair, for makers: hash the values of the ConfigMap, in the order of their keys, with SHA-256.

    Scenario: kubelet-config and kube-proxy
      Given a cluster that kubeadm has just set up for us
      Then the hashes of configurations are those of their texts

  @KUBECM-005 @MUST
  Rule: Kubelets answer nobody who has not logged in

    Why: whoever reaches port 10250 could run commands in every Pod.
    Repair, for makers: set authentication.anonymous.enabled to false in kubelet-config.

    Scenario: anonymous requests
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there it says:
        | field                                | value |
        | authentication > anonymous > enabled | false |

  @KUBECM-006 @MUST
  Rule: Kubelets ask the API server about tokens

    Why: otherwise no service account may read their metrics.
    Repair, for makers: set authentication.webhook.enabled to true in kubelet-config.

    Scenario: the webhook
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there it says:
        | field                              | value |
        | authentication > webhook > enabled | true  |

  @KUBECM-007 @MUST
  Rule: Kubelets know the CA of their clients

    Why: without it the API server itself is refused.
    Repair, for makers: set authentication.x509.clientCAFile to ca.crt in the folder of certificates.

    Scenario: the file
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there "authentication > x509 > clientCAFile" is ca.crt in the folder of kubeadm-config

  @KUBECM-008 @MUST
  Rule: Kubelets ask the API server what somebody may do

    Why: with AlwaysAllow every accepted client may run commands in every Pod.
    Repair, for makers: set authorization.mode to Webhook in kubelet-config.

    Scenario: the mode
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there it says:
        | field                | value   |
        | authorization > mode | Webhook |

  @KUBECM-009 @MUST
  Rule: How long kubelets remember answers is left to them

    Why: a zero stands for what the kubelet has built in.
    Repair, for makers: leave the three times at 0s.

    Scenario: three times
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there it says:
        | field                                          | value |
        | authentication > webhook > cacheTTL            | 0s    |
        | authorization > webhook > cacheAuthorizedTTL   | 0s    |
        | authorization > webhook > cacheUnauthorizedTTL | 0s    |

  @KUBECM-010 @MUST
  Rule: Kubelets and the container runtime use one driver of cgroups

    Why: two drivers limit the same process twice, and a node under pressure falls out.
    Repair, for makers: set cgroupDriver to that of the runtime: systemd, unless it has another.

    Scenario: the driver
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there it says:
        | field        | value               |
        | cgroupDriver | systemd or cgroupfs |

  @KUBECM-011 @MUST
  Rule: Pods are told the address of the DNS

    Why: with another address no Pod finds any Service.
    Repair, for makers: set clusterDNS to the address of the Service kube-dns.

    Scenario: the address
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there "clusterDNS > 0" is the address of the Service kube-dns

  @KUBECM-012 @MUST
  Rule: Pods are told the domain of the cluster

    Why: with another domain short names of Services mean nothing.
    Repair, for makers: set clusterDomain to networking.dnsDomain of kubeadm-config.

    Scenario: the domain
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there "clusterDomain" is the domain of kubeadm-config

  @KUBECM-013 @MUST
  Rule: Kubelets tell their health to their own machine alone

    Why: kubeadm asks there; others need not.
    Repair, for makers: set healthzBindAddress to 127.0.0.1 and healthzPort to 10248.

    Scenario: address and port
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there it says:
        | field              | value     |
        | healthzBindAddress | 127.0.0.1 |
        | healthzPort        | 10248     |

  @KUBECM-014 @MUST
  Rule: Kubelets renew their certificates

    Why: otherwise each node falls out a year after it has joined.
    Repair, for makers: set rotateCertificates to true in kubelet-config.

    Scenario: renewal
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there it says:
        | field              | value |
        | rotateCertificates | true  |

  @KUBECM-015 @MUST
  Rule: Static Pods are read where kubeadm writes them

    Why: otherwise a joining control plane starts nothing.
    Repair, for makers: set staticPodPath to /etc/kubernetes/manifests.

    Scenario: the folder
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there it says:
        | field         | value                     |
        | staticPodPath | /etc/kubernetes/manifests |

  @KUBECM-017 @MUST
  Rule: Times that nobody has chosen are left to kubelets

    Why: a zero stands for what the kubelet has built in.
    Repair, for makers: leave them at 0s.

    Scenario: the others
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written for kubelets
      Then there it says:
        | field                            | value |
        | cpuManagerReconcilePeriod        | 0s    |
        | evictionPressureTransitionPeriod | 0s    |
        | fileCheckFrequency               | 0s    |
        | httpCheckFrequency               | 0s    |
        | imageMinimumGCAge                | 0s    |
        | nodeStatusReportFrequency        | 0s    |
        | nodeStatusUpdateFrequency        | 0s    |
        | runtimeRequestTimeout            | 0s    |
        | shutdownGracePeriod              | 0s    |
        | shutdownGracePeriodCriticalPods  | 0s    |
        | streamingConnectionIdleTimeout   | 0s    |
        | syncFrequency                    | 0s    |
        | volumeStatsAggPeriod             | 0s    |

  @UPL-001 @MUST
  Rule: The configuration of init is kept in the cluster

    Why: joins and upgrades begin by reading it.
    Repair, for makers: run "kubeadm init phase upload-config kubeadm".

    Scenario: its kind
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written of the cluster
      Then there it says:
        | field | value                |
        | kind  | ClusterConfiguration |

  @UPL-002 @MUST
  Rule: The kept configuration holds no secret

    Why: every holder of a joining token may read it.
    Repair, for makers: write ClusterConfiguration alone, and renew every credential that has stood there.

    Scenario: its keys and texts
      Given a cluster that kubeadm has just set up for us
      Then kubeadm-config holds the configuration alone, and no secret

  @UPL-003 @MUST
  Rule: The kept configuration is that of the cluster

    Why: an upgrade from another release, or a node of another domain, breaks what runs.
    Repair, for makers: run "kubeadm init phase upload-config kubeadm" with the configuration of the cluster.

    Scenario: release and networks
      Given a cluster that kubeadm has just set up for us
      And the configuration that init has written of the cluster
      Then there the release is that of the API server, but for its patch
      And there "networking > dnsDomain" is the domain of kubelet-config

  @MARK-001 @MUST @since:1.24
  Rule: The Node of a control plane is labelled as one

    Why: by it kubeadm, load balancers and people find it.
    Repair, for makers: run "kubeadm init phase mark-control-plane".

    Scenario: labels
      Given a cluster that kubeadm has just set up for us
      And the Node of the control plane
      Then there it says:
        | field                                                            | value   |
        | labels > node-role.kubernetes.io/control-plane                   | (empty) |
        | labels > node.kubernetes.io/exclude-from-external-load-balancers | (empty) |

  @MARK-002 @MUST @since:1.25
  Rule: Workloads keep off the Node of a control plane

    Why: a Pod that runs beside the API server is next to its keys; NoExecute would end what runs there, too.
    Repair, for makers: run "kubeadm init phase mark-control-plane".

    Scenario: its taint
      Given a cluster that kubeadm has just set up for us
      And the Node of the control plane
      Then there it says:
        | field  | value                                                |
        | taints | ["node-role.kubernetes.io/control-plane:NoSchedule"] |

  @ADDON-001 @MUST
  Rule: kube-proxy and the DNS are deployed through the API

    Why: what only lies on one disk is not on the others.
    Repair, for makers: run "kubeadm init phase addon all".

    Scenario: both of them
      Given a cluster that kubeadm has just set up for us
      Then kube-system holds the DaemonSet "kube-proxy"
      And kube-system holds the Deployment "coredns"

  @ADDON-003 @MUST
  Rule: kube-proxy has a service account of its own

    Why: with that of others it has the rights of others.
    Repair, for makers: run "kubeadm init phase addon kube-proxy".

    Scenario: the account
      Given a cluster that kubeadm has just set up for us
      Then kube-system holds the ServiceAccount "kube-proxy"

  @ADDON-004 @MUST
  Rule: kube-proxy runs on every machine as its own account

    Why: a machine without it reaches no Service.
    Repair, for makers: run "kubeadm init phase addon kube-proxy".

    Scenario: the DaemonSet
      Given a cluster that kubeadm has just set up for us
      Then the DaemonSet "kube-proxy" says:
        | field                                               | value      |
        | spec > template > spec > serviceAccountName         | kube-proxy |
        | spec > template > spec > hostNetwork                | true       |
        | spec > template > spec > tolerations > 0 > operator | Exists     |

  @ADDON-005 @MUST
  Rule: kube-proxy logs in with what its account is given

    Why: any other credential lasts, and is somebody else's.
    Repair, for makers: let the kubeconfig name the token and the ca.crt of the service account.

    Scenario: token and authority
      Given a cluster that kubeadm has just set up for us
      And the kubeconfig that init has written for kube-proxy
      Then there it says:
        | field                                          | value                                                |
        | users > 0 > user > tokenFile                   | /var/run/secrets/kubernetes.io/serviceaccount/token  |
        | clusters > 0 > cluster > certificate-authority | /var/run/secrets/kubernetes.io/serviceaccount/ca.crt |

  @ADDON-006 @MUST
  Rule: kube-proxy is told where the API server is by its ConfigMap

    Why: the Service "kubernetes" is reached by what kube-proxy itself sets up.
    Repair, for makers: write the endpoint of the control plane into the kubeconfig of ConfigMap kube-proxy.

    Scenario: the address
      Given a cluster that kubeadm has just set up for us
      And the kubeconfig that init has written for kube-proxy
      Then there "clusters > 0 > cluster > server" is the server of cluster-info

  @ADDON-007 @MUST
  Rule: kube-proxy is bound to the role of node proxies

    Why: with less no Service is reached.
    Repair, for makers: run "kubeadm init phase addon kube-proxy".

    Scenario: the binding
      Given a cluster that kubeadm has just set up for us
      And the roles and bindings of the cluster
      Then the ClusterRoleBinding "kubeadm:node-proxier" refers to the ClusterRole "system:node-proxier"
      And the ClusterRoleBinding "kubeadm:node-proxier" binds exactly:
        | subject                               |
        | ServiceAccount kube-system/kube-proxy |

  @ADDON-008 @MUST
  Rule: kube-proxy may do nothing else

    Why: it runs on every machine: what it may do whoever breaks one machine may do.
    Repair, for makers: delete the binding that gives it more.

    Scenario: what it must not
      Given a cluster that kubeadm has just set up for us
      And the roles and bindings of the cluster
      Then the User "system:serviceaccount:kube-system:kube-proxy" must not:
        | verbs       | what                                          |
        | *           | *.*                                           |
        | get         | secrets in kube-system                        |
        | list        | secrets, configmaps                           |
        | create      | pods in kube-system                           |
        | patch       | nodes                                         |
        | create      | clusterrolebindings.rbac.authorization.k8s.io |
        | impersonate | users, groups                                 |

  @ADDON-009 @MUST
  Rule: The Service of the DNS is called kube-dns

    Why: kubelets and old charts know it by that name.
    Repair, for makers: run "kubeadm init phase addon coredns".

    Scenario: the Service
      Given a cluster that kubeadm has just set up for us
      Then the Service "kube-dns" says:
        | field                       | value                  |
        | spec > selector             | {"k8s-app":"kube-dns"} |
        | spec > ports > 0 > port     | 53                     |
        | spec > ports > 0 > protocol | UDP                    |
        | spec > ports > 1 > port     | 53                     |
        | spec > ports > 1 > protocol | TCP                    |

  @ADDON-010 @MUST
  Rule: The DNS has a service account of its own

    Why: with that of others it has the rights of others.
    Repair, for makers: run "kubeadm init phase addon coredns".

    Scenario: the account
      Given a cluster that kubeadm has just set up for us
      Then kube-system holds the ServiceAccount "coredns"
      And the Deployment "coredns" says:
        | field                                       | value   |
        | spec > template > spec > serviceAccountName | coredns |

  @ADDON-011 @MUST
  Rule: The DNS is bound to its own role

    Why: without it no name of a Service is answered.
    Repair, for makers: run "kubeadm init phase addon coredns".

    Scenario: the binding
      Given a cluster that kubeadm has just set up for us
      And the roles and bindings of the cluster
      Then the ClusterRoleBinding "system:coredns" refers to the ClusterRole "system:coredns"
      And the ClusterRoleBinding "system:coredns" binds exactly:
        | subject                            |
        | ServiceAccount kube-system/coredns |

  @ADDON-012 @MUST
  Rule: The DNS may do nothing else

    Why: it answers whoever asks; what it may do should be worth little.
    Repair, for makers: delete the binding that gives it more.

    Scenario: what it must not
      Given a cluster that kubeadm has just set up for us
      And the roles and bindings of the cluster
      Then the User "system:serviceaccount:kube-system:coredns" must not:
        | verbs       | what                                          |
        | *           | *.*                                           |
        | get         | secrets in kube-system                        |
        | list        | secrets, configmaps                           |
        | create      | pods in kube-system                           |
        | patch       | nodes                                         |
        | create      | clusterrolebindings.rbac.authorization.k8s.io |
        | impersonate | users, groups                                 |

  @ADDON-013 @MUST
  Rule: The old implementation of the DNS is not installed

    Why: two of them answer one address.
    Repair, for makers: delete the Deployment kube-dns.

    Scenario: the Deployment
      Given a cluster that kubeadm has just set up for us
      Then kube-system holds the Deployment "coredns"
      And kube-system holds no Deployment "kube-dns"
