Feature: What the machine is like

  The kernel, the programs and the services that a kubelet and its Pods need.

  @PREF-004 @MUST
  Rule: A cluster that is newer than kubeadm is told

    Why: an older kubeadm does not know what a newer control plane wants to be told.
    Repair: take a kubeadm of the minor that is to be installed.

    Scenario: one minor newer
      Then kubeadm init only warns of these machines:
        | for a cluster 1 minor newer | KubernetesVersion | Kubernetes version is greater than kubeadm version |

  @PREF-005 @MUST
  Rule: The kernel is not too old

    Why: Pods fail on it later, in ways that nobody understands.
    Repair: boot a kernel of one of the supported series.

    @until:1.33
    Scenario: an error
      Then kubeadm init stops on these machines:
        | with kernel 2.6.32-754.el6.x86_64 | SystemVerification | 2.6.32-754.el6.x86_64 |

    @until:1.33
    Scenario: an error, before a join
      Then kubeadm join stops on these machines:
        | with kernel 2.6.32-754.el6.x86_64 | SystemVerification | 2.6.32-754.el6.x86_64 |

    @since:1.34
    Scenario: a warning
      Then kubeadm init only warns of these machines:
        | with kernel 2.6.32-754.el6.x86_64 | SystemVerification | kernel release 2.6.32-754.el6.x86_64 is unsupported |
        | with kernel 4.18.0-553.el8.x86_64 | SystemVerification | kernel release 4.18.0-553.el8.x86_64 is unsupported |

    @since:1.34
    Scenario: a warning, before a join
      Then kubeadm join only warns of these machines:
        | with kernel 2.6.32-754.el6.x86_64 | SystemVerification | kernel release 2.6.32-754.el6.x86_64 is unsupported |

    @since:1.34
    Scenario: a warning, and what is taken
      Then kubeadm init takes these machines:
        | with kernel 5.15.0-25-generic |

  @PREF-006 @MUST
  Rule: Control groups that a kubelet needs are there

    Why: without them it cannot limit what Pods take.
    Repair: boot with version 2 of control groups and with these controllers (cgroup_enable=memory where it is off).

    Scenario: a controller is missing
      Then kubeadm init stops on these machines:
        | without the control group memory | SystemVerification | missing required cgroups: memory |
        | without the control group cpu    | SystemVerification | missing required cgroups: cpu    |
        | without the control group pids   | SystemVerification | missing required cgroups: pids   |

    Scenario: a controller is missing, before a join
      Then kubeadm join stops on these machines:
        | without the control group memory                                   | SystemVerification | missing required cgroups: memory |
        | with control groups of version 1, without the control group memory | SystemVerification | missing required cgroups: memory |

    Scenario: a controller that can be done without
      Then kubeadm init only warns of these machines:
        | without the control group hugetlb | SystemVerification | missing optional cgroups: hugetlb |

    @since:1.35
    Scenario: version 1, which kubelets refuse
      Then kubeadm init stops on these machines:
        | with control groups of version 1 | SystemVerification | cgroups v1 support is deprecated |

    @since:1.35
    Scenario: version 1, which kubelets refuse, and what only warns
      Then kubeadm init only warns of these machines:
        | with control groups of version 1, with a kubelet 2 minors older | SystemVerification | cgroups v1 support is deprecated |

  @PREF-007 @MUST
  Rule: A Docker that does not run is told, as long as kubeadm knows Docker

    Why: without its runtime a kubelet runs nothing.
    Repair: enable and start docker.service; from 1.24 on take another container runtime, or cri-dockerd.

    @until:1.23
    Scenario: up to 1.23
      Then kubeadm init only warns of these machines:
        | with Docker, without a service docker         | Service-Docker | docker service does not exist |
        | with Docker, whose service docker is disabled | Service-Docker | docker service is not enabled |

    @until:1.23
    Scenario: up to 1.23, and what stops
      Then kubeadm init stops on these machines:
        | with Docker, whose service docker is stopped | Service-Docker | docker service is not active |

    @since:1.24
    Scenario: no more
      Then kubeadm init says nothing of this:
        | without a service docker        | docker |
        | whose service docker is stopped | docker |

  @PREF-008 @MUST
  Rule: A Docker that does not answer stops kubeadm, as long as it knows Docker

    Why: images are pulled next, and fail one by one.
    Repair: start Docker; from 1.24 on name the socket of another container runtime.

    @until:1.23
    Scenario: up to 1.23
      Then kubeadm init stops on these machines:
        | with a Docker that does not answer | CRI | container runtime is not running |

    @since:1.24
    Scenario: no more than another runtime
      Then kubeadm init says nothing of this:
        | without docker | docker |

  @PREF-009 @MUST
  Rule: A Docker of a version that nobody has tried is told, as long as kubeadm knows Docker

    Why: it may well work; who installs should know.
    Repair: take a version of the list, or another container runtime.

    @until:1.23
    Scenario: up to 1.23
      Then kubeadm init only warns of these machines:
        | with Docker 27.1.0 | SystemVerification | not on the list of validated versions: 27.1.0 |

    @since:1.24
    Scenario: no more
      Then kubeadm init says nothing of this:
        | as it should be | docker |

  @PREF-010 @MUST
  Rule: A container runtime that does not answer stops kubeadm

    Why: the control plane itself runs in containers.
    Repair: start the container runtime, or name its socket as criSocket.

    @until:1.30
    Scenario: asked by crictl
      Then kubeadm init stops on these machines:
        | without a container runtime | CRI | container runtime is not running |

    @since:1.31
    @until:1.34
    Scenario: needed for images
      Then kubeadm init does not take these machines:
        | without a container runtime |

    @since:1.35
    Scenario: asked by its socket
      Then kubeadm init stops on these machines:
        | without a container runtime          | CRI                     | could not connect to the container runtime |
        | without a container runtime          | ContainerRuntimeVersion | could not connect to the container runtime |
        | whose container runtime is not ready | CRI                     | RuntimeReady                               |

    @since:1.35
    Scenario: asked by its socket, before a join
      Then kubeadm join stops on these machines:
        | without a container runtime | CRI | could not connect to the container runtime |

  @PREF-013 @MUST
  Rule: A name of a node that nobody can resolve is told

    Why: other nodes and the kubelet may look for it.
    Repair: add it to DNS or to /etc/hosts.

    Scenario: a name without an address
      Then kubeadm init only warns of these machines:
        | whose name nobody knows | Hostname | could not be reached |

    Scenario: a name without an address, before a join
      Then kubeadm join only warns of these machines:
        | whose name nobody knows | Hostname | could not be reached |

  @PREF-014 @MUST
  Rule: The kubelet is not older than kubeadm supports

    Why: it is configured with what it does not know.
    Repair: install a kubelet of the minor of the control plane.

    @until:1.28
    Scenario: one minor
      Then kubeadm init stops on these machines:
        | with a kubelet 2 minors older | KubeletVersion | is lower than kubeadm can support |

    @until:1.28
    Scenario: one minor, before a join
      Then kubeadm join stops on these machines:
        | with a kubelet 2 minors older | KubeletVersion | is lower than kubeadm can support |

    @until:1.28
    Scenario: one minor, and what is taken
      Then kubeadm init takes these machines:
        | with a kubelet 1 minor older |

    @since:1.29
    Scenario: three minors
      Then kubeadm init stops on these machines:
        | with a kubelet 4 minors older | KubeletVersion | is lower than kubeadm can support |

    @since:1.29
    Scenario: three minors, before a join
      Then kubeadm join stops on these machines:
        | with a kubelet 4 minors older | KubeletVersion | is lower than kubeadm can support |

    @since:1.29
    Scenario: three minors, and what is taken
      Then kubeadm init takes these machines:
        | with a kubelet 3 minors older |

  @PREF-015 @MUST
  Rule: The kubelet is not newer than its control plane

    Why: an API server does not know what a newer kubelet asks for.
    Repair: install a kubelet of the minor of the control plane, or one that is older.

    Scenario: before init, which knows the version
      Then kubeadm init stops on these machines:
        | with a kubelet 1 minor newer | KubeletVersion | the kubelet version is higher than the control plane version |

    Scenario: before init, which knows the version, and what is taken
      Then kubeadm init takes these machines:
        | with a kubelet 1 minor older |

    Scenario: before a join, which does not know it yet
      Then kubeadm join says nothing of this:
        | with a kubelet 1 minor newer | KubeletVersion |

  @PREF-016 @MUST
  Rule: A kubelet that is no service, or is disabled, is told

    Why: the node does not come back after a restart.
    Repair: install the unit of the kubelet and run systemctl enable kubelet.

    @until:1.34
    Scenario: by its title
      Then kubeadm init only warns of these machines:
        | without a service kubelet         | Service-Kubelet | kubelet service does not exist |
        | whose service kubelet is disabled | Service-Kubelet | kubelet service is not enabled |

    @since:1.35
    Scenario: by its name
      Then kubeadm init only warns of these machines:
        | without a service kubelet         | Service-kubelet | kubelet service does not exist |
        | whose service kubelet is disabled | Service-kubelet | kubelet service is not enabled |

    @since:1.35
    Scenario: by its name, before a join
      Then kubeadm join only warns of these machines:
        | whose service kubelet is disabled | Service-kubelet | kubelet service is not enabled |

  @PREF-017 @MUST
  Rule: A firewall that is active is told, with the ports that it must let through

    Why: a node that nobody reaches never becomes Ready.
    Repair: open the ports, or stop firewalld.

    Scenario: firewalld
      Then kubeadm init only warns of these machines:
        | whose service firewalld is active | Firewalld | ports [6443 10250] are open |

    Scenario: firewalld, and what is not told
      Then kubeadm init says nothing of this:
        | whose service firewalld is stopped | Firewalld |

  @PREF-022 @MUST
  Rule: Swap is looked for

    Why: a kubelet that is not configured for it does not start.
    Repair: run swapoff -a and take it out of /etc/fstab, or configure the kubelet for swap.

    @until:1.22
    Scenario: an error
      Then kubeadm init stops on these machines:
        | that swaps | Swap | swap |

    @since:1.23
    Scenario: a warning
      Then kubeadm init only warns of these machines:
        | that swaps | Swap | swap |

    @since:1.23
    Scenario: a warning, before a join
      Then kubeadm join only warns of these machines:
        | that swaps | Swap | swap |

  @PREF-023 @MUST
  Rule: Programs that a node cannot do without are in the command path

    Why: kubelet and kube-proxy call them, and fail later.
    Repair: install the packages that have them, and see to PATH.

    Scenario: of every minor
      Then kubeadm init stops on these machines:
        | without mount | FileExisting-mount | mount not found in system path |

    Scenario: of every minor, before a join
      Then kubeadm join stops on these machines:
        | without mount | FileExisting-mount | mount not found in system path |

    @until:1.32
    Scenario: up to 1.32
      Then kubeadm init stops on these machines:
        | without ip       | FileExisting-ip       | ip not found in system path       |
        | without iptables | FileExisting-iptables | iptables not found in system path |
        | without nsenter  | FileExisting-nsenter  | nsenter not found in system path  |

    @until:1.31
    Scenario: conntrack
      Then kubeadm init stops on these machines:
        | without conntrack | FileExisting-conntrack | conntrack not found in system path |

    @since:1.33
    Scenario: from 1.33 on
      Then kubeadm init stops on these machines:
        | without losetup | FileExisting-losetup | losetup not found in system path |
        | without cp      | FileExisting-cp      | cp not found in system path      |

    @since:1.33
    Scenario: from 1.33 on, before a join
      Then kubeadm join stops on these machines:
        | without losetup | FileExisting-losetup | losetup not found in system path |
        | without cp      | FileExisting-cp      | cp not found in system path      |

    @since:1.33
    Scenario: no more
      Then kubeadm init says nothing of this:
        | without conntrack | FileExisting |
        | without ip        | FileExisting |
        | without iptables  | FileExisting |
        | without nsenter   | FileExisting |

  @PREF-024 @MUST
  Rule: Programs that a node can do without are told at most

    Why: features that need them fail, and others do not.
    Repair: install the packages that have them.

    @until:1.32
    Scenario: up to 1.32
      Then kubeadm init only warns of these machines:
        | without ethtool | FileExisting-ethtool | ethtool not found in system path |
        | without tc      | FileExisting-tc      | tc not found in system path      |
        | without touch   | FileExisting-touch   | touch not found in system path   |

    @until:1.30
    Scenario: up to 1.30
      Then kubeadm init only warns of these machines:
        | without socat    | FileExisting-socat    | socat not found in system path    |
        | without ebtables | FileExisting-ebtables | ebtables not found in system path |

    @since:1.33
    Scenario: no more
      Then kubeadm init says nothing of this:
        | without ebtables | FileExisting |
        | without ethtool  | FileExisting |
        | without socat    | FileExisting |
        | without tc       | FileExisting |
        | without touch    | FileExisting |
        | without crictl   | FileExisting |

  @PREF-037 @MUST
  Rule: A machine with another container runtime is not held to Docker

    Why: who has chosen containerd or CRI-O has no use for it.
    Repair, for makers: ask every runtime by the same interface.

    Scenario: without Docker
      Then kubeadm init says nothing of this:
        | without docker, without a service docker | docker |

    Scenario: without Docker, before a join, and what is not told
      Then kubeadm join says nothing of this:
        | without docker, without a service docker | docker |

  @PREF-038 @MUST
  Rule: A machine with Windows is not held to what Linux needs

    Why: it has no sysctl, no swap file table and none of these programs.
    Repair, for makers: leave out the checks of Linux where the machine runs Windows.

    Scenario: a join
      Then kubeadm join takes these machines:
        | of Windows, without mount, without losetup |

    Scenario: a join, before a join, and what is not told
      Then kubeadm join says nothing of this:
        | of Windows                                 | FileContent        |
        | of Windows, that swaps                     | Swap               |
        | of Windows, without mount, without losetup | FileExisting-      |
        | of Windows                                 | SystemVerification |
