Feature: What must be free, and what must be there

  Ports, folders, settings of the kernel, proxies, and an etcd elsewhere.

  @PREF-018 @MUST
  Rule: The ports of a control plane are free

    Why: who listens there keeps the API server from starting, or answers in its place.
    Repair: end who listens there; what an older cluster has left goes with kubeadm reset.

    Scenario: each of them
      Then kubeadm init stops on these machines:
        | with port 6443 in use  | Port-6443  | Port 6443 is in use  |
        | with port 10250 in use | Port-10250 | Port 10250 is in use |
        | with port 10259 in use | Port-10259 | Port 10259 is in use |
        | with port 10257 in use | Port-10257 | Port 10257 is in use |

    Scenario: each of them, before a join
      Then kubeadm join stops on these machines:
        | with port 10250 in use | Port-10250 | Port 10250 is in use |

    Scenario: each of them, and what is not told
      Then kubeadm init says nothing of this:
        | with port 10251 in use | Port-10251 |
        | with port 10252 in use | Port-10252 |

  @PREF-019 @MUST
  Rule: No manifest of a control plane is there

    Why: it would be overwritten, or run beside the new one.
    Repair: run kubeadm reset where an older cluster has left it.

    Scenario: each of them
      Then kubeadm init stops on these machines:
        | with /etc/kubernetes/manifests/kube-apiserver.yaml          | FileAvailable--etc-kubernetes-manifests-kube-apiserver.yaml          | already exists |
        | with /etc/kubernetes/manifests/kube-controller-manager.yaml | FileAvailable--etc-kubernetes-manifests-kube-controller-manager.yaml | already exists |
        | with /etc/kubernetes/manifests/kube-scheduler.yaml          | FileAvailable--etc-kubernetes-manifests-kube-scheduler.yaml          | already exists |
        | with /etc/kubernetes/manifests/etcd.yaml                    | FileAvailable--etc-kubernetes-manifests-etcd.yaml                    | already exists |

    Scenario: each of them, and what is not told
      Then kubeadm init says nothing of this:
        | with /etc/kubernetes/manifests/other.yaml | FileAvailable |

  @PREF-020 @MUST
  Rule: The kernel forwards IPv4 where the cluster has it

    Why: Pods reach neither each other nor Services otherwise.
    Repair: set net.ipv4.ip_forward to 1 in a file of /etc/sysctl.d and run sysctl --system; up to 1.29 load
    br_netfilter and set net.bridge.bridge-nf-call-iptables to 1 as well.

    @until:1.29
    Scenario: bridges
      Then kubeadm init stops on these machines:
        | where net.bridge.bridge-nf-call-iptables is 0       | FileContent--proc-sys-net-bridge-bridge-nf-call-iptables | contents are not set to 1 |
        | where net.bridge.bridge-nf-call-iptables is missing | FileContent--proc-sys-net-bridge-bridge-nf-call-iptables | does not exist            |

    @since:1.30
    Scenario: bridges no more
      Then kubeadm init says nothing of this:
        | where net.bridge.bridge-nf-call-iptables is 0 | bridge-nf-call |

    @since:1.27
    Scenario: forwarding
      Then kubeadm init stops on these machines:
        | where net.ipv4.ip_forward is 0 | FileContent--proc-sys-net-ipv4-ip_forward | contents are not set to 1 |

    @since:1.27
    Scenario: forwarding, before a join
      Then kubeadm join stops on these machines:
        | where net.ipv4.ip_forward is 0 | FileContent--proc-sys-net-ipv4-ip_forward | contents are not set to 1 |

    @since:1.27
    Scenario: forwarding, and what is not told
      Then kubeadm init says nothing of this:
        | at an IPv6 address, where net.ipv4.ip_forward is 0 | ip_forward |

  @PREF-021 @MUST
  Rule: The kernel forwards IPv6 where the cluster has it, and only there

    Why: Pods reach neither each other nor Services otherwise.
    Repair: set net.ipv6.conf.default.forwarding to 1 in a file of /etc/sysctl.d and run sysctl --system; up to 1.29
    set net.bridge.bridge-nf-call-ip6tables to 1 as well.

    @until:1.29
    Scenario: bridges
      Then kubeadm init stops on these machines:
        | at an IPv6 address, where net.bridge.bridge-nf-call-ip6tables is 0 | FileContent--proc-sys-net-bridge-bridge-nf-call-ip6tables | contents are not set to 1 |

    @until:1.29
    Scenario: bridges, and what is not told
      Then kubeadm init says nothing of this:
        | where net.bridge.bridge-nf-call-ip6tables is 0 | ip6tables |

    @since:1.30
    Scenario: bridges no more
      Then kubeadm init says nothing of this:
        | at an IPv6 address, where net.bridge.bridge-nf-call-ip6tables is 0 | bridge-nf-call |

    @since:1.27
    Scenario: forwarding
      Then kubeadm init stops on these machines:
        | at an IPv6 address, where net.ipv6.conf.default.forwarding is 0 | FileContent--proc-sys-net-ipv6-conf-default-forwarding | contents are not set to 1 |

    @since:1.27
    Scenario: forwarding, and what is not told
      Then kubeadm init says nothing of this:
        | where net.ipv6.conf.default.forwarding is 0 | ipv6 |

    @since:1.27
    Scenario: forwarding, before a join, and what is not told
      Then kubeadm join says nothing of this:
        | where net.ipv6.conf.default.forwarding is 0 | ipv6 |

  @PREF-025 @MUST
  Rule: Arguments of components are not judged

    Why: kubeadm passes them on, and cannot know what images of others take.
    Repair, for makers: pass unknown arguments on without a word.

    @since:1.22
    Scenario: a flag that there is not
      Then kubeadm init takes these machines:
        | whose API server is told --no-such-flag=x |

    @since:1.22
    Scenario: a flag that there is not, and what is not told
      Then kubeadm init says nothing of this:
        | whose API server is told --no-such-flag=x | ExtraArgs |

  @PREF-026 @MUST
  Rule: A connection to the API server that takes a proxy is told

    Why: a proxy may not reach it, and sees what is nobody's business.
    Repair: add the address to NO_PROXY.

    Scenario: HTTPS_PROXY without exceptions
      Then kubeadm init only warns of these machines:
        | behind a proxy | HTTPProxy | Connection to "https://192.0.2.10" uses proxy |

    Scenario: HTTPS_PROXY without exceptions, before a join
      Then kubeadm join only warns of these machines:
        | behind a proxy | HTTPProxy | Connection to "https://192.0.2.10" uses proxy |

    Scenario: HTTPS_PROXY without exceptions, and what is not told
      Then kubeadm init says nothing of this:
        | behind a proxy but for 192.0.2.10+10.0.0.0/8   | HTTPProxy |
        | behind a proxy but for 192.0.2.0/24+10.0.0.0/8 | HTTPProxy |

  @PREF-027 @MUST
  Rule: Connections to Services that take a proxy are told

    Why: the API server calls webhooks at such addresses.
    Repair: add the subnet of Services to NO_PROXY.

    Scenario: HTTPS_PROXY without this subnet
      Then kubeadm init only warns of these machines:
        | behind a proxy                       | HTTPProxyCIDR | connection to "10.96.0.0/12" uses proxy |
        | behind a proxy but for 10.244.0.0/16 | HTTPProxyCIDR | connection to "10.96.0.0/12" uses proxy |

  @PREF-028 @MUST
  Rule: Connections to Pods that take a proxy are told

    Why: the API server calls aggregated APIs and webhooks at such addresses.
    Repair: add the subnet of Pods to NO_PROXY.

    Scenario: HTTPS_PROXY without this subnet
      Then kubeadm init only warns of these machines:
        | behind a proxy                      | HTTPProxyCIDR | connection to "10.244.0.0/16" uses proxy |
        | behind a proxy but for 10.96.0.0/12 | HTTPProxyCIDR | connection to "10.244.0.0/16" uses proxy |

  @PREF-029 @MUST
  Rule: An etcd that kubeadm does not run is new enough

    Why: an API server stores wrongly, or not at all, in one that is too old.
    Repair: update that etcd.

    Scenario: its version
      Then kubeadm init stops on these machines:
        | with an etcd elsewhere of 2.3.0    | ExternalEtcdVersion | only supports external etcd version >= |
        | with an etcd elsewhere of anything | ExternalEtcdVersion | couldn't parse external etcd version   |

    Scenario: its version, and what is taken
      Then kubeadm init takes these machines:
        | with an etcd elsewhere of 3.6.4 |

  @PREF-030 @MUST
  Rule: Files that are named for an etcd elsewhere are there

    Why: the API server does not start without them.
    Repair: copy them to where the configuration names them.

    Scenario: each of them
      Then kubeadm init stops on these machines:
        | with an etcd elsewhere whose CA is /x/ca.crt                                            | ExternalEtcdClientCertificates | /x/ca.crt doesn't exist |
        | with an etcd elsewhere whose certificate is /x/c.crt and key is /x/c.key                | ExternalEtcdClientCertificates | /x/c.crt doesn't exist  |
        | with an etcd elsewhere whose certificate is /x/c.crt and key is /x/c.key                | ExternalEtcdClientCertificates | /x/c.key doesn't exist  |
        | with /x/c.crt, with an etcd elsewhere whose certificate is /x/c.crt and key is /x/c.key | ExternalEtcdClientCertificates | /x/c.key doesn't exist  |

  @PREF-031 @MUST
  Rule: The ports of an etcd that kubeadm runs are free

    Why: an etcd that is there already keeps the new one from starting.
    Repair: end who listens there, or name that etcd as the external one.

    Scenario: its own etcd
      Then kubeadm init stops on these machines:
        | with port 2379 in use | Port-2379 | Port 2379 is in use |
        | with port 2380 in use | Port-2380 | Port 2380 is in use |

    Scenario: an etcd elsewhere
      Then kubeadm init says nothing of this:
        | with port 2379 in use, with an etcd elsewhere of 3.6.4 | Port-2379 |

  @PREF-032 @MUST
  Rule: The folder of an etcd that kubeadm runs is empty

    Why: the data of another cluster would become those of the new one.
    Repair: run kubeadm reset and empty the folder, or name another one.

    Scenario: its own etcd
      Then kubeadm init stops on these machines:
        | with /var/lib/etcd/member | DirAvailable--var-lib-etcd | /var/lib/etcd is not empty |

    Scenario: an etcd elsewhere
      Then kubeadm init says nothing of this:
        | with /var/lib/etcd/member, with an etcd elsewhere of 3.6.4 | DirAvailable |

  @PREF-033 @MUST
  Rule: A policy of ABAC is not looked for

    Why: where it lies is an argument of the API server, which kubeadm does not judge since 1.22.
    Repair, for makers: pass the argument on without a word.

    Scenario: authorization mode ABAC
      Then kubeadm init takes these machines:
        | whose API server is told --authorization-mode=ABAC |

    Scenario: authorization mode ABAC, and what is not told
      Then kubeadm init says nothing of this:
        | whose API server is told --authorization-mode=ABAC | abac |

  @PREF-034 @MUST
  Rule: A configuration of authorization webhooks is not looked for

    Why: where it lies is an argument of the API server, which kubeadm does not judge since 1.22.
    Repair, for makers: pass the argument on without a word.

    Scenario: authorization mode Webhook
      Then kubeadm init takes these machines:
        | whose API server is told --authorization-mode=Webhook |

    Scenario: authorization mode Webhook, and what is not told
      Then kubeadm init says nothing of this:
        | whose API server is told --authorization-mode=Webhook | webhook |
